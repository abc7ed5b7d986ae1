"""The pages of the queue: waiting takes, follow-ups, released takes."""

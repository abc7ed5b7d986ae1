"""The pages of the queue: what waits, what came back, what was released."""

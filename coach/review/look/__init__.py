"""A read-only look at a take from the queue, which claims nothing and shows no findings."""

"""A person's own data: what is kept, handed out, and erased, and what they agreed to."""

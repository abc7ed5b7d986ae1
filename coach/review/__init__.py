"""The coach's queue, claims and desk."""

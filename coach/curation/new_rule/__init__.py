"""A new rule from six questions."""

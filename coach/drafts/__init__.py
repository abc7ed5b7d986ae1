"""Saved drafts: forms that a person was filling in, given back to that person alone."""

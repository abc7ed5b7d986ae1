"""Feedback preferences of a person, and their keyboard shortcuts."""

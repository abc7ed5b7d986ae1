"""Guests: somebody without an account watches one take by a link, and comments on it."""

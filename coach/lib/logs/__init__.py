"""Logs: what must not lie in one, and what says nothing there."""

"""Coding takes: a code on a stretch of a recording, in milliseconds."""

"""Interviews: read from files, rid of names, locked."""

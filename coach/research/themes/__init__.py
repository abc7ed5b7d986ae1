"""Retrieval of passages over all interviews, and candidate themes of an analysis."""

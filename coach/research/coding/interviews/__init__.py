"""Interviews: imported from files, redacted and locked."""

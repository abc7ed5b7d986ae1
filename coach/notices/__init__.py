"""Telling people that something waits for them: a badge on every page, and mail in batches."""

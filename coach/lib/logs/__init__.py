"""Logging: redaction of private data, and filters for routine lines."""

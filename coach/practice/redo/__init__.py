"""Redoing part of a take: recorded, measured by the same pipeline, compared with the original."""

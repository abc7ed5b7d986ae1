"""Marking: a code on a stretch of a text, in code points, whatever a browser counts."""

"""Coaches' ratings of a talk, quality by quality, on described levels."""

"""Ratings of a talk by coaches, quality by quality, in levels with words."""

"""Slides of a talk: a PDF file, when each page was shown, and what the report says about it."""

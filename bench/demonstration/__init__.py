"""Demonstration talks: texts, voices and how the files are made."""

"""Formatting in the reader's language: numbers, dates, names, and codes as sentences."""

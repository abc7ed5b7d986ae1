"""Coding of takes: codes on spans of a recording, in milliseconds."""

"""Sound backend: pitch, level and timbre per frame."""

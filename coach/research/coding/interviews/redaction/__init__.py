"""Redaction: spans are proposed, a person decides, then the text is locked."""

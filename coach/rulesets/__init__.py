"""Rule documents and their numbered, immutable releases."""

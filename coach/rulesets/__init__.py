"""Rule documents and numbered, immutable releases of them."""

"""File formats of exports, one module each."""

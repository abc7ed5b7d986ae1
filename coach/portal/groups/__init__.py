"""Groups in the administration: their invitation codes, terms and archive."""

"""Default date formats for pages that name none, above all Django's administration."""

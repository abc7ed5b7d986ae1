"""Template tags of practice."""

"""Page contents of the rule studio, as plain values."""

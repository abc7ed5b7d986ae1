"""A skewed day of rehearsals against real workers, in small."""

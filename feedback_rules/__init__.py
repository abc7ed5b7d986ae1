"""Report and context in; at most three explained items out. Pure: no numpy, no web framework."""

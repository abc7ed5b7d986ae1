"""How a group’s queue goes, for who leads it; how long its coaches work."""

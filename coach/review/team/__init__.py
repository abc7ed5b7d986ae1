"""The team page for leads: the state of a group's queue, and coaches' working times."""

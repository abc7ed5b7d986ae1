"""A demonstration: its people, their takes, and what is done with each."""

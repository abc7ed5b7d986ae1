"""How a person wants to be given feedback, and their own keys."""

"""Sessions of a person: the list with devices, and signing out of one of them."""

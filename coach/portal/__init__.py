"""Home pages, one's own data and profile, what was typed and not sent, and the demonstration."""

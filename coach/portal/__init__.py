"""Home pages, people's own data and profile, saved drafts, and the demonstration."""

"""The talks of the demonstration: what is said, by which voice, and how the files are made."""

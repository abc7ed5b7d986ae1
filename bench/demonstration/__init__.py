"""The talks of the demonstration: texts, voices and how the files are made."""

"""What people read: numbers, dates, names and codes as sentences, in the reader's language."""

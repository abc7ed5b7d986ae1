"""Content of the pages about a rehearsal, as plain values made from stored data."""

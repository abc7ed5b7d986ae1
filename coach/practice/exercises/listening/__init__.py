"""Exercises that listen: a short recording, measured for one thing, with the counts at once."""

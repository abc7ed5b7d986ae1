"""Exercises of at most five minutes: what they are, for which rules, which were done."""

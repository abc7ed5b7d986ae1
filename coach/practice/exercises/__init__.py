"""Exercises of up to five minutes: catalogue, matching rules, and which were done."""

"""Rounds of coding: coders, texts and codebook, blind to each other until closed."""

"""Rounds: who codes which texts with which codebook, unseen by the others until it closes."""

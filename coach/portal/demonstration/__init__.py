"""Demonstration data: people, their takes, and the reviews of these."""

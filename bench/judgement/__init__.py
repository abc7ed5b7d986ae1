"""Constructed talks with one planted fault, and how often the feedback names it."""

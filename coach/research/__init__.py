"""Pseudonymised, consented exports."""

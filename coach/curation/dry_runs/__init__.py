"""Dry runs: other rules tried on all stored reports."""

"""Dry runs: proposed rules tried on all stored reports."""

"""Deleting takes, and the receipts of what was deleted."""

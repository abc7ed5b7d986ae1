"""Deletion of takes, and receipts of deletions."""

"""Notifications: a badge on every page, and emails in batches."""

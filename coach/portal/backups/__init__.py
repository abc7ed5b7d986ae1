"""Backups of a site: its database and recordings in a folder, checked and restored."""

"""Stored takes with their media, context, access grants, retention and viewing log."""

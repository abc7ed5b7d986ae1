"""Uploads, media in storage, context, access grants and the viewing log."""

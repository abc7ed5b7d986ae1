"""Uploads, media in custody, context, access grants and the viewing log."""

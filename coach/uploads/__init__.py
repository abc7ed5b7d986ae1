"""Uploads, from the request to the stored take: pages, tus server, plain form, limits."""

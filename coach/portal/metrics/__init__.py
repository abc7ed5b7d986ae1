"""Figures of the site's work for Prometheus, read from the database when they are asked for."""

"""Management commands of research."""

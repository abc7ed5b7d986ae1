"""Media file in, measurements out. Pure Python: no web framework, no queue, no database."""

"""The bundle: one zip that other tools read, check and import."""

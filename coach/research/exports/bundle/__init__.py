"""The export bundle: one ZIP archive that other tools read, check and import."""

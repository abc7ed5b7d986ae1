"""What somebody thinks of their take before they read what was found, and where it agrees."""

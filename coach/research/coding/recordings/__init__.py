"""Interview recordings: uploaded or recorded here, transcribed, corrected, imported."""

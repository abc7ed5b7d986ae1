"""English as pages of the site write it, not as in the United States (`coach.lib.words.dates`)."""

"""Today's three minutes: one exercise or stretch, what was done, and a reminder."""

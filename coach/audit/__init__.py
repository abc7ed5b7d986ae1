"""The append-only record of what changed state, who did it and to what."""

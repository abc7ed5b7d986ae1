"""Vision backend: face, eyes and body of one person, sampled from the pictures."""

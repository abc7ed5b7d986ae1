"""What comes after a round: where coders differ, what they settle on, and how far they agree."""

"""Threads: trainee and coach answer each other under a card or a note, and tick it as done."""

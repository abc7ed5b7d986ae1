"""Exercises and tasks that a coach sets for a trainee, with a date; the trainee ticks them."""

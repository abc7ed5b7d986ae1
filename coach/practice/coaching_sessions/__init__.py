"""Live sessions of a trainee with a coach: an agenda before, and notes afterwards."""

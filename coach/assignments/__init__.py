"""Assignments of a group: a brief, a due date, and the take that each trainee hands in."""

"""Practice between takes: exercises, redoing parts of a take, progress and a plan."""

"""A synthetic study for trying exports, coding and other tools. Nobody in it exists."""

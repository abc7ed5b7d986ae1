"""A synthetic study to try exports, coding and other tools on. Nobody in it exists."""

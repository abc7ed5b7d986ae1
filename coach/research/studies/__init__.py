"""The first room: studies, who works on them, who takes part, and what they agreed to."""

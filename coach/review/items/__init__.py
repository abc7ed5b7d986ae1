"""Items as coaches see them: decisions in words, typed moments, and conflicts."""

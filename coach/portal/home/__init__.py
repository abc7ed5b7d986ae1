"""First pages: the sample report, accuracy figures, first steps, and the state of the site."""

"""What first pages show: the sample and its figures, first steps, how the site runs."""

"""Progress of a person's own measures over comparable takes."""

"""Practice plan: focus areas whose steps follow a person's own takes, and the next date."""

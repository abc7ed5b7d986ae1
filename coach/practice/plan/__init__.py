"""What to practise next: focus areas whose steps follow a person's own takes, and when."""

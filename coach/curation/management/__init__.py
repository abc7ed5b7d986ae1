"""Management commands of the rule studio."""

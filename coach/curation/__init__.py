"""The rule studio: proposals, approval, publishing, dry runs and what the rules achieve."""

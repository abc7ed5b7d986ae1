"""The rule studio: proposals, approval, publishing, dry runs and rule statistics."""

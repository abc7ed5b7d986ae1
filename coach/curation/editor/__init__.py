"""The form in which a rule is edited: a document with fields laid over it."""

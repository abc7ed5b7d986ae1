"""The rule editor: a form whose fields edit a rule's document."""

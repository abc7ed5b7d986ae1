"""Statistics of each rule's findings, counted and cached."""

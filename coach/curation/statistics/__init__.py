"""What became of each rule's findings, counted and kept."""

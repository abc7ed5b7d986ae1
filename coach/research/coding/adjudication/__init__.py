"""Work after a round of coding: differences between coders, adjudication and agreement."""

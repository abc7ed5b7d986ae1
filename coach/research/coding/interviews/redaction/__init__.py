"""Taking names out: places are proposed, a person decides, then the text is locked."""

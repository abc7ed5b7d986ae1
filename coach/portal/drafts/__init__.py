"""What somebody typed and could not send: kept for them, given back to them alone."""

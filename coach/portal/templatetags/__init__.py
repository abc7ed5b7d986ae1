"""Template tags of the portal, for templates of all apps."""

"""Views of the studio: rules, proposals, releases, editor, dry runs, statistics."""

"""The studio's views: rules, proposals, releases, the editor, dry runs, statistics."""

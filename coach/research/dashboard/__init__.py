"""Dashboard of a study: tables with charts, for its analysts."""

"""Analysis at a glance: what a study holds, in tables with charts, for those who analyse it."""

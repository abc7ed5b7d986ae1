"""Days on which a coach is away, set by the coach."""

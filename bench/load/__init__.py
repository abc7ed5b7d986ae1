"""Load test: a skewed day of takes on real workers, scaled down."""

"""Review by coaches: the queue, claims, and the review page."""

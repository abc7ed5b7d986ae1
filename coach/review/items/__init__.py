"""Items on the review page: decisions in words, typed moments, and conflicts."""

"""Minutes of coaches for a talk with and without automatic cards, from a randomised share."""

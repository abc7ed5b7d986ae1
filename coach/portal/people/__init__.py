"""Several people at once: lists of invitations, the list of people, and acts on several of them."""

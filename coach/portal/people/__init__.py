"""People in numbers: lists of invitations, the list of people, and acts on several of them."""

"""Ways to an account besides an invitation: a request to the administrators, an address domain."""

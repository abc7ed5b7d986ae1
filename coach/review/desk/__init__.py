"""What the desk shows of one take, from its items to what will be read in the end."""

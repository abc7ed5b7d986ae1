"""How a person's own measures went from take to take, where takes can be compared."""

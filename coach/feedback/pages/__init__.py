"""What the pages about a rehearsal show, as plain values put together from what is stored."""

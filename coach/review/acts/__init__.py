"""What a coach does at the desk, with its answers to the browser."""

"""The third room: everything that leaves, what it held, and until when it may be kept."""

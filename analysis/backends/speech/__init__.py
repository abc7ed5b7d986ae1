"""Speech backend: recognisers behind one interface, and voice activity detection."""

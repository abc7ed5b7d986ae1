"""What is said, and when somebody speaks: recognisers behind one interface, voice activity."""

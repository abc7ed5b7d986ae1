"""Welcome after the first sign-in of a trainee: three steps and a microphone test."""

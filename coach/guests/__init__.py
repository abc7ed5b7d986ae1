"""Guests: people without an account who open one take through a link."""

"""Dates where no page says how: Django's administration above all."""

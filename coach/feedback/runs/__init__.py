"""Runs and their stages: planned, leased, carried out, and drafted from."""

"""Runs and their stages: planned, claimed, carried out, and drafted from."""

"""Append-only audit log of every change: who made it, and to what."""

"""Spoken replies: up to 60 seconds of a coach's voice at a moment of a take, with captions."""

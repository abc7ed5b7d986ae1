"""Doing a span of a take again: recorded, measured by the same pipeline, laid beside the first."""

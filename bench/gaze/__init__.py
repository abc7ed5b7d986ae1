"""Benchmark `gaze`: facing by condition on labelled frames, and degrees from the lens."""

"""Gaze calibration: points on the screen before a recording, for gaze in degrees."""

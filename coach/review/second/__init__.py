"""Two coaches on one take, each without the other: second opinions, agreement, calibration."""

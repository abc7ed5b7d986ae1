"""Second opinions: two coaches independently on one take, agreement, calibration."""

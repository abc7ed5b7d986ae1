"""Usage and service figures for administrators: counts by week and group, of no single person."""

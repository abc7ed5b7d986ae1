"""People, roles, cohorts with their policy, consents and profiles."""

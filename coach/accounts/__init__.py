"""People, roles, cohorts with their policy, consent and profile switches."""

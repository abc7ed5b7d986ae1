"""Self-assessment of a take before its report, and its agreement with the findings."""

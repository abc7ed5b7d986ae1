"""Analysis runs and their stages: planning, leasing, execution and drafting."""

"""Analyses and feedback: runs, stages, drafts, items, verdicts and released versions."""

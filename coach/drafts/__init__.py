"""Saved drafts of unsubmitted forms, restored to their author only."""

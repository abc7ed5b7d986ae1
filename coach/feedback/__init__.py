"""Runs and stages, drafts, items, verdicts, versions: from upload to released feedback."""

"""Feedback rules: a report and its context as input, at most three explained items as output. Pure:
no numpy, no web framework.
"""

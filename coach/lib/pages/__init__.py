"""Shared parts of pages: forms, saved drafts, pagination, keyboard shortcuts, the
administration.
"""

"""Explanations: why an item was chosen, why others were not, and problems of a rule."""

from __future__ import annotations

from feedback_rules.explain.gallery import GalleryEntry, as_markdown, gallery_entries, gallery_entry
from feedback_rules.explain.publication_checks import (
    TO_BE_WRITTEN,
    has_strange_placeholders,
    problems_of,
    with_clean_spaces,
)
from feedback_rules.explain.why import (
    factor_words,
    nothing_found,
    what_lowers,
    why_chosen,
    why_held,
    why_in_short,
    why_more,
    why_silent,
)

__all__ = [
    "TO_BE_WRITTEN",
    "GalleryEntry",
    "as_markdown",
    "factor_words",
    "gallery_entries",
    "gallery_entry",
    "has_strange_placeholders",
    "nothing_found",
    "problems_of",
    "what_lowers",
    "why_chosen",
    "why_held",
    "why_in_short",
    "why_more",
    "why_silent",
    "with_clean_spaces",
]

"""Explanations: why an item was chosen, why others were not, and problems of a rule."""

from __future__ import annotations

from feedback_rules.explain.gallery import Exhibit, as_markdown, exhibit_of, exhibits_of
from feedback_rules.explain.proof import (
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
    "Exhibit",
    "as_markdown",
    "exhibit_of",
    "exhibits_of",
    "factor_words",
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

"""Selection: from findings to a draft of at most three items with verified evidence."""

from __future__ import annotations

from feedback_rules.select.choose import draft
from feedback_rules.select.compare import DraftChange, compare
from feedback_rules.select.offer import OFFER_RESTS
from feedback_rules.select.sample import sample_cards

__all__ = ["OFFER_RESTS", "DraftChange", "compare", "draft", "sample_cards"]

"""A card as the owner of its take reads it now."""

from __future__ import annotations

from coach.feedback.documents import CardDocument
from coach.feedback.items import items_for_reading
from coach.feedback.models import Item
from coach.feedback.selectors import feedback_for_owner


def card_now(item: Item) -> CardDocument | None:
    """Return the card; None if it is not on the report now: held back, rejected, retracted,
    superseded.

    A coach's decision that is not released yet does not count.
    """
    feedback = feedback_for_owner(item.feedback.rehearsal)
    if feedback is None or feedback.pk != item.feedback_id:
        return None
    cards = (each.card for each in items_for_reading(feedback) if each.item.pk == item.pk)
    return next(cards, None)

"""A card as the owner of its take reads it at this moment."""

from __future__ import annotations

from coach.feedback.documents import CardDocument
from coach.feedback.items import items_for_reading
from coach.feedback.models import Item
from coach.feedback.selectors import feedback_for_owner


def card_now(item: Item) -> CardDocument | None:
    """None where it does not stand on the report now: held back, rejected, retracted, superseded.

    What a coach decided and has not released yet is not in it either.
    """
    feedback = feedback_for_owner(item.feedback.rehearsal)
    if feedback is None or feedback.pk != item.feedback_id:
        return None
    cards = (each.card for each in items_for_reading(feedback) if each.item.pk == item.pk)
    return next(cards, None)

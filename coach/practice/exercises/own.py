"""Which exercise a card offers: its own where it has one, so that one card has one voice."""

from __future__ import annotations

from coach.feedback.documents import CardDocument, CardExercise
from coach.practice.exercises.catalogue import Exercise

_USUAL_MINUTES = 3


def own_exercise(card: CardDocument | None, guided: Exercise) -> CardExercise | None:
    """What the card's rule asks to do, where that is another exercise than the guided one.

    Its title, its words and its minutes are the rule's, as they stand on the card and on paper.
    """
    asked = card.exercise if card else None
    if asked is None or not asked.text or not asked.title:
        return None
    if asked.title in (guided.en.title, guided.fr.title):
        return None
    return asked.model_copy(update={"minutes": asked.minutes or _USUAL_MINUTES})

"""Exercise that a card offers: its own if it has one, so that its advice is consistent."""

from __future__ import annotations

from coach.feedback.documents import CardDocument, CardExercise
from coach.practice.exercises.catalogue import Exercise

_USUAL_MINUTES = 3


def own_exercise(card: CardDocument | None, guided: Exercise) -> CardExercise | None:
    """Return the exercise in the card's rule if it differs from the guided one, otherwise None.

    Title, text and minutes are the rule's, as on the card and in print.
    """
    asked = card.exercise if card else None
    if asked is None or not asked.text or not asked.title:
        return None
    if asked.title in (guided.en.title, guided.fr.title):
        return None
    return asked.model_copy(update={"minutes": asked.minutes or _USUAL_MINUTES})

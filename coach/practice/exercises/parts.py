"""Additions of exercises to the feedback pages: links from a card to its exercise."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from coach.feedback.pages.extensions import PagePart, ReportReading
from coach.practice.exercises.catalogue import exercise_for
from coach.practice.exercises.own import own_exercise
from coach.practice.exercises.page import minutes_words


def on_cards(reading: ReportReading) -> Iterable[PagePart]:
    """Yield a link to the matching exercise under each improvement that the owner reads."""
    if not reading.is_owner:
        return
    for each in reading.items:
        found = exercise_for(rule=each.item.rule, quality=each.item.quality)
        if each.item.tone == "strength" or found is None:
            continue
        url = reverse("practice:exercise", args=[found.id])
        asked = each.card.exercise
        own = own_exercise(each.card, found)
        context = {
            "url": f"{url}?card={each.item.pk}",
            "title": "" if asked and asked.title else found.words.title,
            "minutes": minutes_words(own.minutes if own else found.minutes),
        }
        yield PagePart(
            place="card",
            card=str(each.item.pk),
            template="practice/_card_exercise.html",
            context=context,
        )

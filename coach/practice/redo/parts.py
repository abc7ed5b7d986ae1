"""Additions of redone parts to a report: links from its cards, and the results."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from coach.feedback.pages.extensions import PagePart, ReportReading
from coach.practice.redo.counts import name_of
from coach.practice.redo.focus import measure_of, measures_for
from coach.practice.redo.lengths import seconds_to_compare
from coach.practice.redo.page import span_words
from coach.practice.redo.selectors import spans_done_again


def on_report(reading: ReportReading) -> Iterable[PagePart]:
    """Yield links and results for the owner; results stay after the recording is deleted."""
    take = reading.rehearsal
    if not reading.is_owner or reading.feedback is None:
        return
    is_here = take.has_original
    url = reverse("practice:choose_span", args=[take.pk])
    for each in reading.items:
        metric = measure_of(each.card.metric)
        if not is_here or each.item.tone == "strength" or metric not in measures_for(take):
            continue
        seconds = seconds_to_compare(metric, take, reading.report, each.card)
        if seconds is not None:
            yield PagePart(
                place="card",
                card=str(each.item.pk),
                template="practice/_card_redo.html",
                context={
                    "url": f"{url}?card={each.item.pk}",
                    "seconds": int(min(seconds, take.duration or seconds)),
                },
            )
    done = [
        {
            "url": reverse("practice:span", args=[span.pk]),
            "words": f"{span_words(span)} · {name_of(span.metric)}",
        }
        for span in spans_done_again(take)
    ]
    if done or (is_here and reading.items):
        context = {"url": url if is_here else "", "done": done}
        yield PagePart(place="after_cards", template="practice/_redone.html", context=context)

"""What doing a span again adds to a report: a way from its cards, and what was done."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from coach.feedback.pages.parts import Part, Reading
from coach.lib.words.measure_words import label_of
from coach.practice.redo.focus import measure_of
from coach.practice.redo.lengths import stretches_for
from coach.practice.redo.page import span_words
from coach.practice.redo.selectors import spans_done_again


def on_report(reading: Reading) -> Iterable[Part]:
    """For its owner: what was done stays, also when the recording itself is gone."""
    take = reading.rehearsal
    if not reading.is_owner or reading.feedback is None:
        return
    is_here = take.media_removed_at is None
    url = reverse("practice:choose_span", args=[take.pk])
    counts = {metric: each.n for metric, each in reading.report.measurements.items() if each.n}
    can = stretches_for(take, counts) if is_here else {}
    for each in reading.items:
        seconds = can.get(measure_of(each.card.metric))
        if each.item.tone != "strength" and seconds is not None:
            yield Part(
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
            "words": f"{span_words(span)} · {label_of(span.metric)}",
        }
        for span in spans_done_again(take)
    ]
    if done or (is_here and reading.items):
        context = {"url": url if is_here else "", "done": done}
        yield Part(place="after_cards", template="practice/_redone.html", context=context)

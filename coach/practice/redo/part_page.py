"""Content of the page for choosing a part of a take."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from coach.feedback.models import Item
from coach.lib.words.clock import clock
from coach.practice.cards import card_now
from coach.practice.redo.focus import MOST_SECONDS, USUAL_SECONDS, measure_of
from coach.practice.redo.forms import SpanForm
from coach.practice.redo.lengths import stretch_for, stretches_for
from coach.practice.redo.services import obstacle_to_span
from coach.rehearsals.models import Rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoosingPage:
    """The form, and the card that led to it."""

    title: str
    form: SpanForm
    obstacle: str
    """Why no part can be redone, in place of the form; empty if one can."""
    back_url: str
    card_id: str
    is_folded: bool
    """Whether part and measure follow from the card; they can still be changed."""
    claim: str
    suggestion: str
    language: str
    media_url: str
    media_type: str
    has_video: bool
    most_seconds: int


def choosing_page(
    take: Rehearsal, item: Item | None, typed: SpanForm | None, *, measure: str = ""
) -> ChoosingPage:
    """Return the page with a part around the card's first moment, or at the start without a card.

    The part is as long as the measure needs. `measure` is what to compare if there is no card.
    """
    card = card_now(item) if item else None
    metric = measure_of(card.metric) if card else measure
    form = typed or SpanForm(take=take)
    can = stretches_for(take, form.report, card) if card else form.needs
    seconds = can.get(metric, USUAL_SECONDS)
    start, end = stretch_for(metric, take, form.report, card, seconds)
    report = reverse("feedback:report", args=[take.pk])
    form.initial = {"start": clock(start), "end": clock(end), "metric": metric}
    here = "" if take.media_removed_at else reverse("rehearsals:media", args=[take.pk])
    return ChoosingPage(
        title=take.title,
        form=form,
        obstacle=obstacle_to_span(take),
        back_url=f"{report}#card-{item.pk}" if item else report,
        card_id=str(item.pk) if item else "",
        is_folded=metric in can and card is not None and not (typed and typed.errors),
        claim=card.claim if card else "",
        suggestion=card.suggestion if card else "",
        language=card.language if card else "",
        media_url=here and f"{here}#t={start:.0f},{end:.0f}",
        media_type=take.playback_type,
        has_video=bool(take.has_video),
        most_seconds=int(MOST_SECONDS),
    )

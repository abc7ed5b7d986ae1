"""Where on the timeline the moments of the cards lie."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.feedback.pages.values import Card, Lane, LaneMark


def moments_lane(cards: Sequence[Card], duration: float) -> tuple[Lane, ...]:
    """A lane with a mark for each moment of a card; none where no card has one."""
    total = duration or 1.0
    marks = tuple(
        LaneMark(
            start=clip.start,
            end=clip.end,
            left=round(100 * clip.start / total, 2),
            width=round(max(100 * (clip.end - clip.start) / total, 0.3), 2),
            label=_("%(what)s at %(time)s") % {"what": card.heading, "time": clip.label},
            tone=card.tone,
        )
        for card in cards
        for clip in card.clips
    )
    if not marks:
        return ()
    words = ngettext(
        "%(count)s moment from the cards.", "%(count)s moments from the cards.", len(marks)
    )
    summary = words % {"count": len(marks)}
    return (Lane(label=_("Feedback"), kind="marks", summary=summary, marks=marks),)

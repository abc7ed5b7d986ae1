"""Asks whether the speaker was alone, where it sounds as if others were talking."""

from __future__ import annotations

from django.utils.translation import gettext as _

from analysis.results import Report
from coach.feedback.answers import sounds_like_others
from coach.feedback.pages.side_values import QuestionBox
from coach.feedback.services import reanalysis_obstacle
from coach.rehearsals.models import Rehearsal


def alone_box(
    rehearsal: Rehearsal, report: Report, *, is_held: bool = False, can_take_back: bool = False
) -> QuestionBox | None:
    """The question as the page puts it; None where nobody else seems to talk.

    Where a coach answers first, the question is put and what was heard is not told. While a coach
    has the take, it waits until the take is taken back.
    """
    if not rehearsal.spoke_alone and not sounds_like_others(report):
        return None
    obstacle = reanalysis_obstacle(rehearsal)
    if rehearsal.spoke_alone:
        return QuestionBox(
            seen="",
            question=_("You answered that you were alone. We measured every voice as yours."),
            answers=() if obstacle else (("unknown", _("Withdraw my answer")),),
            is_answered=True,
        )
    heard = _("It sounds as if other people were talking, so we left out some measures.")
    seen = "" if is_held else heard
    asked = _("Were you alone?")
    if obstacle:
        waits = can_take_back and not is_held
        return QuestionBox(seen=seen, question=asked, answers=(), note=obstacle) if waits else None
    return QuestionBox(
        seen=seen,
        question=asked,
        answers=(("alone", _("I was alone")),),
        note=_(
            "We then analyse the recording again and measure every voice as yours. If others were "
            "talking, or music was playing, use “Measure only my part” instead."
        ),
    )

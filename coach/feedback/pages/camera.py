"""Asks where the camera stood, where head and eyes rested beside the lens for most of a talk."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.results import Report
from coach.feedback.pages.side_values import QuestionBox
from coach.feedback.pages.values import Fact
from coach.feedback.services import reanalysis_obstacle
from coach.lib.words.dates import date_words
from coach.rehearsals.comparability import last_camera_answer
from coach.rehearsals.models import Rehearsal, Setting

_SEEN: dict[str, str | Promise] = {
    "side": gettext_lazy(
        "For most of the time you spoke, your head and eyes rested to one side of the lens."
    ),
    "below": gettext_lazy(
        "For most of the time you spoke, your head and eyes rested below the lens."
    ),
    "above": gettext_lazy(
        "For most of the time you spoke, your head and eyes rested above the lens."
    ),
    "around": gettext_lazy(
        "Your head and eyes rested near the lens, in no one direction for long."
    ),
    "away": gettext_lazy(
        "You were in the picture, but for much of the time it did not show your face."
    ),
}

_SEEN_IN_SILENCE: dict[str, str | Promise] = {
    "side": gettext_lazy(
        "For most of the recording, your head and eyes rested to one side of the lens."
    ),
    "below": gettext_lazy("For most of the recording, your head and eyes rested below the lens."),
    "above": gettext_lazy("For most of the recording, your head and eyes rested above the lens."),
}
"""The same without sound: nobody was heard speaking then."""


def camera_box(
    rehearsal: Rehearsal, report: Report, *, is_held: bool = False, can_take_back: bool = False
) -> QuestionBox | None:
    """The question as the page puts it; nothing where it is clear where the camera stood.

    Where a coach answers first, the question is put and what was seen is not told. While a coach
    has the take it waits for being taken back; where no answer can change anything, none is asked.
    """
    question = report.camera_question
    if question is None:
        return None
    obstacle = reanalysis_obstacle(rehearsal)
    is_stage = rehearsal.setting == Setting.STAGE
    if question.answer != "unknown" and rehearsal.camera_as_before:
        is_in_front = question.answer == "in_front"
        return QuestionBox(
            seen="",
            question=_taken_for_granted(is_in_front=is_in_front, is_stage=is_stage),
            answers=() if obstacle else (_the_other(is_in_front=is_in_front, is_stage=is_stage),),
            is_answered=True,
        )
    if question.answer != "unknown":
        undo = (("unknown", _("Withdraw my answer")),)
        return QuestionBox(
            seen="",
            question=_answered(is_in_front=question.answer == "in_front"),
            answers=() if obstacle else undo,
            is_answered=True,
        )
    seen = "" if is_held else _seen(question.where, report)
    asked = (
        _("Was your camera among your audience?")
        if is_stage
        else _("Was your camera straight in front of you?")
    )
    if obstacle:
        waits = can_take_back and not is_held
        return QuestionBox(seen=seen, question=asked, answers=(), note=obstacle) if waits else None
    last = last_camera_answer(rehearsal)
    return QuestionBox(
        seen=seen,
        question=asked,
        remembered=_remembered(last) if last else "",
        answers=_answers(is_stage=is_stage, last=last),
        note=_("Your answer only affects what we say about facing the camera."),
    )


def _remembered(last: Rehearsal) -> str:
    words = (
        _("For your take of %(date)s you answered: in front of you.")
        if last.camera_in_front
        else _("For your take of %(date)s you answered: elsewhere.")
    )
    if last.setting == Setting.STAGE and last.camera_in_front:
        words = _("For your take of %(date)s you answered: among the audience.")
    return words % {"date": date_words(last.created_at)}


def _answers(*, is_stage: bool, last: Rehearsal | None) -> tuple[tuple[str, str], ...]:
    """Both answers, what was said last time first."""
    if last is None:
        yes = _("Yes, among them") if is_stage else _("Yes, in front of me")
        return ("in_front", yes), ("elsewhere", _("No, elsewhere"))
    if last.camera_in_front:
        return ("in_front", _("Yes, as last time")), ("elsewhere", _("No, elsewhere"))
    yes = _("Yes, among them") if is_stage else _("Yes, in front of me")
    return ("elsewhere", _("No, elsewhere, as last time")), ("in_front", yes)


def _seen(where: str, report: Report) -> str:
    in_silence = _SEEN_IN_SILENCE if report.media.audio is None else {}
    return str(in_silence.get(where, _SEEN[where]))


def _answered(*, is_in_front: bool) -> str:
    if is_in_front:
        return _("You answered that your camera was in front of you.")
    return _(
        "You answered that your camera was elsewhere. We measure facing from where you looked most."
    )


def _taken_for_granted(*, is_in_front: bool, is_stage: bool) -> str:
    if not is_in_front:
        return _(
            "As you answered for an earlier take like this one, your camera was elsewhere. We "
            "measure facing from where you looked most."
        )
    if is_stage:
        return _(
            "As you answered for an earlier take like this one, your camera was among your "
            "audience."
        )
    return _("As you answered for an earlier take like this one, your camera was in front of you.")


def _the_other(*, is_in_front: bool, is_stage: bool) -> tuple[str, str]:
    if is_in_front:
        return "elsewhere", _("No, elsewhere")
    return "in_front", _("No, among them") if is_stage else _("No, in front of me")


def camera_fact(rehearsal: Rehearsal) -> Fact | None:
    """What its owner has said, for everybody who reads about the take."""
    if rehearsal.camera_in_front is None:
        return None
    is_in_front = rehearsal.camera_in_front
    if rehearsal.camera_as_before:
        words = (
            _("camera in front (your answer for an earlier take)")
            if is_in_front
            else _("camera elsewhere (your answer for an earlier take)")
        )
    elif is_in_front:
        words = _("camera in front (your answer)")
    else:
        words = _("camera elsewhere (your answer)")
    return Fact(label=_("Camera"), value=words)


def thanks_for(answer: str) -> str:
    """What the page says after an answer, or after it was taken back."""
    if answer == "unknown":
        return _("Answer withdrawn. This page is as it was before you answered.")
    return _("We recalculated measures and feedback with your answer.")

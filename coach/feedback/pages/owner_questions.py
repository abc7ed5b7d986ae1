"""Questions to the owner of a take: camera position, other voices, their part of the recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.results import Reason, Report
from coach.feedback.answers import sounds_like_others
from coach.feedback.forms import MOST_PARTS, PartForm
from coach.feedback.pages.about_take import is_part_marked, part_words
from coach.feedback.services import reanalysis_obstacle
from coach.lib.pages.forms import first_error
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.rehearsals.comparability import last_camera_answer
from coach.rehearsals.models import Rehearsal, Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class TrimRow:
    """The two time fields of one part, as m:ss."""

    number: int
    start: str = ""
    end: str = ""

    @property
    def start_name(self) -> str:
        """The name of the start field."""
        return f"start_{self.number}"

    @property
    def end_name(self) -> str:
        """The name of the end field."""
        return f"end_{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrimForm:
    """The form in which trainees mark the part of the recording that is their talk."""

    rows: tuple[TrimRow, ...]
    """The fields with the marked part, or the suggested one, or empty."""
    whole: str
    """The end of the recording."""
    marked: str = ""
    """The marked part in words; empty if the whole recording is measured."""
    suggestion: str = ""
    """Why we suggest marking a part; empty if we do not."""
    locked: str = ""
    """Why the part cannot be changed now; empty if it can."""
    problem: str = ""
    """The error message of the form; empty if there is none."""
    refused: str = ""
    """The name of the field with the error: start_1."""

    @property
    def speaks_again(self) -> bool:
        """Whether a second part is marked, so that its fields are open."""
        return any(row.start or row.end for row in self.rows[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerQuestion:
    """A question that the analysis leaves open, or the owner's answer."""

    seen: str
    """What was seen or heard; empty once the question is answered."""
    question: str
    """The question, or the answer."""
    remembered: str = ""
    """The owner's answer for an earlier take; empty if there is none."""
    answers: tuple[tuple[str, str], ...]
    """Codes and button labels; none if it cannot be answered now."""
    note: str = ""
    """What an answer changes, or why it cannot be given now."""
    is_answered: bool = False


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
"""The same sentences for a recording without sound."""


def camera_box(
    rehearsal: Rehearsal, report: Report, *, is_held: bool = False, can_take_back: bool = False
) -> OwnerQuestion | None:
    """Return the question about the camera position, or None if there is no doubt.

    `is_held`: a coach answers first, so the observation is hidden. While a coach has the take, it
    must be withdrawn before an answer; None if no answer can change anything.
    """
    question = report.camera_question
    if question is None:
        return None
    obstacle = reanalysis_obstacle(rehearsal)
    is_stage = rehearsal.setting == Setting.STAGE
    if question.answer != "unknown" and rehearsal.camera_as_before:
        is_in_front = question.answer == "in_front"
        return OwnerQuestion(
            seen="",
            question=_taken_for_granted(is_in_front=is_in_front, is_stage=is_stage),
            answers=() if obstacle else (_the_other(is_in_front=is_in_front, is_stage=is_stage),),
            is_answered=True,
        )
    if question.answer != "unknown":
        undo = (("unknown", _("Withdraw my answer")),)
        return OwnerQuestion(
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
        return (
            OwnerQuestion(seen=seen, question=asked, answers=(), note=obstacle) if waits else None
        )
    last = last_camera_answer(rehearsal)
    return OwnerQuestion(
        seen=seen,
        question=asked,
        remembered=_remembered(last) if last else "",
        answers=_answers(is_stage=is_stage, last=last),
        note=_("Your answer only affects what we say about facing the camera."),
    )


def _remembered(last: Rehearsal) -> str:
    words = (
        _("You said of your take of %(date)s that the camera was in front of you.")
        if last.camera_in_front
        else _("You said of your take of %(date)s that the camera was elsewhere.")
    )
    if last.setting == Setting.STAGE and last.camera_in_front:
        words = _("You said of your take of %(date)s that the camera was among the audience.")
    return words % {"date": date_words(last.created_at)}


def _answers(*, is_stage: bool, last: Rehearsal | None) -> tuple[tuple[str, str], ...]:
    """Return both answers, the one for the last take first."""
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
            "You said of a similar take that the camera was elsewhere, so we measure facing "
            "from where you looked most."
        )
    if is_stage:
        return _("You said of a similar take that the camera was among your audience.")
    return _("You said of a similar take that the camera was in front of you.")


def _the_other(*, is_in_front: bool, is_stage: bool) -> tuple[str, str]:
    if is_in_front:
        return "elsewhere", _("No, elsewhere")
    return "in_front", _("No, among them") if is_stage else _("No, in front of me")


def thanks_for(answer: str) -> str:
    """Return the confirmation after an answer or its withdrawal."""
    if answer == "unknown":
        return _("Answer withdrawn. This page is as it was before you answered.")
    return _("We recalculated measures and feedback with your answer.")


def alone_box(
    rehearsal: Rehearsal, report: Report, *, is_held: bool = False, can_take_back: bool = False
) -> OwnerQuestion | None:
    """Return the question whether the owner was alone, or None if no other voice was heard.

    `is_held`: a coach answers first, so the observation is hidden. While a coach has the take, it
    must be withdrawn before an answer.
    """
    if not rehearsal.spoke_alone and not sounds_like_others(report):
        return None
    obstacle = reanalysis_obstacle(rehearsal)
    if rehearsal.spoke_alone:
        return OwnerQuestion(
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
        return (
            OwnerQuestion(seen=seen, question=asked, answers=(), note=obstacle) if waits else None
        )
    return OwnerQuestion(
        seen=seen,
        question=asked,
        answers=(("alone", _("I was alone")),),
        note=_(
            "We then analyse the recording again and measure every voice as yours. If others were "
            "talking, or music was playing, use “Measure only my part” instead."
        ),
    )


_LEAST_SUGGESTED_SECONDS = 20.0
"""The minimum length of a suggested part; a shorter one is more likely a turn in a conversation."""


def part_box(rehearsal: Rehearsal, report: Report) -> TrimForm:
    """Return the form for marking a part, with a suggestion if another voice was heard."""
    whole = clock(rehearsal.duration or report.media.duration)
    locked = reanalysis_obstacle(rehearsal)
    if locked:
        marked = part_words(rehearsal) if is_part_marked(rehearsal) else ""
        return TrimForm(rows=(), whole=whole, marked=marked, locked=locked)
    if is_part_marked(rehearsal):
        return TrimForm(rows=_rows(rehearsal.own_parts), whole=whole, marked=part_words(rehearsal))
    own = _longest_without_another_voice(report)
    if own is None:
        return TrimForm(rows=_rows([]), whole=whole)
    return TrimForm(
        rows=_rows([own]),
        whole=whole,
        suggestion=_suggestion(report, own) % {"start": clock(own[0]), "end": clock(own[1])},
    )


def _suggestion(report: Report, own: tuple[float, float]) -> str:
    """Return the suggestion: two voices throughout, or another voice first or last."""
    if any(each.reason is Reason.SEVERAL_SPEAKERS for each in report.skipped.values()):
        return _(
            "It sounds like two voices, or a voice and music. The longest part with one of them "
            "is about %(start)s to %(end)s. If this is your talk, confirm it; if not, change "
            "the times."
        )
    others = report.events_of("other_voice")
    speaks_first, speaks_last = others[0].end <= own[0], others[-1].start >= own[1]
    if speaks_first and speaks_last:
        return _(
            "Another person seems to speak before %(start)s and after %(end)s. If your talk is "
            "in between, confirm it; if not, change the times."
        )
    if speaks_first:
        return _(
            "Another person seems to speak until %(start)s. If your talk starts there, confirm "
            "it; if not, change the times."
        )
    return _(
        "Another person seems to speak after %(end)s. If your talk ends there, confirm it; if "
        "not, change the times."
    )


def refused_part(box: TrimForm, *, typed: PartForm, problem: str) -> TrimForm:
    """Return the form as it was submitted, with its error."""
    if box.locked:
        return box
    rows = tuple(
        TrimRow(
            number=number,
            start=typed.data.get(f"start_{number}", ""),
            end=typed.data.get(f"end_{number}", ""),
        )
        for number in range(1, MOST_PARTS + 1)
    )
    refused = next(iter(typed.errors), "start_1")
    return replace(box, rows=rows, problem=problem or first_error(typed), refused=refused)


def _rows(parts: Sequence[tuple[float, float]]) -> tuple[TrimRow, ...]:
    filled = [(clock(start), clock(end)) for start, end in parts]
    empty = [("", "")] * (MOST_PARTS - len(filled))
    return tuple(
        TrimRow(number=number, start=start, end=end)
        for number, (start, end) in enumerate([*filled, *empty], start=1)
    )


def _longest_without_another_voice(report: Report) -> tuple[float, float] | None:
    others = report.events_of("other_voice")
    if not others or not report.speech:
        return None
    edges = [report.speech[0][0], report.speech[-1][1]]
    starts = [edges[0], *(event.end for event in others)]
    ends = [*(event.start for event in others), edges[1]]
    stretches = [*zip(starts, ends, strict=True), *((event.start, event.end) for event in others)]
    start, end = max(stretches, key=lambda stretch: stretch[1] - stretch[0])
    return (start, end) if end - start >= _LEAST_SUGGESTED_SECONDS else None

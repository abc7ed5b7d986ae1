"""The page on which owners correct their transcript, and the menu of one word or pause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.results import Event, Report
from coach.feedback.corrected_reports import corrections_for_reading, report_for_reading
from coach.feedback.corrections import OWN_STRIKES
from coach.feedback.models import Correction, Feedback, Run
from coach.feedback.pages.about_take import Player, player_of
from coach.feedback.pages.cards import ClipLink
from coach.feedback.pages.coach_feedback import ReadCorrection, correction_words, place_of
from coach.feedback.pages.report_words import transcript_note
from coach.feedback.pages.transcript import (
    TranscriptLine,
    TranscriptWord,
    is_place_of,
    transcript,
)
from coach.lib.words.dates import date_words
from coach.rehearsals.models import Rehearsal

_SPOKEN = ("word", "unsure", "filler", "filler_word", "corrected")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMenu:
    """What the owner can say about one word or pause."""

    rehearsal_id: str
    word: TranscriptWord
    clips: tuple[ClipLink, ...]
    is_pause: bool
    can_replace: bool
    strike: Event | None
    """The filler here, which the owner can remove; None if there is none."""
    undo: tuple[OwnCorrection, ...]
    """The owner's corrections at this place."""
    by_coach: str
    """A coach's correction at this place in words; empty if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCorrection:
    """A correction in words, with the URL that undoes it; empty if a coach made it."""

    read: ReadCorrection
    undo_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptPage:
    """The values of the page."""

    rehearsal_id: str
    title: str
    player: Player
    sentences: tuple[TranscriptLine, ...]
    transcript_note: str
    corrections: tuple[OwnCorrection, ...]
    undone: tuple[str, ...]
    """The owner's corrections that a coach undid, in words."""
    after_release: bool
    """Whether a coach has replied, so that the cards no longer follow."""
    menu: WordMenu | None = None
    said: str = ""
    """What the last correction changed, for screen readers too."""
    problem: str = ""


def transcript_page(
    rehearsal: Rehearsal,
    run: Run,
    feedback: Feedback,
    *,
    at: float | None = None,
    is_pause: bool = False,
    said: str = "",
    problem: str = "",
) -> TranscriptPage:
    """Return the page of the owner; with `at` the menu of the word or pause there is open."""
    corrections = corrections_for_reading(feedback)
    report = report_for_reading(run, feedback)
    sentences = transcript(report, corrections)
    word = None if at is None else _word_at(sentences, at, is_pause=is_pause)
    return TranscriptPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        player=player_of(rehearsal, report),
        sentences=sentences,
        transcript_note=transcript_note(report),
        corrections=tuple(_own(rehearsal, each) for each in corrections),
        undone=tuple(_undone(rehearsal)),
        after_release=feedback.is_released,
        menu=_menu(rehearsal, report, corrections, word) if word else None,
        said=said,
        problem=problem,
    )


def _word_at(
    sentences: Iterable[TranscriptLine], at: float, *, is_pause: bool
) -> TranscriptWord | None:
    words = (word for line in sentences for word in line.words)
    kinds = ("pause", "meant") if is_pause else _SPOKEN
    here = (word for word in words if word.kind in kinds and is_place_of(word.start, at))
    return next(here, None)


def _menu(
    rehearsal: Rehearsal,
    report: Report,
    corrections: Sequence[Correction],
    word: TranscriptWord,
) -> WordMenu:
    middle = (word.start + word.end) / 2
    is_pause = word.kind in ("pause", "meant")
    here = [
        each
        for each in corrections
        if each.start - 0.001 <= middle < each.end + 0.001
        and (each.kind == Correction.Kind.MEANT_PAUSE) == is_pause
    ]
    own = [each for each in here if each.made_as == Correction.Side.OWNER]
    coachs = [each for each in here if each.made_as == Correction.Side.COACH]
    is_added = any(each.kind == Correction.Kind.MISSED_FILLER for each in here)
    return WordMenu(
        rehearsal_id=str(rehearsal.pk),
        word=word,
        clips=(place_of(word.start, word.end),),
        is_pause=is_pause,
        can_replace=not (is_pause or is_added or coachs),
        strike=None if is_pause or own or coachs else _filler_at(report, middle),
        undo=tuple(_own(rehearsal, each) for each in own),
        by_coach=correction_words(coachs[0]).text if coachs else "",
    )


def _filler_at(report: Report, seconds: float) -> Event | None:
    events = (event for kind in OWN_STRIKES for event in report.events_of(kind))
    return next((event for event in events if event.start <= seconds < event.end), None)


def _own(rehearsal: Rehearsal, correction: Correction) -> OwnCorrection:
    is_own = correction.made_as == Correction.Side.OWNER
    url = reverse("feedback:undo_correction", args=[rehearsal.pk, correction.pk])
    return OwnCorrection(read=correction_words(correction), undo_url=url if is_own else "")


def _undone(rehearsal: Rehearsal) -> Iterable[str]:
    """Yield the owner's corrections that a coach undid, if nothing replaced them since."""
    undone = Correction.objects.filter(
        feedback__rehearsal=rehearsal,
        feedback__state=Feedback.State.RELEASED,
        made_as=Correction.Side.OWNER,
        undone_as=Correction.Side.COACH,
    )
    for each in undone:
        yield correction_words(each).text


def recalculated_words(
    feedback: Feedback | None, corrections: Sequence[Correction], *, withdrawn: int, is_owner: bool
) -> str:
    """Return that the report follows the owner's corrections; empty if there are none.

    `withdrawn`: the number of cards that no longer apply.
    """
    own = [each.made_at for each in corrections if each.made_as == Correction.Side.OWNER]
    if feedback is None or not own:
        return ""
    values = {"date": date_words(max(own))}
    if feedback.released_at is not None and max(own) > feedback.released_at:
        if is_owner:
            return (
                _(
                    "You corrected the transcript on %(date)s, after your coach replied. The "
                    "measures were recalculated; the cards are as your coach left them."
                )
                % values
            )
        return (
            _(
                "The speaker corrected the transcript on %(date)s, after the coach replied. The "
                "measures were recalculated; the cards are as the coach left them."
            )
            % values
        )
    words = (
        _("This report was recalculated after your corrections on %(date)s.")
        if is_owner
        else _("This report was recalculated after the speaker’s corrections on %(date)s.")
    ) % values
    if not withdrawn:
        return words
    gone = ngettext(
        "%(count)s card no longer applies and is not shown.",
        "%(count)s cards no longer apply and are not shown.",
        withdrawn,
    ) % {"count": withdrawn}
    return f"{words} {gone}"

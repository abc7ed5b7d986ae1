"""Content of a self-assessment, with the cards and coaches that agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from coach.feedback.items import StandingItem
from coach.feedback.models import TimedNote
from coach.feedback.pages.cards import ClipLink
from coach.lib.words.clock import clock
from coach.practice.models import OwnMoment, SelfAssessment
from coach.practice.self_assessment.agreement import How, Meeting, Who, meetings
from coach.rehearsals.models import Goal

_CLIP_SECONDS = 6.0

_WORDS: dict[tuple[Who, How], str | Promise] = {
    ("machine", "same"): _("a card says the same here"),
    ("machine", "whole"): _("a card says the same of the whole talk"),
    ("machine", "other"): _("a card sees it the other way"),
    ("coach", "same"): _("your coach says the same here"),
    ("coach", "whole"): _("your coach says the same of the whole talk"),
    ("coach", "other"): _("your coach sees it the other way"),
}
_RANK: tuple[How, ...] = ("same", "whole", "other")
_BOTH: tuple[Who, ...] = ("machine", "coach")
_ALONE = _("only you marked this")


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidMoment:
    """A moment with its topic and who agrees with it."""

    clip: ClipLink
    tone: str
    quality: str
    word: str
    met: tuple[str, ...]
    """In words; empty where nothing has been compared yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidOfSelf:
    """The whole self-assessment; empty if it was skipped."""

    went_well: str
    would_change: str
    closeness: str
    moments: tuple[SaidMoment, ...]
    coach_may_read: bool
    share_url: str = ""
    """Where its owner lets a coach read it or no longer; empty for everybody else."""


def said_of_self(
    assessment: SelfAssessment,
    items: Sequence[StandingItem] | None,
    notes: Sequence[TimedNote] = (),
    *,
    share_url: str = "",
) -> SaidOfSelf:
    """Return the content of a self-assessment.

    `items` are the cards to compare with; None if there are none.
    """
    length = assessment.rehearsal.duration or 0.0
    said = assessment.closeness
    return SaidOfSelf(
        went_well=assessment.went_well,
        would_change=assessment.would_change,
        closeness=str(SelfAssessment.Closeness(said).label) if said else "",
        moments=tuple(_moment(each, length, items, notes) for each in assessment.moments.all()),
        coach_may_read=assessment.coach_may_read,
        share_url=share_url,
    )


def _moment(
    moment: OwnMoment,
    length: float,
    items: Sequence[StandingItem] | None,
    notes: Sequence[TimedNote],
) -> SaidMoment:
    end = min(moment.at_seconds + _CLIP_SECONDS, max(length, moment.at_seconds + 1.0))
    met = () if items is None else _met_words(meetings(moment, items, notes))
    return SaidMoment(
        clip=ClipLink(start=moment.at_seconds, end=end, label=clock(moment.at_seconds)),
        tone=moment.get_tone_display(),
        quality=str(Goal(moment.quality).label),
        word=moment.word,
        met=met,
    )


def _met_words(met: Iterable[Meeting]) -> tuple[str, ...]:
    """Return the closest agreement of each side in words; an agreeing card hides a
    differing one.
    """
    nearest: dict[Who, How] = {}
    for each in sorted(met, key=lambda meeting: _RANK.index(meeting.how)):
        nearest.setdefault(each.who, each.how)
    words = tuple(str(_WORDS[who, nearest[who]]) for who in _BOTH if who in nearest)
    return words or (str(_ALONE),)

"""Content of the page with two takes side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.results import Report
from coach.accounts.models import User
from coach.feedback.corrected_reports import report_read_by
from coach.feedback.items import items_for_reading
from coach.feedback.pages.about_take import Player, player_of
from coach.feedback.pages.plain_facts import PlainFact, plain_facts
from coach.feedback.pages.then_and_now import then_and_now_words
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.selectors import (
    feedback_for_owner,
    held_back_among,
    newest_report_runs,
    released_by_now,
)
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.measure_words import label_of
from coach.practice.preferences import reads_words_first
from coach.practice.side_by_side.alignment import matched_sentences
from coach.practice.side_by_side.selectors import comparable_takes_for
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for

MOST_TAKES = 40
"""The number of newest takes of a talk among which to choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One of the two takes."""

    id: str
    when: str
    url: str
    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPair:
    """One plain fact of both takes."""

    label: str
    values: tuple[str, str]
    """In the first and the second take; empty where it was not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence with its place in the recording."""

    text: str
    start: float
    end: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidPair:
    """A sentence in both takes; None where it was not said."""

    first: Said | None
    second: Said | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What a released card said about the first take, and its measure in both."""

    kind: str
    claim: str
    suggestion: str
    measure: str
    """The name of the measure; empty if the card has none."""
    moved: str
    """The measure then and now, in words; empty if one take lacks it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySidePage:
    """Two takes of a talk; without columns if there is only one that the reader may open."""

    title: str
    choices: tuple[tuple[str, str], ...]
    """The ids of the talk's takes, newest first, with their dates."""
    columns: tuple[Column, ...] = ()
    facts: tuple[FactPair, ...] = ()
    advised: tuple[Advice, ...] = ()
    """The cards that were released for the first take."""
    sentences: tuple[SaidPair, ...] = ()
    words_first: bool = False
    again_url: str = ""


def side_by_side(reader: User, one: Rehearsal, other: Rehearsal | None) -> SideBySidePage:
    """Return the page for two takes of one talk; `other` is the nearest if None."""
    choices = takes_beside(reader, one)
    second = other or _nearest(one, choices)
    named = _names(reader, choices)
    words = tuple((str(each.pk), named[each.pk]) for each in choices)
    again = f"{reverse('feedback:record')}?again={one.pk}" if one.owner_id == reader.pk else ""
    if second is None:
        return SideBySidePage(title=one.title, choices=words, again_url=again)
    takes = sorted((one, second), key=lambda each: each.created_at)
    runs = newest_report_runs(takes)
    reports = [report_read_by(reader, take, runs[take.pk]) for take in takes]
    return SideBySidePage(
        title=one.title,
        choices=words,
        columns=tuple(
            _column(take, report, named[take.pk])
            for take, report in zip(takes, reports, strict=True)
        ),
        facts=_facts(*map(plain_facts, reports)),
        advised=_advised((takes[0], reports[0]), (takes[1], reports[1])),
        sentences=_sentences(*map(transcript, reports)),
        words_first=reader.pk == one.owner_id and reads_words_first(reader),
    )


def takes_beside(reader: User, take: Rehearsal) -> list[Rehearsal]:
    """Return the takes of the same talk that the reader may compare, newest first.

    What a coach reads first stays closed to its owner here, too.
    """
    same = comparable_takes_for(reader).filter(talk=take.talk_id).order_by("-created_at")
    takes = list(same[:MOST_TAKES])
    own = [each for each in takes if each.owner_id == reader.pk]
    held = held_back_among(own) if own else set()
    return [each for each in takes if each.pk not in held]


def _nearest(take: Rehearsal, choices: Sequence[Rehearsal]) -> Rehearsal | None:
    """Return the take before this one, else the one after it."""
    earlier = [each for each in choices if each.created_at < take.created_at]
    later = [each for each in choices if each.created_at > take.created_at]
    return next(iter([*earlier, *reversed(later)]), None)


def _names(reader: User, takes: Sequence[Rehearsal]) -> dict[UUID, str]:
    """Return the dates of takes; for their owner with their numbers in the talk.

    A number would tell a coach how many takes were kept private.
    """
    talks = {take.talk_id for take in takes}
    own = own_rehearsals_for(reader).filter(talk__in=talks).order_by("created_at")
    numbers = {key: number for number, key in enumerate(own.values_list("pk", flat=True), start=1)}
    dated = {take.pk: date_words(take.created_at) for take in takes}
    return {
        key: f"{_('Take %(number)s') % {'number': numbers[key]}} · {when}"
        if key in numbers
        else when
        for key, when in dated.items()
    }


def _column(take: Rehearsal, report: Report, name: str) -> Column:
    return Column(
        id=str(take.pk),
        when=name,
        url=reverse("feedback:report", args=[take.pk]),
        player=player_of(take, report),
    )


def _facts(first: Sequence[PlainFact], second: Sequence[PlainFact]) -> tuple[FactPair, ...]:
    """Return the facts of both by their names; one that was turned off in one take is left out."""
    others = {fact.label: fact.value for fact in second}
    return tuple(
        FactPair(label=fact.label, values=(fact.value, others[fact.label]))
        for fact in first
        if fact.label in others
    )


def _advised(then: tuple[Rehearsal, Report], now: tuple[Rehearsal, Report]) -> tuple[Advice, ...]:
    """Return the released cards of the first take with what moved since."""
    if not released_by_now().filter(rehearsal=then[0]).exists():
        return ()
    feedback = feedback_for_owner(then[0])
    items = items_for_reading(feedback) if feedback else []
    return tuple(
        Advice(
            kind=_("Keep") if each.item.tone == "strength" else _("Something to work on"),
            claim=each.card.claim,
            suggestion=each.card.suggestion,
            measure=label_of(each.card.metric) if each.card.metric else "",
            moved=then_and_now_words(each.card.metric, then, now) if each.card.metric else "",
        )
        for each in items
    )


def _sentences(
    first: Sequence[TranscriptLine], second: Sequence[TranscriptLine]
) -> tuple[SaidPair, ...]:
    one, other = _said(first), _said(second)
    pairs = matched_sentences([each.text for each in one], [each.text for each in other])
    return tuple(
        SaidPair(
            first=None if pair.first is None else one[pair.first],
            second=None if pair.second is None else other[pair.second],
        )
        for pair in pairs
    )


def _said(lines: Sequence[TranscriptLine]) -> list[Said]:
    """Return the sentences with their words only."""
    spoken = (
        [word for word in line.words if word.kind not in {"pause", "missing"}] for line in lines
    )
    return [
        Said(
            text=" ".join(word.text for word in words),
            start=words[0].start,
            end=words[-1].end,
            label=clock(words[0].start),
        )
        for words in spoken
        if words
    ]

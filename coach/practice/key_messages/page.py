"""Content of the key messages on a report and on the review page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.results import Report
from coach.feedback.pages.cards import ClipLink
from coach.lib.words.clock import clock
from coach.practice.key_messages.matching import (
    NearSentences,
    SpokenSentence,
    sentences_near,
    spoken_sentences,
)
from coach.practice.key_messages.selectors import messages_of, verdicts_on
from coach.practice.models import KeyMessage, KeyMessageVerdict
from coach.rehearsals.models import Rehearsal

_FIFTH = 0.2
"""The share of a talk that counts as its beginning or its end (rule of thumb)."""
_EXERCISE = "last_sentence"
"""The exercise offered for a message that was left out."""
_SLACK_SECONDS = 0.05
"""Tolerance for the start of a sentence, which is stored rounded."""

State = Literal["open", "said", "left_out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageMoment:
    """A sentence that says a message, or may say it."""

    clip: ClipLink
    quote: str
    part: str
    """The part of the talk in words: first fifth, last fifth or between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMessageRow:
    """One message in one take."""

    id: str
    text: str
    state: State
    words: str
    said: tuple[MessageMoment, ...]
    """The sentences that the speaker confirmed."""
    asked: MessageMoment | None
    """The nearest sentence that the speaker has not decided on."""
    is_found: bool
    """Whether that sentence shares enough words to count as found."""
    compared: str
    """Result of the comparison of words, for the card about a message that was left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMessagesPart:
    """All messages of a take's talk; the URLs are empty except for the owner."""

    rows: tuple[KeyMessageRow, ...]
    answer_url: str = ""
    change_url: str = ""
    exercise_url: str = ""


def key_messages_part(take: Rehearsal, report: Report, *, is_owner: bool) -> KeyMessagesPart | None:
    """Return the messages with where they were said; None if the talk has none."""
    messages = messages_of(take)
    if not messages:
        return None
    sentences = _measured(take, spoken_sentences(report))
    verdicts = verdicts_on(take)
    language = report.language.code
    rows = (
        _row(
            message,
            [each for each in verdicts if each.message_id == message.pk],
            sentences_near(message.text, sentences, language),
            _Place(take, report, sentences),
        )
        for message in messages
    )
    urls = {
        "answer_url": reverse("practice:decide_key_message", args=[take.pk]),
        "change_url": reverse("practice:key_messages", args=[take.pk]),
        "exercise_url": reverse("practice:exercise", args=[_EXERCISE]),
    }
    return KeyMessagesPart(rows=tuple(rows), **(urls if is_owner else {}))


def _measured(take: Rehearsal, sentences: Sequence[SpokenSentence]) -> tuple[SpokenSentence, ...]:
    """Return the sentences in the part that the speaker marked as theirs."""
    parts = take.own_parts
    if not parts:
        return tuple(sentences)
    return tuple(
        each for each in sentences if any(start <= each.start < end for start, end in parts)
    )


class _Place:
    """The part of a talk in which a time lies, and the sentence at a time."""

    def __init__(
        self, take: Rehearsal, report: Report, sentences: Sequence[SpokenSentence]
    ) -> None:
        parts = take.own_parts or [(0.0, report.media.duration)]
        self._start, self._end = parts[0][0], parts[-1][1]
        self._sentences = sentences

    def moment(self, sentence: SpokenSentence) -> MessageMoment:
        """Return a sentence as it is shown."""
        clip = ClipLink(start=sentence.start, end=sentence.end, label=clock(sentence.start))
        return MessageMoment(clip=clip, quote=sentence.text, part=self._part(sentence.start))

    def at(self, seconds: float, near: NearSentences) -> SpokenSentence | None:
        """Return the sentence that begins at a time, or None if it is not there any more."""
        for each in (*near.nearest, *self._sentences):
            if abs(each.start - seconds) <= _SLACK_SECONDS:
                return each
        return None

    def _part(self, seconds: float) -> str:
        share = (seconds - self._start) / max(self._end - self._start, 0.1)
        if share < _FIFTH:
            return _("in the first fifth")
        return _("in the last fifth") if share >= 1 - _FIFTH else _("in the middle")


def _row(
    message: KeyMessage,
    verdicts: Sequence[KeyMessageVerdict],
    near: NearSentences,
    place: _Place,
) -> KeyMessageRow:
    times = [each.at_seconds for each in verdicts if each.is_it and each.at_seconds is not None]
    said = [each for at in times if (each := place.at(at, near)) is not None]
    decided = [each.at_seconds for each in verdicts if each.at_seconds is not None]
    whole = [each for each in verdicts if each.at_seconds is None]
    found = [each for each in near.nearest[: near.found] if not _is_in(each, decided)]
    # Once one is confirmed, only sentences that share enough words are asked about.
    others = [] if said else [each for each in near.nearest if not _is_in(each, decided)]
    offered = [] if whole else found or others
    state: State = "open"
    if whole:
        state = "said" if whole[0].is_it else "left_out"
    elif said:
        state = "said"
    return KeyMessageRow(
        id=str(message.pk),
        text=message.text,
        state=state,
        words=_words(state, said=len(said), found=len(found)),
        said=tuple(map(place.moment, said)),
        asked=place.moment(offered[0]) if offered else None,
        is_found=bool(found),
        compared=_compared_words(near.found),
    )


def _is_in(sentence: SpokenSentence, times: Sequence[float]) -> bool:
    return any(abs(sentence.start - at) <= _SLACK_SECONDS for at in times)


def _words(state: State, *, said: int, found: int) -> str:
    if state == "left_out":
        return _("You left it out of this take.")
    if state == "said" and not said:
        return _("You said it in other words.")
    if state == "said":
        return ngettext("Said once.", "Said %(n)s times.", said) % {"n": said}
    if not found:
        return _("Not found in the transcript.")
    words = ngettext("Found once, by its words.", "Found %(n)s times, by its words.", found)
    return words % {"n": found}


def _compared_words(found: int) -> str:
    if not found:
        return _(
            "We compared its words with the whole talk and found no sentence with most of them."
        )
    return ngettext(
        "We found one sentence with most of its words. You said that it is not the message.",
        "We found %(n)s sentences with most of its words. You said that none is the message.",
        found,
    ) % {"n": found}

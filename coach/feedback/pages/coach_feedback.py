"""A coach's feedback next to the cards: comment, changes between versions, notes, corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from coach.feedback.items import StandingItem, shown, standing_items
from coach.feedback.models import Correction, Feedback, TimedNote
from coach.feedback.pages.cards import ClipLink
from coach.feedback.pages.timeline import Lane, LaneMark, lane_mark
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import Goal


@dataclass(frozen=True, slots=True, kw_only=True)
class WordingChange:
    """A change between two versions; an empty text marks an addition or removal."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FromCoach:
    """The coach's comment above the cards, and what a correction changed."""

    word: str
    by: str
    corrected: str
    """The author and time of a correction in words; empty without one."""
    changes: tuple[WordingChange, ...]
    retracted: str
    """The author and reason of a retraction in words; empty without one."""


def from_coach(feedback: Feedback | None, retracted: Feedback | None) -> FromCoach | None:
    """Return the coach's part of a report, or None if there is none.

    `retracted` is the newest version that was retracted.
    """
    is_answered = feedback is not None and feedback.is_released
    gone = "" if retracted is None or is_answered else _retracted_words(retracted)
    if feedback is None or not is_answered:
        return FromCoach(word="", by="", corrected="", changes=(), retracted=gone) if gone else None
    former = feedback.corrects
    return FromCoach(
        word=feedback.word,
        by=name_words(feedback.released_by_name),
        corrected=_corrected_words(feedback) if former else "",
        changes=tuple(changes_between(former, feedback)) if former else (),
        retracted="",
    )


def _corrected_words(feedback: Feedback) -> str:
    if feedback.released_at is None:
        return ""
    return _("%(name)s corrected this feedback on %(date)s.") % {
        "name": name_words(feedback.released_by_name),
        "date": date_words(feedback.released_at),
    }


def _retracted_words(feedback: Feedback) -> str:
    if feedback.retracted_at is None:
        return ""
    return _("%(name)s retracted the feedback on %(date)s: “%(why)s”") % {
        "name": name_words(feedback.released_by_name),
        "date": date_words(feedback.retracted_at),
        "why": within_quotes(feedback.retracted_why),
    }


def changes_between(former: Feedback, now: Feedback) -> Iterator[WordingChange]:
    """Yield the changes since the previous version, in reading order."""
    if former.word != now.word:
        yield WordingChange(label=_("The coach’s comment"), before=former.word, after=now.word)
    before = {each.item.pk: each for each in shown(standing_items(former))}
    stay: list[tuple[StandingItem, StandingItem]] = []
    for each in shown(standing_items(now)):
        old = before.get(each.item.former_id) if each.item.former_id else None
        if old is None:
            yield WordingChange(label=_("New card"), before="", after=_words(each))
        else:
            stay.append((old, each))
            yield from _item_changes(old, each)
    kept = [old.item.pk for old, _each in stay]
    for gone in before.values():
        if gone.item.pk not in kept:
            yield WordingChange(label=_("Removed"), before=_words(gone), after="")
    if kept != [key for key in before if key in kept]:
        claims = " · ".join(each.card.claim for _old, each in stay)
        yield WordingChange(label=_("New order"), before="", after=claims)
    yield from _note_changes(former, now)


def _item_changes(old: StandingItem, now: StandingItem) -> Iterator[WordingChange]:
    claim = within_quotes(now.card.claim)
    if old.card.claim != now.card.claim:
        yield WordingChange(label=_("In different words"), before=_words(old), after=_words(now))
    elif old.card.suggestion != now.card.suggestion:
        yield WordingChange(
            label=_("New advice for “%(claim)s”") % {"claim": claim},
            before=old.card.suggestion,
            after=now.card.suggestion,
        )
    if _moments(old) != _moments(now):
        yield WordingChange(
            label=_("New moments for “%(claim)s”") % {"claim": claim},
            before=_moments(old),
            after=_moments(now),
        )


def _moments(each: StandingItem) -> str:
    return ", ".join(f"{clock(clip.start)}–{clock(clip.end)}" for clip in each.card.clips)


def _note_changes(former: Feedback, now: Feedback) -> Iterator[WordingChange]:
    old, new = (
        {note.text for note in each.notes.filter(removed_at=None)} for each in (former, now)
    )
    for text in sorted(new - old):
        yield WordingChange(label=_("New note"), before="", after=text)
    for text in sorted(old - new):
        yield WordingChange(label=_("Removed"), before=text, after="")


def _words(each: StandingItem) -> str:
    return " ".join(part for part in (each.card.claim, each.card.suggestion) if part)


BEFORE_SECONDS, AFTER_SECONDS = 1.0, 5.0
"""The seconds to play before and after a note at a moment: six in total, as in a coach's clip (rule
of thumb)."""
_LABEL_CHARACTERS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNote:
    """A coach's note at a time of the recording."""

    id: str
    clips: tuple[ClipLink, ...]
    text: str
    tag: str
    """The quality of the note in words; empty if none was chosen."""
    author: str


def note_words(note: TimedNote) -> ReadNote:
    """Return a note for its reader."""
    return ReadNote(
        id=str(note.pk),
        clips=(_clip(note),),
        text=note.text,
        tag=str(Goal(note.tag).label) if note.tag in Goal.values else "",
        author=name_words(note.author_name),
    )


def read_notes(notes: Sequence[TimedNote]) -> tuple[ReadNote, ...]:
    """Return all notes by time in the recording."""
    return tuple(note_words(note) for note in notes)


def notes_lane(notes: Sequence[TimedNote], duration: float) -> tuple[Lane, ...]:
    """Return a lane with a mark for each note; no lane if there is no note."""
    if not notes:
        return ()
    count = ngettext("%(count)s note.", "%(count)s notes.", len(notes)) % {"count": len(notes)}
    return (
        Lane(
            label=_("Notes"),
            kind="marks",
            summary=count,
            marks=tuple(_mark(note, duration) for note in notes),
        ),
    )


def _clip(note: TimedNote) -> ClipLink:
    if note.end is not None:
        label = f"{clock(note.start)}–{clock(note.end)}"
        return ClipLink(start=note.start, end=note.end, label=label)
    start = max(note.start - BEFORE_SECONDS, 0.0)
    return ClipLink(start=start, end=note.start + AFTER_SECONDS, label=clock(note.start))


def _mark(note: TimedNote, duration: float) -> LaneMark:
    end = note.start if note.end is None else note.end
    words = note.text
    if len(words) > _LABEL_CHARACTERS:
        words = f"{words[:_LABEL_CHARACTERS].rstrip()}…"
    label = _("%(what)s at %(time)s") % {"what": words, "time": clock(note.start)}
    return lane_mark(note.start, end, duration, label=label)


_AROUND_SECONDS = 1.0
"""The seconds to play around a place, for its context (rule of thumb)."""


_MARKED: dict[str, str | Promise] = {
    Correction.Kind.MISSED_FILLER: gettext_lazy("“%(after)s” was said here and not detected"),
    Correction.Kind.MEANT_PAUSE: gettext_lazy("this pause was meant"),
}
_STRUCK: dict[str, str | Promise] = {
    "filled_pause": gettext_lazy("“%(what)s” is not an um"),
    "filler_word": gettext_lazy("“%(what)s” means something here and is not a filler"),
    "look_away": gettext_lazy("not a look away: facing the camera"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCorrection:
    """A correction in words, with its place."""

    clips: tuple[ClipLink, ...]
    text: str
    author: str


def correction_words(correction: Correction) -> ReadCorrection:
    """Return a correction for its reader."""
    return ReadCorrection(
        clips=(place_of(correction.start, correction.end),),
        text=_text(correction),
        author=_by(correction),
    )


def _by(correction: Correction) -> str:
    """Return who corrected; the owner of the take is marked as such."""
    name = name_words(correction.made_by_name)
    if correction.made_as == Correction.Side.OWNER:
        return _("%(name)s, the speaker") % {"name": name}
    return name


def read_corrections(corrections: Sequence[Correction]) -> tuple[ReadCorrection, ...]:
    """Return all corrections by time in the recording."""
    return tuple(correction_words(each) for each in corrections)


def place_of(start: float, end: float) -> ClipLink:
    """Return a playable moment with a second around the place."""
    return ClipLink(
        start=max(start - _AROUND_SECONDS, 0.0), end=end + _AROUND_SECONDS, label=clock(start)
    )


def _text(correction: Correction) -> str:
    if correction.kind in _MARKED:
        return str(_MARKED[correction.kind]) % {"after": within_quotes(correction.after)}
    if correction.kind != Correction.Kind.WORD:
        return str(_STRUCK[correction.event]) % {"what": within_quotes(correction.before)}
    if not correction.after:
        return _("“%(before)s” was not said") % {"before": within_quotes(correction.before)}
    return _("“%(after)s”, read as “%(before)s”") % {
        "after": within_quotes(correction.after),
        "before": within_quotes(correction.before),
    }

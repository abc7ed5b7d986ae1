"""A coach's time-coded notes as people read them, and their lane on the timeline."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.feedback.models import TimedNote
from coach.feedback.pages.values import ClipLink, Lane, LaneMark, ReadNote
from coach.lib.words.clock import clock
from coach.lib.words.placeholder_names import name_words
from coach.rehearsals.models import Goal

BEFORE_SECONDS, AFTER_SECONDS = 1.0, 5.0
"""A note at a moment plays from a little before it for six seconds, as a coach's clip does
(rule of thumb)."""
_LABEL_CHARACTERS = 60


def note_words(note: TimedNote) -> ReadNote:
    """A note as it is read."""
    return ReadNote(
        clips=(_clip(note),),
        text=note.text,
        tag=str(Goal(note.tag).label) if note.tag in Goal.values else "",
        author=name_words(note.author_name),
    )


def read_notes(notes: Sequence[TimedNote]) -> tuple[ReadNote, ...]:
    """All of them, in the order of the recording."""
    return tuple(note_words(note) for note in notes)


def notes_lane(notes: Sequence[TimedNote], duration: float) -> tuple[Lane, ...]:
    """A lane with a mark for each note; none where there is no note."""
    if not notes:
        return ()
    total = duration or 1.0
    count = ngettext("%(count)s note.", "%(count)s notes.", len(notes)) % {"count": len(notes)}
    return (
        Lane(
            label=_("Notes"),
            kind="marks",
            summary=count,
            marks=tuple(_mark(note, total) for note in notes),
        ),
    )


def _clip(note: TimedNote) -> ClipLink:
    if note.end is not None:
        label = f"{clock(note.start)}–{clock(note.end)}"
        return ClipLink(start=note.start, end=note.end, label=label)
    start = max(note.start - BEFORE_SECONDS, 0.0)
    return ClipLink(start=start, end=note.start + AFTER_SECONDS, label=clock(note.start))


def _mark(note: TimedNote, total: float) -> LaneMark:
    end = note.start if note.end is None else note.end
    words = note.text
    if len(words) > _LABEL_CHARACTERS:
        words = f"{words[:_LABEL_CHARACTERS].rstrip()}…"
    return LaneMark(
        start=note.start,
        end=end,
        left=round(100 * note.start / total, 2),
        width=round(max(100 * (end - note.start) / total, 0.3), 2),
        label=_("%(what)s at %(time)s") % {"what": words, "time": clock(note.start)},
    )

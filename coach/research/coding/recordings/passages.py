"""Passages of one voice: proposed at pauses, then corrected by a person.

There is no speaker diarisation: a passage ends where the voice may change, and a person assigns
each to a voice.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from hashlib import sha256
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from analysis.ports import Span
from analysis.results import Word
from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.coding.models import Passage, Recording, Voice

Spoken = tuple[str, int, int, int]
"""Text, start and end in milliseconds, how sure the reader was of it (0 to 100)."""

UNSURE: Final = 50
"""A word of which the reader was less sure is marked (rule of thumb)."""
UNREAD: Final = "[?]"
"""In place of words where somebody speaks and none was read."""
BY_HAND: Final = 100
MOST_CHARACTERS: Final = 20_000
"""Of one passage: far more than anybody says at a stretch (rule of thumb)."""
_PAUSE_SECONDS: Final = 0.8
_SENTENCE_PAUSE_SECONDS: Final = 0.25
_LONG_SECONDS: Final = 20.0
_LONG_PAUSE_SECONDS: Final = 0.35
"""Where a voice may change (rules of thumb): after a pause, a shorter one where a sentence ends,
at once after a question, and earlier within a stretch that goes on for long. One too many costs a
key, one too few has to be split."""
_CLOSING = "\"'”’»)]"


def propose(words: Sequence[Word], unread: Sequence[Span] = ()) -> list[list[Spoken]]:
    """Return the passages of one voice, as far as pauses show, and those without recognised
    words.
    """
    found: list[list[Word]] = []
    for word in words:
        if not found or _may_change(found[-1], word):
            found.append([])
        found[-1].append(word)
    read = [[_spoken(word) for word in stretch] for stretch in found]
    missed = [[(UNREAD, round(start * 1000), round(end * 1000), 0)] for start, end in unread]
    return sorted(read + missed, key=lambda stretch: stretch[0][1])


def _may_change(before: Sequence[Word], word: Word) -> bool:
    last = before[-1]
    gap = word.start - last.end
    said = last.text.rstrip(_CLOSING)
    if said.endswith(("?", "？", "؟")):
        return True
    if said.endswith((".", "!", "…", "。", "！")) and gap >= _SENTENCE_PAUSE_SECONDS:
        return True
    is_long = last.end - before[0].start >= _LONG_SECONDS
    return gap >= (_LONG_PAUSE_SECONDS if is_long else _PAUSE_SECONDS)


def _spoken(word: Word) -> Spoken:
    sure = round(word.probability * 100)
    return (word.text, round(word.start * 1000), round(word.end * 1000), sure)


def lay_out(recording: Recording, stretches: Sequence[Sequence[Spoken]]) -> None:
    """Replace all passages of a recording."""
    recording.passages.all().delete()
    Passage.objects.bulk_create(
        [_row(recording, place, words) for place, words in enumerate(stretches, start=1) if words],
        batch_size=500,
    )


def _row(
    recording: Recording, position: int, words: Sequence[Spoken], voice: Voice | None = None
) -> Passage:
    return Passage(
        recording=recording,
        position=position,
        start_ms=words[0][1],
        end_ms=words[-1][2],
        words=[list(word) for word in words],
        voice=voice,
    )


def text_of(passage: Passage) -> str:
    """Return the words on one line."""
    return " ".join(word[0] for word in passage.words)


def mark_of(passage: Passage) -> str:
    """Return a digest of the passage, to detect changes since the page was rendered."""
    seen = f"{passage.start_ms} {passage.end_ms} {text_of(passage)}"
    return sha256(seen.encode()).hexdigest()[:16]


class PassageChanged(ValidationError):
    """A passage changed by another person in the meantime; nothing was saved."""

    def __init__(self) -> None:
        super().__init__(_("Someone has just changed this passage, so your change was not saved."))


@transaction.atomic
def assign(*, passage: Passage, voice: Voice | None) -> Passage:
    """Assign a passage to a voice, or to none. Raises ValidationError."""
    _recording, now = _held(passage)
    now.voice = voice
    now.save(update_fields=["voice"])
    return now


@transaction.atomic
def join_to_the_one_before(*, passage: Passage) -> Passage:
    """Merge a passage into the previous one, under a lock. Raises ValidationError.

    The previous passage's voice wins if it is set. The current words are used, so concurrent
    changes are not lost.
    """
    recording, now = _held(passage)
    before = recording.passages.filter(position__lt=now.position).last()
    if before is None:
        raise ValidationError(_("There is no passage before this one."))
    before.words = [*before.words, *now.words]
    before.end_ms = max(before.end_ms, now.end_ms)
    before.voice = before.voice or now.voice
    before.save(update_fields=["words", "end_ms", "voice"])
    now.delete()
    return before


@transaction.atomic
def rewrite(*, passage: Passage, text: str, seen: str) -> None:
    """Replace the words of a passage; a new line splits it, and an empty text deletes it.

    Unchanged words keep their times and confidence; new ones share the time of those they replace.
    `seen` is the digest of the words on the page. Raises ValidationError.
    """
    lines = [line.split() for line in _tidied(text).splitlines() if line.split()]
    texts = [word for line in lines for word in line]
    # Compared before taking the lock, so with the words as they were on the page.
    words = realigned([tuple(word) for word in passage.words], texts)
    recording, now = _held(passage)
    if not seen == mark_of(now) == mark_of(passage):
        raise PassageChanged
    recording.passages.filter(position__gt=now.position).update(
        position=F("position") + len(lines) - 1
    )
    stretches, at = [], 0
    for place, line in enumerate(lines):
        part = words[at : at + len(line)]
        at += len(line)
        stretches.append(_row(recording, now.position + place, part, now.voice))
    now.delete()
    Passage.objects.bulk_create(stretches)


def _tidied(text: str) -> str:
    if len(text) > 2 * MOST_CHARACTERS or len(tidied := tidy(text)) > MOST_CHARACTERS:
        raise ValidationError(_("A passage can have up to 20,000 characters. Shorten it."))
    return tidied


def _held(passage: Passage) -> tuple[Recording, Passage]:
    """Lock the recording and return it with the current passage. Raises ValidationError if
    imported.
    """
    held = Recording.objects.select_for_update(of=("self",)).get(pk=passage.recording_id)
    if held.interview_id is not None:
        raise ValidationError(
            _("This recording has already been imported: edit the interview instead.")
        )
    now = held.passages.filter(pk=passage.pk).select_related("voice").first()
    if now is None:
        raise PassageChanged
    return held, now


def realigned(words: Sequence[Spoken], texts: Sequence[str]) -> list[Spoken]:
    """Return texts with times: those of equal words before, otherwise shared among the new ones."""
    matcher = SequenceMatcher(None, [word[0] for word in words], list(texts), autojunk=False)
    found: list[Spoken] = []
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            found += words[i1:i2]
        elif j1 < j2:
            found += _shared(texts[j1:j2], *_between(words, i1, i2))
    return found


def _between(words: Sequence[Spoken], first: int, last: int) -> tuple[int, int]:
    """Return the time of the replaced words, or of the gap for inserted ones."""
    if first < last:
        return words[first][1], words[last - 1][2]
    start = words[first - 1][2] if first else words[0][1]
    end = words[first][1] if first < len(words) else start
    return start, max(end, start)


def _shared(texts: Sequence[str], start: int, end: int) -> list[Spoken]:
    """Return the texts with evenly divided times, in order."""
    edges = [start + (end - start) * n // len(texts) for n in range(len(texts) + 1)]
    return [(text, edges[n], edges[n + 1], BY_HAND) for n, text in enumerate(texts)]

"""Sentences for the codes that the analysis and runs store, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as translate
from django.utils.translation import gettext_noop as _

from analysis.errors import AnalysisError
from analysis.results import Note
from analysis.sentences import SENTENCES, Reader, Sentence, in_words
from coach.lib.words.numbers import decimal, percent

OWN: Final[dict[str, Sentence]] = {
    "consent_withdrawn": Sentence(
        _("You withdrew your consent to analysis, so this was stopped."),
        hint=_("Your recording is kept. Uploading a new take gives consent again."),
    ),
    "consent_asked": Sentence(
        _("The new wording on analysis asks for more than you agreed to, so this was stopped."),
        hint=_("Your recording is kept. Answer on the privacy page, then analyse it again."),
    ),
    "failed_three_times": Sentence(
        _("Something on our side went wrong with this recording, three times."),
        hint=_("Your recording is kept. Try again later, or tell your administrator."),
    ),
    "disk_full": Sentence(
        _("The disk of this site was full while your recording was analysed."),
        hint=_("Your recording is kept. Try again once your administrator has made room."),
    ),
}
"""What runs say themselves; each says that the recording is kept."""


def sentence(note: Note) -> str:
    """Return the sentence of a note; empty for a code that this version does not know."""
    return _said(_sentence(note.code).text, note.values)


def hint(note: Note) -> str:
    """Return the advice of a note, if it is separate."""
    return _said(_sentence(note.code).hint, note.values)


def whole(note: Note) -> str:
    """Return the sentence and the advice of a note."""
    return " ".join(part for part in (sentence(note), hint(note)) if part)


def sentences(notes: Iterable[Note]) -> tuple[str, ...]:
    """Return the sentences of several notes, without empty ones."""
    return tuple(said for said in map(sentence, notes) if said)


def note_of(error: AnalysisError) -> Note:
    """Return the note that an error carries."""
    return Note.of(error.says, **error.values)


def stored(note: Note) -> dict[str, Any]:
    """Return a note as the database stores it."""
    return note.model_dump(mode="json")


def template_words(text: str, values: Mapping[str, float | int | str]) -> str:
    """Return a translated text with its values filled in."""
    return _said(text, values)


def _sentence(code: str) -> Sentence:
    return OWN.get(code) or SENTENCES.get(code) or Sentence("")


def _said(text: str, values: Mapping[str, float | int | str]) -> str:
    return in_words(text, values, Reader(translate, _written))


def _written(value: float, spec: str) -> str:
    """Return a number in the reader's format."""
    places = int(spec[1:-1]) if spec.startswith(".") else 0
    return percent(value, places) if spec.endswith("%") else decimal(value, places)

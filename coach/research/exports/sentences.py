"""Sentences for refused bundles and problems of imported projects: the place and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as translate
from django.utils.translation import gettext_noop as _

from coach.lib.words.numbers import grouped
from coach.lib.words.punctuation import within_quotes

_WORDS: Final[Mapping[str, str]] = {
    "known_name": _(
        "%(place)s: the name of someone in this study (%(what)s). Redact it, or "
        "allow the word if it is not a name."
    ),
    "still_named": _(
        "%(place)s: a word that you redacted as a name still occurs (%(what)s). Redact it "
        "there too."
    ),
    "e_mail": _("%(place)s: an email address (%(what)s). Redact it."),
    "phone": _("%(place)s: possibly a telephone number (%(what)s). Redact it."),
    "inner_state": _(
        "%(place)s: “%(what)s” describes a feeling, which cannot be inferred from a recording."
    ),
    "redaction_pending": _(
        "%(place)s: names may still be in this text. Finish its redaction first."
    ),
    "unnamed_voice": _("%(place)s: a speaker has no recorded consent. Choose the participant."),
    "not_covered": _("%(place)s: no consent covers this row (%(what)s)."),
    "agreement_needed": _(
        "%(place)s: some groups are so small that people could be recognised: "
        "%(what)s. Enter the data agreement with the recipient."
    ),
    "not_a_bundle": _("%(place)s: this is not a Rostrum bundle, or its checksums do not match."),
    "not_refi": _("%(place)s: this REFI-QDA project cannot be read, or has already been imported."),
    "no_codes": _("%(place)s: this file contains no codes."),
    "refi_source": _("%(place)s was called “%(what)s” in the file."),
    "refi_model": _(
        "%(place)s was called “%(what)s” in the file and is treated as a model: its "
        "codings do not count in agreement between people. If this is a person, "
        "change it on the page of the round."
    ),
    "refi_no_text": _("%(place)s: the text is missing from the file, so this interview is empty."),
    "refi_styled": _(
        "%(place)s: only a formatted document is available; check the positions of the codings."
    ),
    "refi_counted": _("%(place)s: positions were counted in %(what)s and have been converted."),
    "refi_without_code": _(
        "%(place)s: codings whose code is not in the file, not imported: %(what)s."
    ),
    "refi_outside": _("%(place)s: codings outside every text, not imported: %(what)s."),
    "refi_twice": _("%(place)s: duplicate codings, counted once: %(what)s."),
    "refi_widened": _("%(place)s: empty codings, extended to one character: %(what)s."),
    "refi_on_media": _(
        "%(place)s: codings of pictures, pages, audio or video, not imported: %(what)s."
    ),
    "refi_left_out": _("%(place)s: %(what)s in the file, not imported."),
    "refi_renamed": _("“%(place)s”: this code was called “%(what)s” in the file."),
    "refi_shortened": _("“%(place)s”: characters cut off at the end of the description: %(what)s."),
    "refi_colour": _("“%(place)s”: colour %(what)s was converted to six digits, or removed."),
    "disk_full": _(
        "The disk of this site is full. Nothing was exported or stored. Request the "
        "export again once your administrator has freed space."
    ),
    "disk_full_import": _(
        "The disk of this site is full. Import the file again once your "
        "administrator has freed space."
    ),
    "broken": _(
        "%(place)s: this is inconsistent with other data (%(what)s). Contact the "
        "administrator of this site."
    ),
}


_LEFT: Final[Mapping[str, str]] = {
    "not_consented": _("no consent recorded"),
    "withdrawn": _("consent withdrawn"),
    "redaction_pending": _("names may still be in it"),
    "left_out_by_hand": _("excluded by a researcher"),
    "round_open": _("the coding round is still open"),
}
_TABLES: Final[Mapping[str, str]] = {
    "interviews": _("interviews"),
    "participants": _("participants"),
    "rehearsals": _("takes"),
    "codings": _("codings"),
    "take_codings": _("codings of takes"),
    "rubric_scores": _("rubric scores"),
    "item_opinions": _("second opinions"),
}


_STAYED: Final = _("%(what)s left out: %(count)s – %(why)s")


def left_words(table: str, reason: str, count: int, labels: Sequence[str]) -> str:
    """Return what stayed behind and why, with the labels of interviews."""
    words = translate(_STAYED) % {
        "what": translate(_TABLES.get(table, table)),
        "count": grouped(count),
        "why": translate(_LEFT.get(reason, reason)),
    }
    return f"{words} ({', '.join(labels)})" if labels else words


_COUNTED: Final[Mapping[str, str]] = {
    "interviews": _("texts"),
    "characters": _("characters"),
    "codes": _("codes"),
    "codings": _("codings"),
    "coders": _("coders"),
    "memos": _("memos"),
}
_MOST_IN_SIGHT = 10
"""Number of shown problems of one kind; the others are folded (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCount:
    """Number of imported objects of a kind; for another tool's project also the number in
    its file.
    """

    what: str
    in_file: int | None
    here: int


def counted(counts: Mapping[str, int]) -> list[ImportCount]:
    """Return what was imported, in words; a bundle's tables keep their names."""
    if not any(f"{name}_in_file" in counts for name in _COUNTED):
        return [ImportCount(what=name, in_file=None, here=here) for name, here in counts.items()]
    return [
        ImportCount(
            what=translate(words),
            in_file=counts.get(f"{name}_in_file", 0),
            here=counts.get(name, 0),
        )
        for name, words in _COUNTED.items()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemGroup:
    """Problems of one kind as sentences: some shown, the others folded."""

    shown: list[str]
    folded: list[str]


def by_kind(problems: Iterable[Sequence[str]]) -> list[ProblemGroup]:
    """Return the problems as sentences, grouped by kind, rare kinds first."""
    kinds: dict[str, list[str]] = {}
    for problem in problems:
        kinds.setdefault(problem[0], []).append(problem_words(*problem))
    return [
        ProblemGroup(shown=each[:_MOST_IN_SIGHT], folded=each[_MOST_IN_SIGHT:])
        for each in sorted(kinds.values(), key=len)
    ]


def problem_words(code: str, place: str, what: str = "", _about: str = "") -> str:
    """Return a problem as a sentence."""
    sentence = _WORDS[code]
    given = {"place": place, "what": what}
    quoted = {
        name: within_quotes(words) for name, words in given.items() if f"“%({name})s" in sentence
    }
    return translate(sentence) % (given | quoted)

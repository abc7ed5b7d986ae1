"""Why a bundle was refused, or what came in of a project, in words: where, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as translate
from django.utils.translation import gettext_noop as _

from coach.lib.words.punctuation import within_quotes

_WORDS: Final[Mapping[str, str]] = {
    "known_name": _(
        "%(place)s: a name of somebody in this study (%(what)s). Redact it; if it is none, add "
        "the word to those that may stay."
    ),
    "e_mail": _("%(place)s: an e-mail address (%(what)s). Redact it."),
    "phone": _("%(place)s: what looks like a telephone number (%(what)s). Redact it."),
    "inner_state": _(
        "%(place)s: “%(what)s” says what somebody feels, which nobody infers from a recording."
    ),
    "redaction_pending": _("%(place)s: names may still be in it. Finish its redaction first."),
    "unnamed_voice": _("%(place)s: somebody speaks of whom no consent is known. Say who it is."),
    "not_covered": _("%(place)s: no consent covers this row (%(what)s)."),
    "agreement_needed": _(
        "%(place)s: people in groups so small that they might be recognised: %(what)s. Name the "
        "agreement under which the recipient gets the data."
    ),
    "not_a_bundle": _("%(place)s: this is no bundle of ours, or not as its hashes say."),
    "not_refi": _(
        "%(place)s: this is no REFI-QDA project that can be read, or it is here already."
    ),
    "no_codes": _("%(place)s: no codes were found in this file."),
    "refi_source": _("%(place)s was called “%(what)s” there."),
    "refi_model": _(
        "%(place)s was called “%(what)s” there and is taken for a model: what it coded counts in "
        "no agreement of people. If it is a person, say so on the page of the round."
    ),
    "refi_no_text": _("%(place)s: its text is not in the file, so it is empty here."),
    "refi_styled": _(
        "%(place)s: there is only a styled document; check that codings lie where they should."
    ),
    "refi_counted": _("%(place)s: its positions count by %(what)s; they were converted."),
    "refi_without_code": _(
        "%(place)s: codings that name no code of the file and are lost: %(what)s."
    ),
    "refi_outside": _("%(place)s: codings that lie in no text and are lost: %(what)s."),
    "refi_twice": _("%(place)s: codings that were there twice and count once: %(what)s."),
    "refi_widened": _("%(place)s: codings that covered nothing and cover a letter now: %(what)s."),
    "refi_on_media": _(
        "%(place)s: codings of pictures, pages, sound or film, which are not taken in: %(what)s."
    ),
    "refi_left_out": _("%(place)s: %(what)s in the file, not taken in."),
    "refi_renamed": _("“%(place)s”: the code was called “%(what)s” there."),
    "refi_shortened": _("“%(place)s”: characters that its description lost at its end: %(what)s."),
    "refi_colour": _("“%(place)s”: its colour %(what)s was made one of six digits, or left out."),
    "disk_full": _(
        "The disk of this site is full. Nothing left, and nothing of this export was kept. Ask for "
        "it again once your administrator has made room."
    ),
    "disk_full_import": _(
        "The disk of this site is full. Load the file again once your administrator has made room."
    ),
    "broken": _(
        "%(place)s: this does not fit with the rest (%(what)s). Tell whoever keeps the site."
    ),
}


_COUNTED: Final[Mapping[str, str]] = {
    "interviews": _("texts"),
    "characters": _("characters"),
    "codes": _("codes"),
    "codings": _("codings"),
    "coders": _("coders"),
    "memos": _("memos"),
}
_MOST_IN_SIGHT = 10
"""Problems of one kind; the others are folded (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How much there is here of what; of another tool's project also how much was in its file."""

    what: str
    in_file: int | None
    here: int


def counted(counts: Mapping[str, int]) -> list[Counted]:
    """What came in, in words; a table of a bundle is called as it is there."""
    if not any(f"{name}_in_file" in counts for name in _COUNTED):
        return [Counted(what=name, in_file=None, here=here) for name, here in counts.items()]
    return [
        Counted(
            what=translate(words),
            in_file=counts.get(f"{name}_in_file", 0),
            here=counts.get(name, 0),
        )
        for name, words in _COUNTED.items()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfOneKind:
    """Problems of one kind as sentences: some in sight, the others folded."""

    shown: list[str]
    folded: list[str]


def by_kind(problems: Iterable[Sequence[str]]) -> list[OfOneKind]:
    """Problems as sentences; what is said once stands first, what goes on and on last."""
    kinds: dict[str, list[str]] = {}
    for problem in problems:
        kinds.setdefault(problem[0], []).append(problem_words(*problem))
    return [
        OfOneKind(shown=each[:_MOST_IN_SIGHT], folded=each[_MOST_IN_SIGHT:])
        for each in sorted(kinds.values(), key=len)
    ]


def problem_words(code: str, place: str, what: str = "") -> str:
    """One problem as a sentence."""
    sentence = _WORDS[code]
    given = {"place": place, "what": what}
    quoted = {
        name: within_quotes(words) for name, words in given.items() if f"“%({name})s" in sentence
    }
    return translate(sentence) % (given | quoted)

"""Language data: fillers, hedges, clause words and more; one YAML file per language."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

from analysis.results import Word

_FOLDER = Path(__file__).parent
# libyaml, if PyYAML was built with it, reads a language in a tenth of the time.
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PUNCTUATION = "\"'“”‘’«».,;:!?…¿¡()[]{}-–—"


SignpostClass = Literal["order", "transition", "summary", "example"]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FillerWord(_Data):
    """Phrase that may be a filler, with the conditions under which it is one.

    `set_off` says on which side an edge is required: a comma, a pause, a filled pause or the end of
    a sentence; "inside" is both sides, but not at the opening of a sentence. With `edges: words`
    the next word may be the edge, if it opens a clause (`clause_openers`), since a recogniser
    writes few commas into spontaneous speech. A neighbour in `not_after` or `not_before` gives the
    phrase meaning.
    """

    phrase: tuple[str, ...]
    set_off: Literal["both", "inside", "before", "after", "either", "none"] = "both"
    not_after: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()
    not_with: frozenset[str] = frozenset()
    """Words shortly before it in the same sentence that give it meaning: "say" before "I mean"."""
    edges: Literal["marks", "words"] = "marks"
    closes_list_after: frozenset[str] = frozenset()
    """Words of the last thirty after which it closes a list: "d'abord" before "enfin". With such a
    list, it also has meaning where it opens a sentence after a silence.
    """
    may_be_name: bool = False
    """Whether it is a name where it is capitalised inside a sentence."""
    may_be_sentence: bool = True
    """Whether it is a filler if it is a sentence of its own; "voilà." is an answer or an end."""
    may_be_asked: bool = True
    """Whether it is a filler before a question mark; "quoi ?" is a question."""


class Hedge(_Data):
    """Softening phrase, with the neighbours that change its meaning."""

    phrase: tuple[str, ...]
    not_after: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()


class LanguageData(_Data):
    """Data about one language for all text measures."""

    code: str
    name: str
    filler_prompt: str
    witness_prompt: str = ""
    """Prompt of the third reading; empty if two detect enough."""
    filled_pauses: frozenset[str]
    common_filled_pauses: tuple[str, ...]
    mention_before: frozenset[str] = frozenset()
    mention_after: frozenset[str] = frozenset()
    """Words between which a written um is spoken of: "the word um is", "les euh de"."""
    filler_words: tuple[FillerWord, ...]
    hedges: tuple[Hedge, ...]
    clause_openers: frozenset[str] = frozenset()
    """Words that open a clause right after a filler word; elided ones end in an apostrophe."""
    habit_phrases: tuple[tuple[str, ...], ...]
    """Phrases that become a habit; never words of the talk's own subject."""
    clause_words: frozenset[str]
    common_words: frozenset[str]
    abbreviations: frozenset[str]
    never_last: frozenset[str] = frozenset()
    """Words that no sentence ends with; a recogniser may write a full stop into any long silence.
    """
    rarely_last: frozenset[str] = frozenset()
    """Words that rarely end a sentence, and even less before a silence of two seconds."""
    doubled_words: frozenset[str]
    """Words that are correctly said twice in a row ("had had", "nous nous")."""
    cue_words: dict[str, frozenset[str]] = {}
    """Named sets for the patterns below (see `talk.phrase_patterns`)."""
    cue_openers: frozenset[str] = frozenset()
    """Small words that may precede a pattern at the start of a clause ("and", "so")."""
    signposts: dict[SignpostClass, tuple[str, ...]] = {}
    closing_formulas: tuple[str, ...] = ()
    opening_words: dict[Literal["housekeeping", "apology", "greeting"], tuple[str, ...]] = {}
    number_words: frozenset[str] = frozenset()
    """Number words from five up: smaller numbers are no load, and "one" is mostly not a number."""
    large_number_words: frozenset[str] = frozenset()
    first_person: frozenset[str] = frozenset()
    method_words: frozenset[str] = frozenset()
    """Words about methods: a number near them counts respondents or samples."""
    contrast_words: frozenset[str] = frozenset()
    """Words that contrast numbers: "only", "more than", "twice"."""
    unit_words: frozenset[str] = frozenset()
    """Words of time and measure, in the singular: they recur in any talk."""
    everyday_words: frozenset[str] = frozenset()
    """Frequent nouns, verbs and adverbs, in the singular: alone they identify no passage."""
    number_joiners: frozenset[str] = frozenset()
    """Words inside one number ("five hundred and forty")."""
    question_forms: tuple[str, ...] = ()
    """Words that open questions, but also other clauses."""
    question_inversions: tuple[str, ...] = ()
    """Word orders that only questions have."""


@lru_cache(maxsize=8)
def language_data(code: str) -> LanguageData:
    """Return the data of a language; empty lists if it is not supported (see `is_supported`)."""
    path = _FOLDER / f"{code}.yml"
    if code not in supported_languages():
        return LanguageData(
            code=code,
            name=code,
            filler_prompt="",
            filled_pauses=frozenset(),
            common_filled_pauses=(),
            filler_words=(),
            hedges=(),
            habit_phrases=(),
            clause_words=frozenset(),
            common_words=frozenset(),
            abbreviations=frozenset(),
            doubled_words=frozenset(),
        )
    text = path.read_text(encoding="utf-8")
    return LanguageData.model_validate(yaml.load(text, _Loader))  # noqa: S506 - both are safe ones


@lru_cache(maxsize=1)
def supported_languages() -> tuple[str, ...]:
    """Return the codes of the languages whose text can be measured."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yml")))


def is_supported(code: str) -> bool:
    """Return whether text metrics exist for this language."""
    return code in supported_languages()


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """Return the text in lower case, with plain apostrophes and without surrounding punctuation."""
    return text.replace("’", "'").strip(_PUNCTUATION + " ").lower()


def is_filled_pause(word: Word, data: LanguageData) -> bool:
    """Return whether the transcript itself has a filled pause here."""
    return plain(word.text) in data.filled_pauses

"""What we know of each language: fillers, hedges, clause words; one YAML file a language."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

from analysis.results import Word

_FOLDER = Path(__file__).parent
# libyaml reads a language in a tenth of the time, where PyYAML was built with it.
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PUNCTUATION = "\"'“”‘’«».,;:!?…¿¡()[]{}-–—"


SignpostClass = Literal["order", "transition", "summary", "example"]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FillerWord(_Data):
    """A phrase that may be a filler, and where it is one.

    `set_off` says on which side there must be a comma, a pause, a filled pause or the edge of a
    sentence; "inside" is both sides, but not the opening of a sentence. A neighbour in `not_after`
    or `not_before` means that the phrase bears meaning.
    """

    phrase: tuple[str, ...]
    set_off: Literal["both", "inside", "before", "after", "either", "none"] = "both"
    not_after: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()
    not_with: frozenset[str] = frozenset()
    """Words shortly before it in the same sentence that give it meaning: "say" before "I mean"."""


class Hedge(_Data):
    """A softening phrase, and the neighbours that make it something else."""

    phrase: tuple[str, ...]
    not_after: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()


class LanguageData(_Data):
    """Everything about one language that measuring needs."""

    code: str
    name: str
    filler_prompt: str
    witness_prompt: str = ""
    """What a third, closer reading is given; empty where two hear enough."""
    filled_pauses: frozenset[str]
    common_filled_pauses: tuple[str, ...]
    filler_words: tuple[FillerWord, ...]
    hedges: tuple[Hedge, ...]
    habit_phrases: tuple[tuple[str, ...], ...]
    """Phrases that become a habit; never words of the talk's own subject."""
    clause_words: frozenset[str]
    common_words: frozenset[str]
    abbreviations: frozenset[str]
    never_last: frozenset[str] = frozenset()
    """Words that no sentence ends with. A recogniser writes a full stop into any long silence."""
    rarely_last: frozenset[str] = frozenset()
    """Words that seldom end a sentence; with a silence of two seconds behind them, more seldom."""
    doubled_words: frozenset[str]
    """Words that people rightly say twice in a row ("had had", "nous nous")."""
    cue_words: dict[str, frozenset[str]] = {}
    """Named sets that the patterns below refer to (see `talk.cues`)."""
    cue_openers: frozenset[str] = frozenset()
    """Small words that may stand before a pattern at the start of a clause ("and", "so")."""
    signposts: dict[SignpostClass, tuple[str, ...]] = {}
    closing_formulas: tuple[str, ...] = ()
    opening_words: dict[Literal["housekeeping", "apology", "greeting"], tuple[str, ...]] = {}
    number_words: frozenset[str] = frozenset()
    """From five on: smaller numbers are no load, and "one" is mostly none."""
    large_number_words: frozenset[str] = frozenset()
    first_person: frozenset[str] = frozenset()
    method_words: frozenset[str] = frozenset()
    """Of how something was found out: a number beside them counts people asked or samples."""
    contrast_words: frozenset[str] = frozenset()
    """Of setting one number against another: "only", "more than", "twice"."""
    unit_words: frozenset[str] = frozenset()
    """Of time and measure, in the singular: they come back in any talk."""
    everyday_words: frozenset[str] = frozenset()
    """Frequent nouns, verbs and adverbs, in the singular: alone they point to no passage."""
    number_joiners: frozenset[str] = frozenset()
    """Words inside one number ("five hundred and forty")."""
    question_forms: tuple[str, ...] = ()
    """Words that open questions, and other clauses as well."""
    question_inversions: tuple[str, ...] = ()
    """Word orders that only questions have."""


@lru_cache(maxsize=8)
def language_data(code: str) -> LanguageData:
    """The data of a language; empty lists where we have none (see `is_supported`)."""
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
    """Codes of the languages whose text we can measure."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yml")))


def is_supported(code: str) -> bool:
    """Whether the metrics that need the text exist for this language."""
    return code in supported_languages()


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """Lower case, typographic apostrophes made plain, punctuation around the word gone."""
    return text.replace("’", "'").strip(_PUNCTUATION + " ").lower()


def is_filled_pause(word: Word, data: LanguageData) -> bool:
    """Whether the transcript itself wrote a filled pause here."""
    return plain(word.text) in data.filled_pauses

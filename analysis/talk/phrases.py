"""Phrase search by whole words, with filler words distinguished from meaningful ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.results import Word
from analysis.talk.languages import FillerWord, Hedge, LanguageData, is_filled_pause, plain
from analysis.talk.sentences import CLAUSE_END, ends_sentence

_SET_OFF_SECONDS = 0.25
_LOOK_BACK_WORDS = 6
_LIST_WORDS = 30
"""Longest list of steps that a word may close (rule of thumb)."""
_LEAST_PROBABILITY = 0.4
"""Lowest probability of a word that is counted and quoted."""


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """Phrase in the talk: half-open range of word indices."""

    first: int
    last: int
    phrase: str


def filler_words(words: Sequence[Word], data: LanguageData) -> tuple[PhraseMatch, ...]:
    """Return phrases that have no meaning in their context; in doubt none, since a false alarm is
    worse than a miss.
    """
    return _without_overlaps(
        [
            PhraseMatch(at, at + len(entry.phrase), " ".join(entry.phrase))
            for entry in data.filler_words
            for at in occurrences(words, entry.phrase)
            if _is_filler(words, at, entry, data)
        ]
    )


def hedges(words: Sequence[Word], data: LanguageData) -> tuple[PhraseMatch, ...]:
    """Return softening phrases."""
    return _without_overlaps(
        [
            PhraseMatch(at, at + len(entry.phrase), " ".join(entry.phrase))
            for entry in data.hedges
            for at in occurrences(words, entry.phrase)
            if _context_allows(words, at, entry)
        ]
    )


def occurrences(words: Sequence[Word], phrase: tuple[str, ...]) -> tuple[int, ...]:
    """Return the indices at which a phrase begins."""
    texts = [plain(word.text) for word in words]
    width = len(phrase)
    return tuple(
        index
        for index in range(len(texts) - width + 1)
        if tuple(texts[index : index + width]) == phrase
    )


def are_believed(words: Sequence[Word]) -> bool:
    """Return whether the recogniser is certain enough of each word to count and quote it."""
    return all(word.probability >= _LEAST_PROBABILITY for word in words)


def _without_overlaps(found: Sequence[PhraseMatch]) -> tuple[PhraseMatch, ...]:
    """Return phrases in order of position; of overlapping ones the longest."""
    kept: list[PhraseMatch] = []
    for one in sorted(found, key=lambda one: (one.first - one.last, one.first)):
        if all(one.last <= other.first or one.first >= other.last for other in kept):
            kept.append(one)
    return tuple(sorted(kept, key=lambda one: one.first))


def _context_allows(words: Sequence[Word], at: int, entry: FillerWord | Hedge) -> bool:
    """Return whether the neighbours in the clause allow the phrase and all
    its words are certain.
    """
    width = len(entry.phrase)
    last = at + width - 1
    before = plain(words[at - 1].text) if at > 0 and not _closes_clause(words[at - 1]) else ""
    after = ""
    if last + 1 < len(words) and not _closes_clause(words[last]):
        after = plain(words[last + 1].text)
    believed = are_believed(words[at : at + width])
    return believed and before not in entry.not_after and after not in entry.not_before


def _is_filler(words: Sequence[Word], at: int, entry: FillerWord, data: LanguageData) -> bool:
    if not _context_allows(words, at, entry) or _has_meaning_from_before(words, at, entry, data):
        return False
    if _has_meaning_from_place(words, at, entry, data):
        return False
    last = at + len(entry.phrase) - 1
    before = _is_set_off(words, at - 1, data)
    after = _is_set_off(words, last, data)
    if entry.edges == "words":
        after = after or _opens_clause(words[last + 1], data)
    return {
        "both": before and after,
        "inside": before and after and not _opens_sentence(words, at, data),
        "before": before,
        "after": after,
        "either": before or after,
        "none": True,
    }[entry.set_off]


def _opens_sentence(words: Sequence[Word], at: int, data: LanguageData) -> bool:
    return at == 0 or ends_sentence(words[at - 1], data)


def _has_meaning_from_before(
    words: Sequence[Word], at: int, entry: FillerWord, data: LanguageData
) -> bool:
    for word in reversed(words[max(at - _LOOK_BACK_WORDS, 0) : at]):
        if ends_sentence(word, data):
            return False
        if plain(word.text) in entry.not_with:
            return True
    return False


def _has_meaning_from_place(
    words: Sequence[Word], at: int, entry: FillerWord, data: LanguageData
) -> bool:
    """Return whether it is a name, a question or a sentence of its own, or closes a list.

    In French these places tell discourse markers from the same words with a meaning: "enfin"
    corrects what was just said, mostly without a silence before it (Bertrand & Chanet 2005), and
    after a list or a silence it is the last step; "quoi" ends a statement (Chanet 2001); "voilà"
    alone is an utterance (Bruxelles & Traverso 2006).
    """
    opens = _opens_sentence(words, at, data)
    last = words[at + len(entry.phrase) - 1]
    if entry.may_be_name and not opens and words[at].text[:1].isupper():
        return True
    if not entry.may_be_asked and last.text.rstrip().endswith("?"):
        return True
    if not entry.may_be_sentence and _is_alone(words, at, at + len(entry.phrase), data):
        return True
    if not entry.closes_list_after:
        return False
    is_new = at == 0 or _pauses(words, at - 1)
    listed = {plain(word.text) for word in words[max(at - _LIST_WORDS, 0) : at]}
    return (opens and is_new) or bool(listed & entry.closes_list_after)


def _is_alone(words: Sequence[Word], first: int, end: int, data: LanguageData) -> bool:
    """Return whether sentence ends or silences enclose the phrase."""
    begins = first == 0 or ends_sentence(words[first - 1], data) or _pauses(words, first - 1)
    closes = end == len(words) or ends_sentence(words[end - 1], data) or _pauses(words, end - 1)
    return begins and closes


def _opens_clause(word: Word, data: LanguageData) -> bool:
    """Return whether this word opens a clause: "on", "c'est", "mais"."""
    head, elided, _ = plain(word.text).partition("'")
    return head + elided in data.clause_openers


def _pauses(words: Sequence[Word], left: int) -> bool:
    """Return whether a silence follows the word `left`."""
    return words[left + 1].start - words[left].end >= _SET_OFF_SECONDS


def _is_set_off(words: Sequence[Word], left: int, data: LanguageData) -> bool:
    """Return whether punctuation, a pause, a filled pause or an end follows the word `left`."""
    if left < 0 or left + 1 >= len(words):
        return True
    here, following = words[left], words[left + 1]
    if _closes_clause(here) or ends_sentence(here, data):
        return True
    if is_filled_pause(here, data) or is_filled_pause(following, data):
        return True
    return _pauses(words, left)


def _closes_clause(word: Word) -> bool:
    return word.text[-1:] in CLAUSE_END

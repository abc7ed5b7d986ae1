"""Filler words against the treebanks' discourse markers, with and without punctuation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from analysis.talk.languages import language_data
from analysis.talk.phrases import filler_words
from bench.counts import Count, f1, precision, recall
from bench.french.corpora import PARIS_STORIES, RHAPSODIE, Token, talks, words
from bench.intervals import resampled

_TITLES = {RHAPSODIE: "Rhapsodie", PARIS_STORIES: "ParisStories"}


def lines(corpora: Path) -> Iterator[str]:
    """Yield the table by corpus, and one by word."""
    found = {
        (corpus, punctuated): [
            counts(said, punctuated=punctuated) for _, said in talks(corpora, corpus)
        ]
        for corpus in _TITLES
        for punctuated in (True, False)
    }
    yield "| corpus, text | talks, markers | precision | recall | F1 (95% range) |"
    yield "| --- | --- | --- | --- | --- |"
    for (corpus, punctuated), each in found.items():
        yield _row(
            f"{_TITLES[corpus]}, {_text(punctuated=punctuated)}", [total(one) for one in each]
        )
    yield ""
    heads = " | ".join(
        f"{_TITLES[corpus]}, {_text(punctuated=punctuated)}" for corpus, punctuated in found
    )
    yield f"| word: hits, false, missed | {heads} |"
    yield "| --- |" + " --- |" * len(found)
    for word in sorted(_single_words()):
        cells = " | ".join(_cell([one[word] for one in each]) for each in found.values())
        yield f"| *{word}* | {cells} |"


def counts(said: Sequence[Token], *, punctuated: bool) -> Mapping[str, Count]:
    """Return the counts of each word that may be a filler alone."""
    data = language_data("fr")
    matches = filler_words(words(said, punctuated=punctuated), data)
    ours = {at for one in matches for at in range(one.first, one.last)}
    singles = _single_words()
    tallies = {word: [0, 0, 0] for word in singles}
    for at, one in enumerate(said):
        if one.plain in singles:
            true = one.relation.startswith("discourse")
            tallies[one.plain][0] += true and at in ours
            tallies[one.plain][1] += not true and at in ours
            tallies[one.plain][2] += true and at not in ours
    return {word: Count(*tally) for word, tally in tallies.items()}


def total(found: Mapping[str, Count]) -> Count:
    """Return the sum over all words."""
    return _sum(list(found.values()))


def _single_words() -> frozenset[str]:
    entries = language_data("fr").filler_words
    return frozenset(entry.phrase[0] for entry in entries if len(entry.phrase) == 1)


def _text(*, punctuated: bool) -> str:
    return "punctuated" if punctuated else "without punctuation"


def _row(title: str, each: Sequence[Count]) -> str:
    near = resampled(each, f1)
    reach = f" ({near[0]:.2f}-{near[1]:.2f})" if near else ""
    there = sum(one.there for one in each)
    return (
        f"| {title} | {len(each)}, {there} | {precision(each):.2f} | {recall(each):.2f} | "
        f"{f1(each):.2f}{reach} |"
    )


def _sum(each: Sequence[Count]) -> Count:
    return Count(
        sum(one.hits for one in each),
        sum(one.false for one in each),
        sum(one.missed for one in each),
    )


def _cell(each: Sequence[Count]) -> str:
    whole = _sum(each)
    return f"{whole.hits}, {whole.false}, {whole.missed}"

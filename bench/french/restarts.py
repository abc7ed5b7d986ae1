"""Restarts against the treebanks' labelled repairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.talk.languages import language_data
from analysis.talk.restarts import restarts
from bench.counts import Count, precision, recall
from bench.french.corpora import PARIS_STORIES, RHAPSODIE, Token, talks, words
from bench.intervals import resampled

_NEAR_WORDS = 3
"""Longest distance from where a repetition begins to the head of the labelled repair: "le, le
petit chien" is labelled at "chien".
"""


@dataclass(frozen=True, slots=True)
class RestartCounts:
    """Counts of one talk: of all labels, and recall of those that repeat a word or are cut off."""

    every: Count
    repeats: Count


def lines(corpora: Path) -> Iterator[str]:
    """Yield the table by corpus."""
    yield (
        "| corpus | talks, labelled repairs | precision (95% range) | recall of all "
        "(95% range) | recall of word repetitions and cut-off words (95% range) |"
    )
    yield "| --- | --- | --- | --- | --- |"
    for corpus, title in ((RHAPSODIE, "Rhapsodie"), (PARIS_STORIES, "ParisStories")):
        each = [scored(said) for _, said in talks(corpora, corpus)]
        every, repeats = [one.every for one in each], [one.repeats for one in each]
        yield (
            f"| {title} | {len(each)}, {sum(one.there for one in every)} | "
            f"{_with_range(every, precision)} | {_with_range(every, recall)} | "
            f"{_with_range(repeats, recall)}, n = {sum(one.there for one in repeats)} |"
        )


def scored(said: Sequence[Token]) -> RestartCounts:
    """Match each restart with a label, one to one."""
    spoken = [one for one in said if not one.is_filled_pause]
    labels = [at for at, one in enumerate(spoken) if one.repairs]
    free = set(labels)
    hits = false = 0
    for _, last in restarts(words(spoken), language_data("fr")):
        near = [at for at in free if 0 <= at - last <= _NEAR_WORDS]
        if near:
            free.remove(min(near))
            hits += 1
        else:
            false += 1
    plain = {at for at in labels if _repeats(spoken, at)}
    return RestartCounts(
        Count(hits, false, len(free)),
        Count(len(plain - free), 0, len(plain & free)),
    )


def _repeats(spoken: Sequence[Token], at: int) -> bool:
    """Return whether the repair repeats the word right before it, or follows a cut-off one."""
    if at == 0:
        return False
    before = spoken[at - 1]
    return before.plain == spoken[at].plain or before.plain.endswith("~")


def _with_range(each: Sequence[Count], measure: Callable[[Sequence[Count]], float | None]) -> str:
    value, near = measure(each), resampled(each, measure)
    return f"{value:.2f}" + (f" ({near[0]:.2f}-{near[1]:.2f})" if near else "")

"""Filled pauses detected by each system in the judged files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.ports import Engine, FloatArray, Span
from analysis.talk.filled_pauses import LEAST_PROBABILITY_WITH_HEAD, witnessed
from bench.fillers import combine, rivals
from bench.fillers.combine import EvidenceCase, Weights
from bench.fillers.heads import HeadTrainer
from bench.fillers.judged import JudgedFile
from bench.fillers.lessons import FOLDS
from bench.fillers.ours import ENGINE, listened
from bench.fillers.recordings import decoded

OURS = "ours"
READERS = {"en": "tiny.en", "fr": "whisper-base"}


@dataclass(frozen=True, slots=True)
class HeldOutResult:
    """Filled pauses of a file, detected by a head and weights trained without its speakers."""

    judged: JudgedFile
    spans: tuple[Span, ...]
    probabilities: tuple[float, ...]
    abstains: bool


def cases(
    files: Sequence[JudgedFile], media: Path, *, engine: Engine = ENGINE
) -> dict[str, list[EvidenceCase]]:
    """Return the cases of every file by reader, with candidates of the head trained without its
    speakers.

    `engine` transcribes; if no head knows its encoder, the usual model detects fillers in parallel.
    """
    teachers = {reader: HeadTrainer(media, reader) for reader in READERS.values()}
    found: dict[str, list[EvidenceCase]] = {reader: [] for reader in teachers}
    for one in files:
        reader = READERS[one.language]
        heard = listened(one.path, language=one.language, engine=engine)
        found[reader].append(combine.case(one, heard, teachers[reader].head(one.fold)))
    return found


def held_out(
    by_reader: Mapping[str, Sequence[EvidenceCase]],
    learnt_from: Mapping[str, Sequence[EvidenceCase]] | None = None,
) -> list[HeldOutResult]:
    """Fit weights without the speakers of the file, on these or on other cases, and apply them."""
    found = []
    for fold in range(FOLDS):
        weights = combine.fit_all(
            {
                reader: [one for one in some if one.judged.fold != fold]
                for reader, some in (learnt_from or by_reader).items()
            }
        )
        for reader, some in by_reader.items():
            found += [held(one, weights[reader]) for one in some if one.judged.fold == fold]
    return found


def held(
    one: EvidenceCase, weights: Weights, *, least: float = LEAST_PROBABILITY_WITH_HEAD
) -> HeldOutResult:
    """Return the likely candidates (of overlapping ones the more
    probable) and witnessed fillers.
    """
    chances = combine.probabilities(one, weights)
    order = sorted(range(len(chances)), key=lambda index: -chances[index])
    kept: list[int] = []
    for index in order:
        each = one.candidates[index]
        if chances[index] < least:
            break
        if all(
            each.end <= one.candidates[other].start or each.start >= one.candidates[other].end
            for other in kept
        ):
            kept.append(index)
    found = [
        ((one.candidates[index].start, one.candidates[index].end), float(chances[index]))
        for index in kept
    ]
    if one.evidence is not None:
        more = witnessed(one.evidence, [span for span, _ in found])
        found += [((event.start, event.end), event.probability or 0.0) for event in more]
    found.sort()
    return HeldOutResult(
        one.judged,
        tuple(span for span, _ in found),
        tuple(chance for _, chance in found),
        one.abstains,
    )


def rival(one: JudgedFile, system: str) -> tuple[Span, ...]:
    """Return the filled pauses of plain or prompted Whisper."""
    sound: FloatArray = decoded(one.path)
    return rivals.hear(sound, language=one.language, system=system)

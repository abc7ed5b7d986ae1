"""Weights of the filler evidence: fitted on speakers outside the heads' training data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.backends.speech.filler_head import FillerHead
from analysis.ports import Span
from analysis.talk.build import evidence_of
from analysis.talk.filled_pauses import DetectorInput, all_candidates, scored_candidates
from analysis.talk.filler_evidence import FEATURES, FillerCandidate
from bench.fillers.judged import JudgedFile
from bench.fillers.matching import matched
from bench.fillers.ours import CachedStages

_RIDGE, _LEANING, _STEPS = 0.5, 5.0, 200
_LONGEST_STEP = 1.0
"""Longest step; Newton's method diverges from a start that is almost perfect."""
_LEAST_SECONDS = 5.0
Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class EvidenceCase:
    """Judged file with all candidates for a filled pause."""

    judged: JudgedFile
    candidates: tuple[FillerCandidate, ...]
    is_true: tuple[bool, ...]
    evidence: DetectorInput | None = None
    """Input that gave the candidates."""
    abstains: bool = False
    """Whether almost no speech was found, so that a report would skip the rate."""


def case(
    one: JudgedFile, heard: CachedStages | None, head: FillerHead, *, with_words: bool = False
) -> EvidenceCase:
    """Return the candidates of a file with this head, and which are true;
    none for untimed files. `with_words` keeps those that are taken for words.
    """
    if heard is None:
        return EvidenceCase(one, (), (), abstains=True)
    evidence = evidence_of(
        prepared=heard.prepared,
        transcript=heard.with_head(head),
        sound=heard.sound,
        options=heard.options,
    )
    found = all_candidates(evidence) if with_words else scored_candidates(evidence)
    spans: list[Span] = [(each.start, each.end) for each in found]
    true = tuple(index is not None for index in matched(one, spans))
    speech = heard.prepared.speech
    window = speech[-1][1] - speech[0][0] if speech else 0.0
    abstains = window < _LEAST_SECONDS < one.seconds / 2
    return EvidenceCase(one, found, true, evidence, abstains=abstains)


def fit_all(by_reader: Mapping[str, Sequence[EvidenceCase]]) -> dict[str, Weights]:
    """Fit the weights of each reader; with few labelled fillers they are shrunk towards the first
    one's.
    """
    found: dict[str, Weights] = {}
    for reader, some in by_reader.items():
        found[reader] = fit(some, next(iter(found.values()), None))
    return found


def fit(
    cases: Sequence[EvidenceCase], usual: Weights | None = None, *, only_allowed: bool = True
) -> Weights:
    """Fit a ridge logistic regression over the candidates of timed files, shrunk towards `usual`.

    Files whose licences forbid training are judged with these weights, but not used for fitting;
    `only_allowed` is off for measurements whose weights are never shipped.
    """
    timed = [
        each
        for each in cases
        if each.judged.is_timed and (each.judged.may_teach or not only_allowed)
    ]
    rows = np.array([one.evidence for each in timed for one in each.candidates])
    right = np.array([true for each in timed for true in each.is_true])
    rows = np.column_stack([np.ones(len(rows)), rows])
    centre = np.array([usual[name] if usual else 0.0 for name in ("bias", *FEATURES)])
    found = _ridge(rows, right.astype(np.float64), centre)
    return dict(zip(("bias", *FEATURES), (round(float(value), 4) for value in found), strict=True))


def _ridge(
    rows: NDArray[np.float64], right: NDArray[np.float64], centre: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Fit by Newton's method; the bias (first column) has no penalty."""
    penalty = (_LEANING if centre.any() else _RIDGE) * np.eye(rows.shape[1])
    penalty[0, 0] = 1e-6
    found = centre.copy()
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        slope = rows.T @ (chance - right) + penalty @ (found - centre)
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + penalty
        step = np.linalg.solve(bend, slope)
        found -= step * min(1.0, _LONGEST_STEP / max(float(np.linalg.norm(step)), 1e-9))
        if np.abs(step).max() < 1e-9:
            break
    return found


def probabilities(one: EvidenceCase, weights: Weights) -> NDArray[np.float64]:
    """Return the probability of each candidate."""
    if not one.candidates:
        return np.zeros(0)
    rows = np.array([each.evidence for each in one.candidates])
    score = weights["bias"] + rows @ np.array([weights[name] for name in FEATURES])
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-score))
    return chances

"""Fits how the evidence for filled pauses is weighed, on speakers that no head learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.backends.speech.filler_head import FillerHead
from analysis.ports import Span
from analysis.talk.build import evidence_of
from analysis.talk.filled_pauses import weighed_candidates
from analysis.talk.filler_evidence import FEATURES, Weighed
from bench.fillers.judged import Judged
from bench.fillers.matching import matched
from bench.fillers.ours import Listened

_RIDGE, _STEPS = 0.5, 50
_LEAST_SECONDS = 5.0
Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Case:
    """A judged file with everything in it that may be a filled pause."""

    judged: Judged
    candidates: tuple[Weighed, ...]
    is_true: tuple[bool, ...]
    abstains: bool = False
    """Next to no speech was found, so that a report would say so instead of a rate."""


def case(one: Judged, heard: Listened | None, head: FillerHead) -> Case:
    """Candidates of a file with this head, and which of them are true; of untimed files none."""
    if heard is None:
        return Case(one, (), (), abstains=True)
    evidence = evidence_of(
        prepared=heard.prepared, transcript=heard.with_head(head), sound=heard.sound,
        options=heard.options,
    )  # fmt: skip
    found = weighed_candidates(evidence)
    spans: list[Span] = [(each.start, each.end) for each in found]
    true = tuple(index is not None for index in matched(one, spans))
    speech = heard.prepared.speech
    window = speech[-1][1] - speech[0][0] if speech else 0.0
    return Case(one, found, true, abstains=window < _LEAST_SECONDS < one.seconds / 2)


def fit(cases: Sequence[Case]) -> Weights:
    """Ridge logistic regression over the candidates of all timed files."""
    timed = [each for each in cases if each.judged.is_timed]
    rows = np.array([one.evidence for each in timed for one in each.candidates])
    right = np.array([true for each in timed for true in each.is_true])
    found = _ridge(np.column_stack([np.ones(len(rows)), rows]), right.astype(np.float64))
    return dict(zip(("bias", *FEATURES), (round(float(value), 4) for value in found), strict=True))


def _ridge(rows: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ridge logistic regression by Newton's method; the first column, the bias, goes free."""
    penalty = _RIDGE * np.eye(rows.shape[1])
    penalty[0, 0] = 1e-6
    found = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        slope = rows.T @ (chance - right) + penalty @ found
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + penalty
        step = np.linalg.solve(bend, slope)
        found -= step
        if np.abs(step).max() < 1e-9:
            break
    return found


def probabilities(one: Case, weights: Weights) -> NDArray[np.float64]:
    """Of each candidate."""
    if not one.candidates:
        return np.zeros(0)
    rows = np.array([each.evidence for each in one.candidates])
    score = weights["bias"] + rows @ np.array([weights[name] for name in FEATURES])
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-score))
    return chances

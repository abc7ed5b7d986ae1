"""Prints what was measured, as the tables of docs/accuracy.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bench.listening.scores import Score

_RESAMPLES = 1000
Measure = Callable[[Sequence[Score]], float | None]


def interval(scores: Sequence[Score], measure: Measure) -> str:
    """Central 95 % by drawing recordings with replacement."""
    if len(scores) < 3:
        return ""
    random = np.random.default_rng(1)
    drawn = []
    for _ in range(_RESAMPLES):
        value = measure([scores[index] for index in random.integers(0, len(scores), len(scores))])
        if value is not None:
            drawn.append(value)
    if len(drawn) < _RESAMPLES / 2:
        return ""
    low, high = np.percentile(drawn, [2.5, 97.5])
    return f" ({_digits(low)}-{_digits(high)})"


def _digits(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2f}"


def word_error_rate(scores: Sequence[Score]) -> float | None:
    words = sum(score.words for score in scores)
    return sum(score.word_errors for score in scores) / words if words else None


def plain_error_rate(scores: Sequence[Score]) -> float | None:
    words = sum(score.plain_words for score in scores)
    return sum(score.plain_errors for score in scores) / words if words else None


def precision(scores: Sequence[Score]) -> float | None:
    hits = sum(score.filler_hits for score in scores)
    found = hits + sum(score.filler_false for score in scores)
    return hits / found if found else None


def recall(scores: Sequence[Score]) -> float | None:
    hits = sum(score.filler_hits for score in scores)
    there = hits + sum(score.filler_missed for score in scores)
    return hits / there if there else None


def filler_f1(scores: Sequence[Score]) -> float | None:
    hits = sum(score.filler_hits for score in scores)
    others = sum(score.filler_false + score.filler_missed for score in scores)
    return 2 * hits / (2 * hits + others) if hits + others else None


def pause_f1(scores: Sequence[Score]) -> float | None:
    hits = sum(score.pause_hits for score in scores)
    others = sum(score.pause_false + score.pause_missed for score in scores)
    return 2 * hits / (2 * hits + others) if hits + others else None


def boundary(percent: float) -> Measure:
    """Percentile of the boundary errors in milliseconds."""

    def measure(scores: Sequence[Score]) -> float | None:
        errors = [error for score in scores for error in score.boundary_errors]
        return 1000 * float(np.percentile(errors, percent)) if errors else None

    return measure


def wpm_error(scores: Sequence[Score]) -> float | None:
    """Median absolute error of words a minute, per cent."""
    errors = [abs(score.wpm_error) for score in scores if score.wpm_error is not None]
    return 100 * float(np.median(errors)) if errors else None


def rate_error(scores: Sequence[Score]) -> float | None:
    """Share of recordings of 20 s and more whose filler rate is off by at most 1.5 a minute."""
    errors = [
        abs(score.filler_rate_error)
        for score in scores
        if score.filler_rate_error is not None and score.media_seconds >= 20
    ]
    return float(np.mean([error <= 1.5 for error in errors])) if errors else None


ROWS: tuple[tuple[str, str, Measure], ...] = (
    ("word errors, fillers left out", "not above plain Whisper", plain_error_rate),
    ("word errors, fillers counted", "", word_error_rate),
    ("filled pauses, precision", "≥ .85", precision),
    ("filled pauses, recall", "≥ .70", recall),
    ("filled pauses, F1", "≥ .88", filler_f1),
    ("filler rate within 1.5 a minute, share of recordings ≥ 20 s", "≥ .80", rate_error),
    ("word boundary, median ms", "≤ 50", boundary(50)),
    ("word boundary, 95th percentile ms", "", boundary(95)),
    ("pauses ≥ 250 ms, F1", "≥ .90", pause_f1),
    ("words a minute, median error %", "≤ 5", wpm_error),
)


def compared(systems: dict[str, list[Score]]) -> str:
    """One row a measure, one column a system, with 95 % intervals over recordings."""
    lines = [
        "| measure | goal | " + " | ".join(systems) + " |",
        "| --- | --- |" + " --- |" * len(systems),
    ]
    for label, goal, measure in ROWS:
        cells = []
        for scores in systems.values():
            value = measure(scores)
            cells.append("–" if value is None else _digits(value) + interval(scores, measure))
        lines.append(f"| {label} | {goal} | " + " | ".join(cells) + " |")
    lines.append(_counts(systems))
    lines.append(_times(systems))
    return "\n".join(lines)


def _counts(systems: dict[str, list[Score]]) -> str:
    cells = [f"{sum(score.invented_words for score in scores)}" for scores in systems.values()]
    return "| words in inserted runs of three and more | 0 | " + " | ".join(cells) + " |"


def _times(systems: dict[str, list[Score]]) -> str:
    cells = []
    for scores in systems.values():
        media = sum(score.media_seconds for score in scores)
        cells.append(f"{sum(score.seconds for score in scores) / media:.3f}")
    return "| processor seconds a second of media | | " + " | ".join(cells) + " |"


def by_recording(scores: Sequence[Score]) -> str:
    """One row a recording, errors and all."""
    lines = [
        (
            "| recording | s | word errors | fillers hit, false, missed | boundary ms "
            "| pauses hit, false, missed | words a minute, error % |"
        ),
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for score in scores:
        middle = boundary(50)([score])
        lines.append(
            f"| {score.name} | {score.media_seconds:.0f} | {score.plain_errors} of "
            f"{score.plain_words} | {score.filler_hits}, {score.filler_false}, "
            f"{score.filler_missed} | {'–' if middle is None else f'{middle:.0f}'} | "
            f"{score.pause_hits}, {score.pause_false}, {score.pause_missed} | "
            f"{'–' if score.wpm_error is None else f'{100 * score.wpm_error:+.0f}'} |"
        )
    return "\n".join(lines)

"""Measures and tables of docs/lab/words.md about speech."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench import counts
from bench.counts import Count
from bench.intervals import resampled
from bench.listening.scores import Score

PLAIN = "whisper tiny.en"
"""Reference for every comparison: `whisper FILE --model tiny.en --word_timestamps True`."""
LONG_SECONDS = 20.0
_LEAST_WORDS_TO_NAME = 10
Measure = Callable[[Sequence[Score]], float | None]


def interval(scores: Sequence[Score], measure: Measure) -> str:
    """Return the central 95% over resampled recordings, in brackets."""
    found = resampled(scores, measure)
    return "" if found is None else f" ({_digits(found[0])}-{_digits(found[1])})"


def _digits(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2f}"


def word_error_rate(scores: Sequence[Score]) -> float | None:
    words = sum(score.words for score in scores)
    return sum(score.word_errors for score in scores) / words if words else None


def plain_error_rate(scores: Sequence[Score]) -> float | None:
    words = sum(score.plain_words for score in scores)
    return sum(score.plain_errors for score in scores) / words if words else None


def fillers(measure: Callable[[Sequence[Count]], float | None]) -> Measure:
    """Return a measure of the detected filled pauses."""
    return lambda scores: measure([score.fillers for score in scores])


def pauses(scores: Sequence[Score]) -> float | None:
    return counts.f1([score.pauses for score in scores])


def lenient_pauses(scores: Sequence[Score]) -> float | None:
    """Return F1 of pauses, with a true gap of 150 to 250 ms not counted as a false alarm."""
    return counts.f1(
        [replace(each.pauses, false=each.pauses.false - each.pauses_near) for each in scores]
    )


def boundary(percent: float) -> Measure:
    """Return a measure for a percentile of the boundary errors in milliseconds."""

    def measure(scores: Sequence[Score]) -> float | None:
        errors = [error for score in scores for error in score.boundary_errors]
        return 1000 * float(np.percentile(errors, percent)) if errors else None

    return measure


def wpm_error(scores: Sequence[Score]) -> float | None:
    """Return the median absolute error of words per minute, in per cent."""
    errors = [abs(score.wpm_error) for score in scores if score.wpm_error is not None]
    return 100 * float(np.median(errors)) if errors else None


def rate_error(scores: Sequence[Score]) -> float | None:
    """Return the share of recordings of at least 20 s with a filler rate within 1.5 per minute."""
    errors = [
        abs(score.filler_rate_error)
        for score in scores
        if score.filler_rate_error is not None and score.media_seconds >= LONG_SECONDS
    ]
    return float(np.mean([error <= 1.5 for error in errors])) if errors else None


def rate_error_size(scores: Sequence[Score]) -> float | None:
    """Return the median absolute error of the filler rate, in recordings of at least 20 s."""
    errors = [
        abs(score.filler_rate_error)
        for score in scores
        if score.filler_rate_error is not None and score.media_seconds >= LONG_SECONDS
    ]
    return float(np.median(errors)) if errors else None


def articulation_error(scores: Sequence[Score]) -> float | None:
    """Return the median absolute error of the articulation rate, in per cent."""
    errors = [
        abs(score.articulation_error) for score in scores if score.articulation_error is not None
    ]
    return 100 * float(np.median(errors)) if errors else None


def pitch_share(scores: Sequence[Score]) -> float | None:
    """Return the share of frames voiced in both within half a semitone of Praat."""
    found = [score.pitch for score in scores if score.pitch is not None]
    common = sum(one.common for one in found)
    return sum(one.close for one in found) / common if common else None


def pitch_deviation(scores: Sequence[Score]) -> float | None:
    """Return the median over recordings of the median deviation from Praat, in semitones."""
    found = [score.pitch.deviation for score in scores if score.pitch and score.pitch.common]
    return float(np.median(found)) if found else None


def invented_words(scores: Sequence[Score]) -> float | None:
    """Return the words of invented passages, in recordings whose text covers all speakers."""
    return float(sum(score.invented_words for score in scores)) if scores else None


_Count = Callable[[Sequence[Score]], int]


def _fillers_there(scores: Sequence[Score]) -> int:
    return sum(score.fillers.there for score in scores)


def _pauses_there(scores: Sequence[Score]) -> int:
    return sum(score.pauses.there for score in scores)


def _rates(scores: Sequence[Score]) -> int:
    return sum(
        score.filler_rate_error is not None and score.media_seconds >= LONG_SECONDS
        for score in scores
    )


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """Row of the comparison."""

    label: str
    goal: str
    measure: Measure
    count: _Count
    unit: str


ROWS: tuple[ErrorRow, ...] = (
    ErrorRow("word errors, fillers left out", "not above plain Whisper", plain_error_rate,
        lambda scores: sum(score.plain_words for score in scores), "words"),
    ErrorRow("word errors, fillers counted", "", word_error_rate,
        lambda scores: sum(score.words for score in scores), "words"),
    ErrorRow("words of invented passages", "0", invented_words,
        lambda scores: sum(score.words > 0 for score in scores), "recordings"),
    ErrorRow("filled pauses, precision", "≥ .85", fillers(counts.precision), _fillers_there,
        "fillers"),
    ErrorRow("filled pauses, recall", "≥ .70", fillers(counts.recall), _fillers_there, "fillers"),
    ErrorRow("filled pauses, F1", "≥ .88", fillers(counts.f1), _fillers_there, "fillers"),
    ErrorRow("filler rate within 1.5 a minute, share of recordings ≥ 20 s", "≥ .80", rate_error,
        _rates, "recordings"),
    ErrorRow("filler rate, median error a minute", "≤ 1", rate_error_size, _rates, "recordings"),
    ErrorRow("word boundary, median ms", "≤ 50", boundary(50),
        lambda scores: sum(len(score.boundary_errors) for score in scores), "edges"),
    ErrorRow("word boundary, 95th percentile ms", "", boundary(95),
        lambda scores: sum(len(score.boundary_errors) for score in scores), "edges"),
    ErrorRow("pauses ≥ 250 ms, F1", "≥ .90", pauses, _pauses_there, "pauses"),
    ErrorRow("the same; true gaps of 150 to 250 ms are no false alarm", "", lenient_pauses,
        _pauses_there, "pauses"),
    ErrorRow("words a minute, median error %", "≤ 5", wpm_error,
        lambda scores: sum(score.wpm_error is not None for score in scores), "recordings"),
    ErrorRow("articulation rate, median error %", "≤ 5", articulation_error,
        lambda scores: sum(score.articulation_error is not None for score in scores),
        "recordings"),
    ErrorRow("pitch within half a semitone of Praat, share of frames", "≥ .95", pitch_share,
        lambda scores: sum(score.pitch.common for score in scores if score.pitch), "frames"),
    ErrorRow("pitch, median deviation from Praat in semitones", "", pitch_deviation,
        lambda scores: sum(score.pitch is not None for score in scores), "recordings"),
)  # fmt: skip


def compared(systems: dict[str, list[Score]]) -> str:
    """Return one row per measure, one column per system, with 95% intervals over recordings."""
    lines = [
        "| measure | goal | n | " + " | ".join(systems) + " |",
        "| --- | --- | --- |" + " --- |" * len(systems),
    ]
    ours = next(iter(systems.values()))
    for row in ROWS:
        cells = []
        for scores in systems.values():
            value = row.measure(scores)
            cells.append("–" if value is None else _digits(value) + interval(scores, row.measure))
        n = f"{row.count(ours)} {row.unit}"
        lines.append(f"| {row.label} | {row.goal} | {n} | " + " | ".join(cells) + " |")
    lines += _times(systems)
    return "\n".join(lines)


def _times(systems: dict[str, list[Score]]) -> list[str]:
    media = sum(score.media_seconds for score in next(iter(systems.values())))
    spent = {name: sum(score.seconds for score in scores) for name, scores in systems.items()}
    lines = [
        "| processor time over media length | | | "
        + " | ".join(f"{seconds / media:.3f}" for seconds in spent.values())
        + " |"
    ]
    if PLAIN in spent:
        lines.append(
            f"| processor time over that of {PLAIN} | | | "
            + " | ".join(f"{seconds / spent[PLAIN]:.2f}" for seconds in spent.values())
            + " |"
        )
    return lines


def by_recording(scores: Sequence[Score], plain: Sequence[Score] = ()) -> str:
    """Return one row per recording with its errors, and the speed relative to plain Whisper if it
    was run.
    """
    beside = {score.name: score.seconds for score in plain}
    lines = [
        (
            "| recording | s | word errors, without fillers, with | fillers hit, false, missed "
            "| boundary ms, median, 95% | pauses hit, false, missed | words a minute, error % "
            "| articulation rate, error % | pitch beside Praat, semitones | invented words "
            "| time over length | time over plain Whisper |"
        ),
        "|" + " --- |" * 12,
    ]
    return "\n".join([*lines, *(_recording(score, beside.get(score.name)) for score in scores)])


def _recording(score: Score, beside: float | None) -> str:
    def cell(value: float | None, form: str, factor: float = 1.0) -> str:
        return "–" if value is None else format(factor * value, form)

    middle, high = boundary(50)([score]), boundary(95)([score])
    pitch = score.pitch.deviation if score.pitch and score.pitch.common else None
    cells = (
        score.name,
        f"{score.media_seconds:.0f}",
        f"{score.plain_errors} of {score.plain_words}, {score.word_errors} of {score.words}",
        _in_words(score.fillers),
        f"{cell(middle, '.0f')}, {cell(high, '.0f')}",
        _in_words(score.pauses),
        cell(score.wpm_error, "+.0f", 100),
        cell(score.articulation_error, "+.0f", 100),
        cell(pitch, ".2f"),
        str(score.invented_words),
        f"{score.seconds / score.media_seconds:.2f}",
        "–" if not beside else f"{score.seconds / beside:.2f}",
    )
    return "| " + " | ".join(cells) + " |"


def _in_words(count: Count) -> str:
    return f"{count.hits}, {count.false}, {count.missed}"


def weak_points(scores: Sequence[Score]) -> list[str]:
    """Return the recordings with the largest loss for each goal."""
    said: list[str] = []
    worst = sorted(
        (score for score in scores if score.plain_words >= _LEAST_WORDS_TO_NAME),
        key=lambda score: -score.plain_errors / score.plain_words,
    )[:5]
    named = ", ".join(f"{s.name} ({s.plain_errors} of {s.plain_words})" for s in worst)
    said.append(f"- Most words misheard: {named}.")
    for label, found in (
        ("Filled pauses", [(score.name, score.fillers) for score in scores]),
        ("Pauses", [(score.name, score.pauses) for score in scores]),
    ):
        wrong = [(name, count) for name, count in found if count.false or count.missed]
        wrong.sort(key=lambda each: -(each[1].false + each[1].missed))
        if wrong:
            named = ", ".join(
                f"{name} ({count.false} false, {count.missed} missed)" for name, count in wrong[:6]
            )
            said.append(f"- {label} in error: {named}.")
    return said

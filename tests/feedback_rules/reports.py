"""Constructed and random reports for the tests of the rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, get_args

from analysis.events import EVENT_KINDS
from analysis.metrics import METRICS, PROFILE_FAMILIES, Metric, complete
from analysis.results import Reason, Report
from feedback_rules.evaluate import case_report
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import (
    Aim,
    Audience,
    CameraPosition,
    Context,
    Draft,
    DraftItem,
    Goal,
    Outcome,
    Rule,
    Setting,
)
from feedback_rules.select import draft

# Around what rules look at, so that about half of the conditions hold.
TYPICAL: dict[str, tuple[float, float]] = {
    "words per minute": (110, 220),
    "syllables per second": (3.5, 7),
    "ratio": (0.05, 1.4),
    "share": (0, 1),
    "per minute": (0, 12),
    "syllables": (5, 35),
    "semitones": (1, 12),
    "dB": (-8, 30),
    "per 100 words": (0, 8),
    "count": (0, 4),
    "words": (6, 35),
    "degrees": (-20, 20),
    "shoulder widths": (0, 0.3),
    "s": (20, 400),
}
NARROWER: dict[str, tuple[float, float]] = {
    "signal.clipping_share": (0, 0.01),
    "signal.snr_db": (8, 40),
    "pitch.variation_quotient": (0.05, 0.3),
    "pace.end_rush_ratio": (0.8, 1.4),
    "pauses.long_mid_clause_per_minute": (0, 2),
    "fillers.bursts_per_minute": (0, 2),
    "loudness.trend_db": (-8, 2),
    "posture.shoulder_tilt_degrees": (0, 15),
    "wording.verbal_habits_per_minute": (0, 5),
    "pace.opening_ratio": (0.8, 1.4),
    "pauses.longest_run_seconds": (5, 90),
    "pauses.longest_at_boundary_seconds": (0.3, 5),
    "pitch.trend_semitones": (-3, 2),
    "structure.signposts_per_minute": (0, 3),
    "structure.questions_per_minute": (0, 2),
    "structure.number_heaps_per_minute": (0, 1),
    "structure.longest_slide_ratio": (1, 6),
    "structure.slide_bursts_per_minute": (0, 1),
}
LABELS = {
    "look_away": ("down", "side", "up", "screen"),
    "silent_pause": ("short", "medium", "long"),
    "filled_pause": ("um", "uh"),
}
DETAILS: dict[str, tuple[dict[str, Any], ...]] = {
    "question": tuple(
        {"waited": waited, "signs": signs}
        for waited in ("yes", "no")
        for signs in ("mark+form", "mark+rise", "mark+form+rise")
    ),
    "slide_read_aloud": ({"slide": 2, "share": 0.8, "words": 20},),
    "opening_words": tuple(
        {"kind": kind} for kind in ("housekeeping", "apology", "question", "number", "greeting")
    ),
}
QUOTED = {
    *("hedge", "filler_word", "verbal_habit", "anaphora", "signpost", "closing_formula"),
    *("opening_words", "question", "echo", "standing_silence"),
}
_SLIDE = "slide"
SLIDE_KINDS = tuple(sorted(kind for kind in EVENT_KINDS if _SLIDE in kind))
KINDS = tuple(sorted(kind for kind in EVENT_KINDS if _SLIDE not in kind))
PLACES = ("sentence_end", "clause_boundary", "mid_clause", "unknown")


def a_report(**fragment: Any) -> Report:
    """A report from the same fragments that rules' cases are written in."""
    return complete(case_report(fragment))


def events(kind: str, *starts: float, lasting: float = 1.0, **more: Any) -> list[dict[str, Any]]:
    """Events of one kind."""
    return [{"kind": kind, "start": s, "end": s + lasting, **more} for s in starts]


def spoken(text: str, *, start: float = 1.0, probability: float = 0.9) -> list[dict[str, Any]]:
    """Words, three a second."""
    return [
        {
            "text": word,
            "start": start + i / 3,
            "end": start + (i + 1) / 3,
            "probability": probability,
        }
        for i, word in enumerate(text.split())
    ]


def rule(rule_id: str) -> Rule:
    """One of the built-in rules."""
    return next(rule for rule in builtin_rule_set().rules if rule.id == rule_id)


def shipped(rule_id: str) -> int:
    """The version that a rule comes with."""
    return rule(rule_id).version


def random_report(seed: int) -> Report:
    """A report full of findings, the same for the same seed."""
    dice = random.Random(seed)  # noqa: S311 - dice, not secrets
    duration = dice.choice([dice.uniform(20, 60), dice.uniform(60, 600), dice.uniform(60, 600)])
    words = _random_words(dice, duration)
    measurements, skipped = {}, {}
    # Slides have dice of their own, so that the other values of a seed stay as they were.
    other_dice = random.Random(seed)  # noqa: S311 - dice, not secrets
    for metric in METRICS:
        thrown = other_dice if _SLIDE in metric.id else dice
        if thrown.random() < 0.1:
            skipped[metric.id] = thrown.choice(list(Reason)).value
        else:
            measurements[metric.id] = _random_measurement(thrown, metric)
    return a_report(
        duration=duration,
        language=dice.choice(["en", "en", "fr", "de"]),
        words=words,
        events=[
            *(_random_event(dice, duration, words, KINDS) for _ in range(dice.randint(0, 120))),
            *(_random_event(other_dice, duration, words, SLIDE_KINDS) for _ in range(3)),
        ],
        measurements=measurements,
        skipped=skipped if dice.random() < 0.3 else {},
    )


def _random_words(dice: random.Random, duration: float) -> list[dict[str, Any]]:
    vocabulary = [
        "we",
        "can",
        "see",
        "that",
        "maybe",
        "this",
        "basically",
        "kind",
        "of",
        "works",
        "like",
        "a",
        "talk",
        "um",
    ]
    sure = dice.choice([0.55, 0.9, 0.9, 0.95])
    return [
        {
            "text": dice.choice(vocabulary),
            "start": second,
            "end": second + 0.4,
            "probability": min(1.0, max(0.0, dice.gauss(sure, 0.05))),
        }
        for second in range(int(duration))
    ]


def _random_measurement(dice: random.Random, metric: Metric) -> dict[str, Any]:
    low, high = NARROWER.get(metric.id, TYPICAL[metric.unit])
    value = dice.uniform(low, high)
    measurement: dict[str, Any] = {
        "value": value,
        "n": dice.randint(1, 60),
        "coverage": dice.choice([0.4, 0.7, 0.9, 0.9, 1.0, 1.0]),
        "quality": dice.choice(["good", "good", "good", "good", "fair", "poor"]),
    }
    if dice.random() < 0.7:
        around = abs(value) * dice.uniform(0.02, 0.3)
        measurement["interval"] = [value - around, value + around]
    return measurement


def _random_event(
    dice: random.Random, duration: float, words: list[dict[str, Any]], kinds: Sequence[str]
) -> dict[str, Any]:
    kind = dice.choice(kinds)
    start = dice.uniform(-5, duration + 10)
    event: dict[str, Any] = {
        "kind": kind,
        "start": start,
        "end": start + dice.choice([0.5, 2.5, 5, 20, 40, 100]),
        "probability": dice.random(),
        "label": dice.choice(LABELS.get(kind, ("",))),
        "detail": {"place": dice.choice(PLACES), "count": 3},
    }
    event["detail"] |= dice.choice(DETAILS.get(kind, ({},)))
    if kind in QUOTED and words:
        word = dice.choice(words)
        said = word["text"] if dice.random() < 0.7 else "elephant"
        event |= {"start": word["start"], "end": word["end"], "label": said}
    return event


def random_context(seed: int) -> Context:
    """A context with some keys missing, the same for the same seed."""
    dice = random.Random(seed)  # noqa: S311 - dice, not secrets

    def perhaps(values: Any) -> Any:
        return dice.choice(values) if dice.random() < 0.7 else None

    rules = builtin_rule_set().rules
    shown = dice.sample(rules, k=dice.randint(0, 3))
    return Context.model_validate(
        {
            "aim": perhaps(get_args(Aim)),
            "audience": perhaps(get_args(Audience)),
            "setting": perhaps(get_args(Setting)),
            "camera_position": perhaps(get_args(CameraPosition)),
            "language": perhaps(["en", "fr"]),
            "time_limit": perhaps([60, 180, 300]),
            "goal": perhaps(get_args(Goal)),
            "slides": perhaps([True, False]),
            "disabled_families": dice.sample(sorted(PROFILE_FAMILIES), k=dice.choice([0, 0, 1, 3])),
            "baseline": {
                "fillers.filled_pauses_per_minute": {"value": 6, "takes": dice.randint(1, 5)},
                "pitch.sd_semitones": {"value": 8, "takes": 4},
            },
            "previous_items": [
                {
                    "rule": rule.id,
                    "value": dice.uniform(0.1, 10),
                    "takes_shown": dice.randint(1, 4),
                    "tone": rule.tone,
                }
                for rule in shown
            ],
        }
    )


def drafted(report: Report, **context: object) -> Draft:
    """What the built-in rules make of a take before a camera, in English."""
    known = Context.model_validate({"setting": "camera", "language": "en", **context})
    return draft(report, builtin_rule_set(), known)


def outcome(made: Draft, rule: str) -> Outcome:
    """What became of one rule."""
    return next(finding.outcome for finding in made.findings if finding.rule == rule)


def every_card(made: Draft) -> list[DraftItem]:
    """What is shown and what is held back."""
    return [*made.items, *(held.item for held in made.held_back)]

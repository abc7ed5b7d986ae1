"""Steps of each focus: thresholds for a whole take, from easier to harder.

They are rules of thumb, and the pages say so. The last step for ums is the rate that did not lower
how listeners rated a speech (Laske & DiGennaro Reed 2024, JABA 57:574-583).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coach.practice.change import Value
from coach.practice.redo.focus import measure_of

Outcome = Literal["met", "clearly_met", "missed", "clearly_missed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """One focus: its measure, the threshold of each step, and on which side a take should be."""

    metric: str
    side: Literal["at_most", "at_least"]
    steps: tuple[float, float, float]
    rule: str
    """The rule whose exercise trains it."""

    def judge(self, found: Value, step: int) -> Outcome:
        """Compare a take's value with a step (from 1); clearly means with its whole interval."""
        line = self.steps[step - 1]
        low = found.value if found.low is None else found.low
        high = found.value if found.high is None else found.high
        if self.side == "at_least":
            met, whole, none = found.value >= line, low >= line, high < line
        else:
            met, whole, none = found.value <= line, high <= line, low > line
        if met:
            return "clearly_met" if whole else "met"
        return "clearly_missed" if none else "missed"


_AT_MOST = {
    "fillers.filled_pauses_per_minute": ((8.0, 6.0, 5.0), "FIL001"),
    "fillers.filler_words_per_minute": ((8.0, 6.0, 5.0), "FIL002"),
    "pauses.long_mid_clause_per_minute": ((2.0, 1.0, 0.5), "PAU001"),
    "loudness.sentence_end_drop_share": ((0.4, 0.25, 0.1), "LOU001"),
    "wording.sentence_length_words": ((25.0, 22.0, 20.0), "WRD004"),
    "wording.hedges_per_100_words": ((4.0, 3.0, 2.0), "WRD001"),
}
_AT_LEAST = {
    "pauses.boundary_pause_share": ((0.2, 0.35, 0.5), "PAU002"),
    "pitch.sd_semitones": ((2.0, 2.5, 3.0), "PIT001"),
    "gaze.camera_facing_share": ((0.4, 0.5, 0.6), "GAZ001"),
    "structure.signposts_per_minute": ((0.5, 1.0, 1.5), "SGP001"),
}
"""The value of each step, and the rule whose exercise trains it."""

LADDERS = {
    **{
        metric: Ladder(metric=metric, side="at_most", steps=steps, rule=rule)
        for metric, (steps, rule) in _AT_MOST.items()
    },
    **{
        metric: Ladder(metric=metric, side="at_least", steps=steps, rule=rule)
        for metric, (steps, rule) in _AT_LEAST.items()
    },
}
STEPS = 3


_TRAINED_AS = {
    "fillers.bursts_per_minute": "fillers.filled_pauses_per_minute",
    "pace.fast_passage_share": "pauses.silent_per_minute",
    "pace.articulation_rate_syllables_per_second": "pauses.silent_per_minute",
    "pace.end_rush_ratio": "pauses.silent_per_minute",
    "pace.opening_ratio": "pauses.silent_per_minute",
    "pitch.variation_quotient": "pitch.sd_semitones",
    "pitch.monotone_share": "pitch.sd_semitones",
}
"""What is practised over weeks where a card's own measure has no steps."""


def ladder_for(metric: str) -> Ladder | None:
    """Return the focus for a card's measure; None if there is none."""
    if metric == "structure.longest_unmarked_seconds":
        return LADDERS["structure.signposts_per_minute"]
    return LADDERS.get(metric) or LADDERS.get(_TRAINED_AS.get(metric, measure_of(metric)))

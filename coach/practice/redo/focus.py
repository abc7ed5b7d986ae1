"""Measure by which a redone part is compared, and the length of a part."""

from __future__ import annotations

from analysis.metrics import BY_ID, FAMILIES, PROFILE_FAMILIES
from coach.feedback.documents import CardDocument
from coach.practice.preferences import is_quiet
from coach.rehearsals.models import Rehearsal

USUAL_SECONDS = 30.0
"""Long enough for several sentences, short enough to keep one thing in mind (rule of thumb)."""
LEAST_SECONDS, MOST_SECONDS = 15.0, 90.0
"""Under the least hardly any measure has a value; the most is what one says again by heart
(rules of thumb)."""

PARTS_OF = {
    "fillers.bursts_per_minute": (
        "fillers.filled_pauses_per_minute",
        "fillers.filler_words_per_minute",
    )
}
"""A burst is made of ums and filler words, and half a minute holds one at most: what is compared
is how often either was heard."""

_ITSELF = (
    "fillers.filled_pauses_per_minute",
    "fillers.filler_words_per_minute",
    "fillers.bursts_per_minute",
    "pauses.silent_per_minute",
    "pauses.boundary_pause_share",
    "pauses.long_mid_clause_per_minute",
    "pitch.sd_semitones",
    "pitch.variation_quotient",
    "pitch.monotone_share",
    "loudness.range_db",
    "loudness.sentence_end_drop_share",
    "wording.hedges_per_100_words",
    "wording.verbal_habits_per_minute",
    "wording.restarts_per_100_words",
    "wording.sentence_length_words",
    "gaze.camera_facing_share",
    "gaze.look_downs_per_minute",
    "posture.shoulder_tilt_degrees",
    "posture.sway_shoulder_widths",
    "posture.arms_crossed_share",
    "posture.hands_hidden_share",
    "posture.self_touch_per_minute",
    "gesture.movement_share",
)
"""Those that half a minute can have a value and an interval for."""

_STANDS_FOR = {
    "pauses.silence_share": "pauses.silent_per_minute",
    "pauses.longest_run_seconds": "pauses.silent_per_minute",
    "pitch.trend_semitones": "pitch.sd_semitones",
    "wording.long_sentence_share": "wording.sentence_length_words",
    "gaze.opening_facing_share": "gaze.camera_facing_share",
    "gaze.closing_facing_share": "gaze.camera_facing_share",
    "gesture.longest_still_seconds": "gesture.movement_share",
}
"""What a whole talk shows and half a minute cannot: the measure of the same thing in a stretch.

Pace has none, so its cards offer no stretch: a count of pauses would compare something else.
"""


def measure_of(metric: str) -> str:
    """Return the measure for comparing a part, for a card about this measure; empty if
    there is none.
    """
    return metric if metric in _ITSELF else _STANDS_FOR.get(metric, "")


def measures_for(take: Rehearsal) -> tuple[str, ...]:
    """Return the measures for comparing parts of this take, without those its owner has excluded.

    Excluded are measures that they switched off or asked not to be mentioned.
    """
    off = set(take.disabled_families)
    return tuple(
        each
        for each in _ITSELF
        if not off & _families(each) and not is_quiet(each, take.quiet) and _can_see(take, each)
    )


def _can_see(take: Rehearsal, metric: str) -> bool:
    needs_picture = BY_ID[metric].family in {"gaze", "head", "posture", "gesture"}
    return not needs_picture or take.has_video is not False


def _families(metric: str) -> set[str]:
    """Return the profile families that include the measure."""
    return {name for name, those in PROFILE_FAMILIES.items() if BY_ID[metric].family in those}


def all_but(metric: str) -> tuple[str, ...]:
    """Return the families that a recording with this focus leaves unmeasured."""
    return tuple(each for each in FAMILIES if each not in {BY_ID[metric].family, "signal"})


def span_around(
    card: CardDocument | None, duration: float, seconds: float = USUAL_SECONDS
) -> tuple[float, float]:
    """Return a part of this length around a card's first moment, inside the take."""
    first = card.clips[0] if card and card.clips else None
    middle = (first.start + first.end) / 2 if first else seconds / 2
    start = max(0.0, min(middle - seconds / 2, duration - seconds))
    return float(int(start)), float(int(min(start + seconds, duration)))

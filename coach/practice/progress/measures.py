"""Measures for each goal: few, each with an interval, so that a change can be judged."""

from __future__ import annotations

from coach.rehearsals.models import Goal

BY_GOAL: dict[str, tuple[str, ...]] = {
    Goal.FLUENCY: (
        "fillers.filled_pauses_per_minute",
        "fillers.filler_words_per_minute",
        "pauses.long_mid_clause_per_minute",
    ),
    Goal.CLARITY: (
        "pauses.boundary_pause_share",
        "loudness.sentence_end_drop_share",
        "wording.sentence_length_words",
    ),
    Goal.VOCAL_VARIETY: ("pitch.sd_semitones", "loudness.range_db"),
    Goal.AUDIENCE_CONTACT: ("gaze.camera_facing_share", "gaze.look_downs_per_minute"),
    Goal.PRESENCE: ("gesture.movement_share", "posture.sway_shoulder_widths"),
    Goal.STRUCTURE: ("structure.signposts_per_minute", "structure.questions_per_minute"),
}
"""In the order in which they are read."""

ALL = tuple(metric for those in BY_GOAL.values() for metric in those)

LEAST_COVERAGE = 0.6
"""A value that rests on less of the talk is left out: as the rules' own gate (rule of thumb)."""

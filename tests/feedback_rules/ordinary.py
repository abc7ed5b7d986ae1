"""An ordinary good talk of four minutes, in which no rule has anything to say."""

from __future__ import annotations

from typing import Any

from tests.feedback_rules.reports import events

ORDINARY: dict[str, Any] = {
    "pace.words_per_minute": 148,
    "pace.articulation_rate_syllables_per_second": 4.8,
    "pace.end_rush_ratio": {"value": 1.08, "interval": [1.0, 1.16]},
    "pace.fast_passage_share": 0,
    "pauses.long_mid_clause_per_minute": {"value": 0, "interval": [0, 0.5]},
    "pauses.boundary_pause_share": {"value": 0.4, "n": 40, "interval": [0.3, 0.5]},
    "pauses.mean_length_of_run_syllables": 14,
    "pauses.silence_share": 0.2,
    "fillers.filled_pauses_per_minute": {"value": 4.2, "n": 16, "interval": [3.1, 6.2]},
    "fillers.filler_words_per_minute": {"value": 1.4, "interval": [0.7, 2.5]},
    "fillers.bursts_per_minute": 0.2,
    "pitch.variation_quotient": {"value": 0.14, "n": 24, "interval": [0.13, 0.15]},
    "pitch.range_semitones": 7.5,
    "pitch.monotone_share": 0.05,
    "loudness.range_db": {"value": 19, "interval": [18, 20]},
    "loudness.sentence_end_drop_share": {"value": 0.22, "n": 40},
    "loudness.trend_db": -1,
    "wording.restarts_per_100_words": 1.1,
    "wording.verbal_habits_per_minute": 0,
    "wording.anaphora_count": 0,
    "wording.sentence_length_words": {"value": 17, "n": 40, "interval": [15.5, 18.5]},
    "wording.long_sentence_share": {"value": 0.08, "n": 40},
    "gaze.camera_facing_share": {"value": 0.6, "n": 900, "interval": [0.55, 0.65]},
    "gaze.opening_facing_share": {"value": 0.7, "interval": [0.6, 0.8]},
    "gaze.closing_facing_share": {"value": 0.65, "interval": [0.55, 0.75]},
    "gaze.look_downs_per_minute": 2,
    "gaze.look_aways_per_minute": 6,
    "gesture.movement_share": 0.15,
    "gesture.hands_visible_share": 0.6,
    "gesture.strokes_per_minute": 5,
    "gesture.longest_still_seconds": 30,
    "signal.snr_db": 28,
    "signal.clipping_share": 0,
    "signal.talk_seconds": 237,
}
SENTENCES = events("sentence", *range(2, 236, 6), lasting=4.5, detail={"words": 17})

"""Derived moments that rules compute from a report's events and tracks, for playback."""

from __future__ import annotations

DERIVED_KINDS: dict[str, str] = {
    "facing_camera": "A stretch of 10 s and more of speech without a look away.",
    "run_of_sentences": "Sentences in a row, two ends and more, with no silence of half a second.",
    "over_time": "From where the time limit passed to the last words.",
    "last_third": "The last third of the talk.",
    "level_window": "10 s in which the pitch moved by less than 12 percent.",
    "um_before_sentence": "An um or uh before the first word of a sentence.",
    "um_inside_sentence": "An um or uh after the first word of a sentence.",
    "um_before_number": "An um or uh after which a number comes next.",
}
DERIVED_FAMILIES: dict[str, str] = {
    "facing_camera": "gaze",
    "run_of_sentences": "pauses",
    "level_window": "pitch",
    "um_before_sentence": "fillers",
    "um_inside_sentence": "fillers",
    "um_before_number": "fillers",
}

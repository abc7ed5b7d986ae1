"""Which metric family an event kind belongs to, so that a switched-off family leaves no trace."""

from __future__ import annotations

EVENT_FAMILIES: dict[str, str] = {
    "filled_pause": "fillers",
    "filler_word": "fillers",
    "filler_burst": "fillers",
    "silent_pause": "pauses",
    "fast_passage": "pace",
    "end_rush": "pace",
    "monotone_stretch": "pitch",
    "lively_stretch": "pitch",
    "quiet_sentence_end": "loudness",
    "hedge": "wording",
    "restart": "wording",
    "verbal_habit": "wording",
    "anaphora": "wording",
    "long_sentence": "wording",
    "look_away": "gaze",
    "out_of_view": "signal",
    "arms_crossed": "posture",
    "self_touch": "posture",
    "hands_hidden": "posture",
    "leaning": "posture",
    "hands_still": "gesture",
    "hands_moving": "gesture",
}
"""`sentence`, `opening` and `closing` only say where, so they belong to no family."""

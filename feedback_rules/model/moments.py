"""Derived moments that rules compute from a report's events and tracks, for playback."""

from __future__ import annotations

from analysis.events import EventKind
from analysis.marks import gettext_noop as _

# fmt: off
DERIVED: tuple[EventKind, ...] = (
    EventKind(
        "facing_camera", "gaze", _("Stretches facing the camera"),
        "A stretch of 10 s and more of speech without a look away.",
    ),
    EventKind(
        "run_of_sentences", "pauses", _("Sentences in a row without a pause"),
        "Sentences in a row, two ends and more, with no silence of half a second.",
    ),
    EventKind(
        "over_time", "", _("Overtime"),
        "From where the time limit passed to the last words.",
    ),
    EventKind(
        "last_third", "", _("The last third of the talk"),
        "The last third of the talk.",
    ),
    EventKind(
        "level_window", "pitch", _("Ten seconds of level pitch"),
        "10 s in which the pitch moved by less than 12 percent.",
    ),
    EventKind(
        "um_before_sentence", "fillers", _("Ums before a sentence"),
        "An um or uh before the first word of a sentence.",
    ),
    EventKind(
        "um_inside_sentence", "fillers", _("Ums inside a sentence"),
        "An um or uh after the first word of a sentence.",
    ),
    EventKind(
        "um_before_number", "fillers", _("Ums before a number"),
        "An um or uh after which a number comes next.",
    ),
)
# fmt: on

DERIVED_KINDS: dict[str, str] = {each.id: each.definition for each in DERIVED}
DERIVED_FAMILIES: dict[str, str] = {each.id: each.family for each in DERIVED if each.family}

"""Registry of all analysers, in the order in which they run."""

from __future__ import annotations

from typing import Protocol

from analysis.analysers.arms import Arms
from analysis.analysers.callbacks import Callbacks
from analysis.analysers.edge_words import EdgeWords
from analysis.analysers.fillers import Fillers
from analysis.analysers.gaze import CameraFacing
from analysis.analysers.gaze_degrees import GazeInDegrees
from analysis.analysers.gesture import Gesture
from analysis.analysers.head import HeadDirection
from analysis.analysers.loudness import Loudness
from analysis.analysers.melody_over_time import PitchTrend
from analysis.analysers.number_density import NumberDensity
from analysis.analysers.pace import Pace
from analysis.analysers.pauses import SilentPauses
from analysis.analysers.pitch import Pitch
from analysis.analysers.posture import Posture
from analysis.analysers.questions import Questions
from analysis.analysers.runs import Runs
from analysis.analysers.signal import Signal
from analysis.analysers.signposts import Signposts
from analysis.analysers.slide_use import SlideUse
from analysis.analysers.visibility import Visibility
from analysis.analysers.wording import WordChoice
from analysis.ports import Measured
from analysis.talk.talk import Talk


class Analyser(Protocol):
    """Analyser of one dimension of speaking; `provides` lists the ids of its metrics."""

    name: str
    provides: tuple[str, ...]

    def measure(self, talk: Talk) -> Measured:
        """Measure or skip every provided metric; metrics that cannot be measured raise no error."""


# Explicit on purpose: the order is visible, imports have no side effects, and a new analyser shows
# in the diff. A test compares the provided metrics with the catalogue.
ANALYSERS: tuple[Analyser, ...] = (
    Pace(),
    SilentPauses(),
    Runs(),
    Fillers(),
    Pitch(),
    PitchTrend(),
    Loudness(),
    WordChoice(),
    Signposts(),
    EdgeWords(),
    Questions(),
    NumberDensity(),
    Callbacks(),
    SlideUse(),
    CameraFacing(),
    GazeInDegrees(),
    HeadDirection(),
    Posture(),
    Arms(),
    Gesture(),
    Signal(),
    Visibility(),
)

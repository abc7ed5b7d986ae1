"""Every analyser there is, in the order in which they are asked."""

from __future__ import annotations

from typing import Protocol

from analysis.analysers.arms import Arms
from analysis.analysers.callbacks import Callbacks
from analysis.analysers.edge_words import EdgeWords
from analysis.analysers.fillers import Fillers
from analysis.analysers.gaze import CameraFacing
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
from analysis.analysers.visibility import Visibility
from analysis.analysers.wording import WordChoice
from analysis.ports import Measured
from analysis.talk.talk import Talk


class Analyser(Protocol):
    """One dimension of speaking. `provides` names each metric that `measure` decides on."""

    name: str
    provides: tuple[str, ...]

    def measure(self, talk: Talk) -> Measured:
        """Measure or skip every provided metric; raises nothing for what cannot be measured."""


# Explicit on purpose: the order is visible, importing has no side effect, and adding an analyser
# shows in the diff. A test holds what they provide against the catalogue.
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
    CameraFacing(),
    HeadDirection(),
    Posture(),
    Arms(),
    Gesture(),
    Signal(),
    Visibility(),
)

"""Every analyser there is, in the order in which they are asked."""

from __future__ import annotations

from analysis.analysers.gaze import CameraFacing
from analysis.analysers.gesture import Gesture
from analysis.analysers.head import Head
from analysis.analysers.posture import Posture
from analysis.analysers.visibility import Visibility
from analysis.ports import Analyser

# Explicit on purpose: the order is visible, importing has no side effect, and adding an analyser
# shows in the diff. A test holds what they provide against the catalogue.
ANALYSERS: tuple[Analyser, ...] = (
    CameraFacing(),
    Head(),
    Posture(),
    Gesture(),
    Visibility(),
)

"""Recording situations: closed sets of values, shared by rules and pages."""

from __future__ import annotations

from typing import Literal

Setting = Literal["camera", "stage", "seated"]
CameraPosition = Literal["level", "above", "below", "side"]

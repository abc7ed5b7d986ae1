"""The closed sets that a recording's situation is told in; rules and pages use the same ones."""

from __future__ import annotations

from typing import Literal

Setting = Literal["camera", "stage", "seated"]
CameraPosition = Literal["level", "above", "below", "side"]

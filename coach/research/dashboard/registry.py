"""Registry of dashboard pages, one entry per module."""

from __future__ import annotations

from typing import Final

from coach.research.dashboard.coding import FREQUENCIES, QUOTES, TOGETHER
from coach.research.dashboard.completeness import COMPLETENESS
from coach.research.dashboard.feedback import AGREEMENT, OUTCOMES
from coach.research.dashboard.measures import MEASURES
from coach.research.dashboard.spec import Glance

GLANCES: Final[tuple[Glance, ...]] = (
    COMPLETENESS,
    AGREEMENT,
    OUTCOMES,
    MEASURES,
    FREQUENCIES,
    TOGETHER,
    QUOTES,
)
BY_NAME: Final[dict[str, Glance]] = {each.name: each for each in GLANCES}

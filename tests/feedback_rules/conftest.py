"""What rules say of recordings: the reports of these are kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from analysis.results import Report
from tests.conftest import SESSIONS
from tests.kept_reports import kept_report

Kept = Callable[[str, Callable[[], Report]], Report]


@pytest.fixture(scope="module")
def kept(request: pytest.FixtureRequest) -> Kept:
    """A report by its name in this file, and how it is made."""
    return partial(kept_report, SESSIONS, request.path)

"""What tests of projects share."""

from __future__ import annotations

import pytest

from coach.accounts.models import User
from coach.research.studies.models import Study
from tests.coach.research.making import make_study


@pytest.fixture
def study(researcher: User) -> Study:
    """Rui's, with nothing in it."""
    return make_study(researcher)

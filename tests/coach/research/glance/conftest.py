"""A study that is ready to be looked at."""

from __future__ import annotations

import pytest

from coach.research.coding.models import Round
from coach.research.studies.models import Study


@pytest.fixture
def coded(study: Study) -> Study:
    """The round is closed, and one person is a group large enough."""
    Round.objects.filter(study=study).update(state=Round.State.CLOSED)
    Study.objects.filter(pk=study.pk).update(least_group=1)
    study.refresh_from_db()
    return study

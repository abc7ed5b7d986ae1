"""Who else there is where takes are reviewed."""

from __future__ import annotations

import pytest

from coach.accounts.models import Cohort, Role, User
from coach.accounts.people import join_cohort
from tests.coach.factories import UserFactory, join


@pytest.fixture
def leader(cohort: Cohort) -> User:
    """Eve, who coaches and leads Ana's group."""
    eve = UserFactory(email="eve@example.org", name="Eve", roles=[Role.COACH])
    join_cohort(person=eve, cohort=cohort, role=Role.COACH, actor=None, leads=True)
    return eve


@pytest.fixture
def second_coach(cohort: Cohort) -> User:
    """Dan, who coaches Ana's group as well."""
    dan = UserFactory(email="dan@example.org", name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    return dan

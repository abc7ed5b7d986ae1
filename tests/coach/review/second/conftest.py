"""A take that two coaches judge, and who does."""

from __future__ import annotations

import pytest

from coach.accounts.models import Cohort, Role, User
from coach.rehearsals.models import Rehearsal
from coach.review.models import Review
from coach.review.services import enqueue_sent
from tests.coach.factories import UserFactory, join


@pytest.fixture
def dora(cohort: Cohort) -> User:
    """Bea's colleague."""
    person = UserFactory(email="dora@example.org", name="Dora", roles=[Role.COACH])
    join(cohort, person, Role.COACH)
    return person


@pytest.fixture
def sampled(cohort: Cohort, dora: User, sent: Rehearsal) -> Rehearsal:
    """Ana's take, which two coaches judge."""
    enqueue_sent()
    Review.objects.update(wants_second=True)
    return sent

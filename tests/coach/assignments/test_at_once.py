"""Two takes that are handed in from two windows at the same moment: one counts, and stays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from coach.accounts.models import Cohort, User
from coach.assignments.models import AssignmentWork
from coach.assignments.services import hand_in, write_assignment
from coach.rehearsals.models import AccessGrant
from tests.coach.assignments.making import a_brief, a_take
from tests.coach.crossing import in_the_middle_of, on_its_own, until_one_waits


@pytest.mark.django_db(transaction=True)
def test_of_two_takes_handed_in_at_once_the_first_one_counts(
    cohort: Cohort, trainee: User, coach: User
) -> None:
    assignment = write_assignment(cohort=cohort, brief=a_brief(), is_published=True, actor=coach)
    takes = [a_take(trainee, assignment) for _number in range(2)]
    first, second = (
        partial(hand_in, assignment=assignment, person=trainee, take_id=take.pk) for take in takes
    )
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(first, pool):
            later = pool.submit(on_its_own(second))
            until_one_waits()
        with pytest.raises(ValidationError):
            later.result(timeout=30)
    assert AssignmentWork.objects.get().take == takes[0]
    assert AccessGrant.objects.filter(revoked_at=None).count() == 1

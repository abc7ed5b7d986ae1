"""A claim that is given back at the very moment in which it is prolonged."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from coach.review.models import Review
from coach.review.services import claim_rehearsal, give_back


@pytest.mark.django_db(transaction=True)
def test_claiming_what_is_given_back_at_the_same_moment_is_no_error(
    sent: Rehearsal, coach: User
) -> None:
    start = Barrier(4, timeout=60)

    def act(number: int) -> None:
        start.wait()
        try:
            for _each in range(25):
                if number % 2:
                    give_back(rehearsal=sent, coach=coach)
                else:
                    assert claim_rehearsal(rehearsal=sent, coach=coach).coach == coach
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(act, range(4)))
    assert Review.objects.count() <= 1

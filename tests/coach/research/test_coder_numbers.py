"""Two who become coders of a study at the same moment get a number each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from coach.accounts.models import Role, User
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import Code
from coach.research.coding.rounds.services import coder_of
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_study


@pytest.mark.django_db(transaction=True)
def test_who_becomes_a_coder_at_the_same_moment_waits_and_gets_the_next_number(
    researcher: User,
) -> None:
    study = make_study(researcher)
    Code.objects.create(study=study, name="pauses")
    book = keep_version(study=study, note="", actor=researcher)
    ida = UserFactory(name="Ida", roles=[Role.RESEARCHER])

    def become(person: User) -> int:
        try:
            with transaction.atomic():
                return coder_of(study, person, book).number
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            first = coder_of(study, researcher, book).number
            others = [pool.submit(become, person) for person in (ida, researcher)]
            with pytest.raises(TimeoutError):
                others[0].result(timeout=0.5)
        assert (first, [each.result(timeout=30) for each in others]) == (1, [2, 1])

"""A rule whose takes are counted."""

from __future__ import annotations

from coach.accounts.models import Cohort
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis

RULE = "FIL001"


def make_takes(cohort: Cohort | None, people: int) -> None:
    for _ in range(people):
        finish_analysis(RehearsalFactory(owner=UserFactory(), cohort=cohort))

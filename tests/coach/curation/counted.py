"""A rule whose takes are counted, and what trainees could read of it."""

from __future__ import annotations

from django.utils import timezone

from coach.accounts.models import Cohort
from coach.feedback.models import Feedback
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis

RULE = "FIL001"


def make_takes(cohort: Cohort | None, people: int) -> None:
    for _ in range(people):
        finish_analysis(RehearsalFactory(owner=UserFactory(), cohort=cohort))


def release(feedback: Feedback) -> None:
    Feedback.objects.filter(pk=feedback.pk).update(
        state=Feedback.State.RELEASED, released_at=timezone.now(), released_by_name="Bea"
    )

"""Serialisation of withdrawals and deletions with finishing and downloading bundles.

A withdrawal looks for bundles that contain the data, and finishing a bundle checks that its data is
still permitted. Concurrently, neither would see the other's write. So both lock the study first,
before any other row: with one order there is no deadlock.
"""

from __future__ import annotations

from coach.accounts.models import User
from coach.research.studies.models import Pseudonym, Study


def hold_study(study_id: int) -> None:
    """Lock a study until the transaction ends."""
    Study.objects.select_for_update(no_key=True).get(pk=study_id)


def hold_studies_of(user: User) -> None:
    """Lock every study that the user takes part in."""
    theirs = Pseudonym.objects.filter(user=user).values("study")
    held = Study.objects.select_for_update(no_key=True).filter(pk__in=theirs).order_by("pk")
    list(held.values_list("pk", flat=True))

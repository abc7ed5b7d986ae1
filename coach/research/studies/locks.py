"""One after the other: what people take back or delete, and bundles that end or are fetched.

Who takes something back looks for the bundles that hold it, and who ends a bundle looks whether
everything in it is still there. At the same moment neither would see what the other is about to
write. So both hold the study first, before any other row: with one order nobody waits for somebody
who waits for them.
"""

from __future__ import annotations

from coach.accounts.models import User
from coach.research.studies.models import Pseudonym, Study


def hold_study(study_id: int) -> None:
    """Lock a study until the transaction ends."""
    Study.objects.select_for_update(no_key=True).get(pk=study_id)


def hold_studies_of(user: User) -> None:
    """The same of every study that somebody takes part in."""
    theirs = Pseudonym.objects.filter(user=user).values("study")
    held = Study.objects.select_for_update(no_key=True).filter(pk__in=theirs).order_by("pk")
    list(held.values_list("pk", flat=True))

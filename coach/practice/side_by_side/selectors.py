"""The takes that a reader may put side by side."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from coach.accounts.models import User
from coach.feedback.models import Run
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import readable_rehearsals_for


def comparable_takes_for(user: User) -> QuerySet[Rehearsal]:
    """Return analysed takes that the user can read: their own, and those shared with findings."""
    done = Run.objects.filter(rehearsal=OuterRef("pk"), state=Run.State.DONE, report__isnull=False)
    readable = readable_rehearsals_for(user).select_related("owner__profile", "cohort")
    return readable.filter(Exists(done))

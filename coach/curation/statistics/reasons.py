"""The reasons that coaches wrote when they changed or rejected a rule's cards."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.curation.statistics.counting import counted_drafts
from coach.feedback.models import Verdict

MOST_READ = 50
"""The number of newest reasons on a rule's page (rule of thumb)."""
_TELLING = (Verdict.Kind.EDIT, Verdict.Kind.REJECT, Verdict.Kind.REPLACE)


def reasons_written_for(curator: User, *, rule: str, days: int | None = None) -> QuerySet[Verdict]:
    """Return decisions with a written reason on a rule's cards, newest first.

    Only of takes in the statistics, and only for curators.
    """
    if not curator.can_curate:
        return Verdict.objects.none()
    return (
        Verdict.objects.filter(
            item__rule=rule,
            item__feedback__in=counted_drafts(days),
            kind__in=_TELLING,
            undone_at=None,
        )
        .exclude(note="")
        .select_related("item")
        .order_by("-at", "-pk")
    )

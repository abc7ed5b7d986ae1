"""Rules on trial: whether coaches have given enough verdicts on them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Count, Exists, OuterRef, Q

from coach.feedback.models import Item, Verdict
from coach.review.models import Review

ENOUGH_VERDICTS = 30
"""The number of verdicts from which the kept share of a rule counts (rule of thumb)."""

Version = tuple[str, int | None]


def lacks_verdicts(versions: Collection[Version]) -> bool:
    """Return whether a version under trial has too few verdicts, expected ones included.

    Waiting takes will be reviewed anyway: a rule that fires in every talk needs no take of its own.
    """
    if not versions:
        return False
    are_these = Q()
    for rule, version in versions:
        are_these |= Q(rule=rule, rule_version=version)
    given = Verdict.objects.filter(item=OuterRef("pk"), undone_at=None)
    waits = Review.objects.filter(rehearsal=OuterRef("feedback__rehearsal"), finished_at=None)
    is_judged = Exists(given.exclude(kind=Verdict.Kind.HOLD)) | Exists(waits)
    counted = Item.objects.filter(are_these, is_judged, origin=Item.Origin.RULE)
    counts = counted.order_by().values("rule", "rule_version").annotate(items=Count("pk"))
    enough = counts.filter(items__gte=ENOUGH_VERDICTS)
    return enough.count() < len(versions)

"""What a coach decides on each item, read from a form whose fields are named by items."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import QueryDict

from coach.feedback.models import Item, RejectReason
from coach.review.moments import MOST_TYPED, ClipsField
from coach.review.second.models import Decision
from coach.review.second.services import Verdict


def verdicts_from(sent: QueryDict, items: Iterable[Item]) -> dict[str, Verdict]:
    """By item; those that say nothing, or nothing that we know, are left out.

    Raises ValidationError for moments that cannot be read.
    """
    moments = ClipsField(required=False, max_length=MOST_TYPED)
    found: dict[str, Verdict] = {}
    for item in items:
        kind = sent.get(f"kind_{item.pk}", "")
        reason = sent.get(f"reason_{item.pk}", "")
        if kind in Decision.Kind.values:
            known = reason if reason in RejectReason.values else ""
            found[str(item.pk)] = Verdict(
                kind=kind,
                reason=known,
                # What somebody rejects is nowhere, and its field is hidden.
                moments=moments.clean(sent.get(f"clips_{item.pk}", "")) if kind == "keep" else (),
            )
    return found

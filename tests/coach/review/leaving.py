"""For tests: half a minute goes by."""

from __future__ import annotations

from django.utils import timezone

from coach.feedback.models import Feedback
from coach.feedback.releases import TAKE_BACK_FOR


def let_it_leave() -> None:
    """What was released can no longer be taken back: its owner reads it now."""
    leaving = Feedback.objects.filter(released_at__gt=timezone.now())
    for each in leaving:
        at = each.released_at
        assert at is not None
        Feedback.objects.filter(pk=each.pk).update(released_at=at - TAKE_BACK_FOR)

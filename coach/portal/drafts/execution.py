"""What passes with time."""

from __future__ import annotations

from django.utils import timezone

from coach.portal.drafts.selectors import BEGUN_FOR, KEPT_FOR, MARK_LIVES
from coach.portal.models import BegunForm, KeptForm, PageMark


def forget_kept_forms() -> int:
    """Delete what nobody came back for in time; returns how many forms."""
    now = timezone.now()
    PageMark.objects.filter(made_at__lt=now - MARK_LIVES).delete()
    BegunForm.objects.filter(kept_at__lt=now - BEGUN_FOR).delete()
    count, _each = KeptForm.objects.filter(kept_at__lt=now - KEPT_FOR).delete()
    return count

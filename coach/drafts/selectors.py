"""Drafts of one person, for that person."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.drafts.models import FormDraft


def drafts_for(user: User) -> QuerySet[FormDraft]:
    """Return the person's own drafts that have not expired, newest first."""
    is_current = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return FormDraft.objects.filter(is_current, user=user)


def autosaved_drafts_for(user: User) -> QuerySet[FormDraft]:
    """Return the forms that the person has begun and not submitted."""
    return drafts_for(user).filter(is_submitted=False)


def submitted_drafts_for(user: User) -> QuerySet[FormDraft]:
    """Return the forms that the person submitted after the session had expired."""
    return drafts_for(user).filter(is_submitted=True)

"""Queries for a user's own drafts."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.drafts.models import FormDraft


def drafts_for(user: User) -> QuerySet[FormDraft]:
    """Return the user's own unexpired drafts, newest first."""
    is_current = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return FormDraft.objects.filter(is_current, user=user)


def autosaved_drafts_for(user: User) -> QuerySet[FormDraft]:
    """Return the user's autosaved drafts of unsubmitted forms."""
    return drafts_for(user).filter(is_submitted=False)


def submitted_drafts_for(user: User) -> QuerySet[FormDraft]:
    """Return the user's forms submitted after their session had expired."""
    return drafts_for(user).filter(is_submitted=True)

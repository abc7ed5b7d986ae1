"""Reading what was kept: only the person who typed it."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.portal.drafts.page_marks import digest_of_token
from coach.portal.models import BegunForm, KeptForm, PageMark

KEPT_FOR = timedelta(hours=24)
"""Long enough to go on the next morning; nothing is left lying about (rule of thumb)."""

BEGUN_FOR = timedelta(days=14)
"""Longer than a holiday week; what was sent or emptied goes at once (rule of thumb)."""

MARK_LIVES = timedelta(days=30)
"""A page that was open for longer no longer says whose it is (rule of thumb; a session has 14)."""


def kept_forms_for(user: User) -> QuerySet[KeptForm]:
    """What the person typed lately and could not send, newest first."""
    return KeptForm.objects.filter(user=user, kept_at__gte=timezone.now() - KEPT_FOR)


def begun_forms_for(user: User) -> QuerySet[BegunForm]:
    """What the person is typing and has not sent, newest first."""
    lately = timezone.now() - BEGUN_FOR
    return BegunForm.objects.filter(user=user, kept_at__gte=lately).order_by("-kept_at")


def owner_of_page(token: str) -> User | None:
    """The person for whom the page with this form was made; None where that is not known."""
    digest = digest_of_token(token)
    if not digest:
        return None
    lately = PageMark.objects.filter(made_at__gte=timezone.now() - MARK_LIVES)
    mark = lately.filter(digest=digest, user__is_active=True).select_related("user").first()
    return mark.user if mark else None

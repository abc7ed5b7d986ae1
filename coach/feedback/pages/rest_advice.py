"""Advice to rest before the next take, if a rest is more useful."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.rehearsals.selectors import own_rehearsals_for

_LATELY, _MANY = timedelta(hours=3), 6
"""The period, and the number of recorded and used takes in it for the advice (rule of thumb)."""


def rest_words(user: User) -> str:
    """Return advice to rest, or an empty string; uploaded files, of unknown date, do not count."""
    since = timezone.now() - _LATELY
    count = own_rehearsals_for(user).filter(created_at__gte=since).exclude(capture={}).count()
    if count < _MANY:
        return ""
    return _(
        "You have recorded %(count)d takes within three hours. From one take to the next, most "
        "changes are chance, and voices tire. One more take after a rest, or a night’s sleep, "
        "will tell you more than another one now."
    ) % {"count": count}

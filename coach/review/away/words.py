"""Words for the days on which a coach is away."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.lib.words.dates import written


def away_words(coach: User) -> str:
    """Return the days on which a coach is or will be away; empty if there are none to come."""
    first, last, today = coach.away_from, coach.away_until, timezone.localdate()
    if first is None or last is None or last < today:
        return ""
    if first <= today:
        return _("Away until %(last)s") % {"last": written(last, "j F")}
    return _("Away from %(first)s to %(last)s") % {
        "first": written(first, "j F"),
        "last": written(last, "j F"),
    }

"""By when a coach answers, as the group promised it: told before a take is sent, and afterwards."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import Cohort
from coach.lib.words.dates import date_words
from coach.rehearsals.models import AccessGrant


def promise_words(grant: AccessGrant | None, answering: Cohort | None, *, is_paused: bool) -> str:
    """What the group promised, in a sentence; empty where it promised nothing.

    `is_paused`: a coach has asked something first. The clock stands still meanwhile, so that no
    day is sure.
    """
    cohort = grant.cohort if grant is not None else answering
    if cohort is None or not cohort.reply_hours or is_paused:
        return ""
    if grant is None:
        return ngettext(
            "In your group a coach answers within %(count)d hour.",
            "In your group a coach answers within %(count)d hours.",
            cohort.reply_hours,
        ) % {"count": cohort.reply_hours}
    due = grant.created_at + timedelta(hours=cohort.reply_hours)
    return _("Answer promised by %(date)s.") % {"date": date_words(due)}

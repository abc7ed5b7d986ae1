"""By when a coach answers, as the group promised it: told before a take is sent, and afterwards."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import Cohort
from coach.lib.dates import date_words
from coach.rehearsals.models import AccessGrant, Rehearsal


def promise_words(
    rehearsal: Rehearsal, grant: AccessGrant | None, answering: Cohort | None, *, is_released: bool
) -> str:
    """What the group promised, in a sentence; empty where it promised nothing or has answered."""
    cohort = grant.cohort if grant is not None else answering
    if is_released or cohort is None or not cohort.reply_hours:
        return ""
    if grant is None:
        return ngettext(
            "In your group a coach answers within %(count)d hour.",
            "In your group a coach answers within %(count)d hours.",
            cohort.reply_hours,
        ) % {"count": cohort.reply_hours}
    # While a coach waits for an answer the clock stands still, and no day is sure.
    if rehearsal.questions.filter(item=None).exists():
        return ""
    due = grant.created_at + timedelta(hours=cohort.reply_hours)
    return _("An answer was promised by %(date)s.") % {"date": date_words(due)}

"""By when a coach answers, as the group promised it: told before a take is sent, and afterwards."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import Cohort
from coach.accounts.selectors import cohort_has_coach
from coach.feedback.conversation import LONGEST
from coach.feedback.models import Question
from coach.lib.words.dates import date_words
from coach.rehearsals.models import AccessGrant


def promise_words(
    grant: AccessGrant | None, answering: Cohort | None, asked: Question | None
) -> str:
    """What the group promised, in a sentence; empty where it promised nothing, or has no coach now.

    `asked`: what a coach asked last. While they wait for the answer the clock stands still, so that
    no day is sure; the day is later by as long as it stood.
    """
    cohort = grant.cohort if grant is not None else answering
    if cohort is None or not cohort.reply_hours or not cohort_has_coach(cohort):
        return ""
    if grant is None:
        return ngettext(
            "Coaches in your group reply within %(count)d hour.",
            "Coaches in your group reply within %(count)d hours.",
            cohort.reply_hours,
        ) % {"count": cohort.reply_hours}
    stood = timedelta(0)
    if asked is not None and asked.at >= grant.created_at:
        stood = min((asked.answered_at or asked.withdrawn_at or timezone.now()) - asked.at, LONGEST)
        if asked.is_open and stood < LONGEST:
            return ""
    due = grant.created_at + timedelta(hours=cohort.reply_hours) + stood
    return _("Reply due by %(date)s.") % {"date": date_words(due)}

"""Counts and health checks for the administrator's page."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, LegalHold, User
from coach.audit.models import Entry
from coach.celery import app
from coach.lib.mail import is_mail_printed
from coach.lib.web.health import NOT_LOOKED_AT, OK, examine
from coach.portal.joining.selectors import waiting_requests

PATIENCE_SECONDS = 0.7
"""Time for workers to answer, normally some milliseconds (rule of thumb)."""


def health_rows() -> list[dict[str, object]]:
    """Return each part with a sentence and whether it is well."""
    well = {
        "database": _("The database answers."),
        "broker": _("The queue answers."),
        "disk": _("There is room for recordings."),
        "mail": _("Emails are being sent."),
        "recordings": _("Recordings are where the database has them."),
    }
    ill = {
        "database": _("The database does not answer."),
        "broker": _("The queue does not answer: analyses wait, and nothing is lost."),
        "disk": _(
            "The storage for recordings is almost full, cannot be written to, or does not "
            "answer. Uploads cannot begin."
        ),
        "mail": _("The mail relay rejects our emails. We keep them and try again."),
        "recordings": _(
            "Recordings and database do not match, for example because only one of them was "
            "restored from a backup. The worker “default” logs the details once an hour."
        ),
    }
    not_yet = _(
        "No worker has checked the recordings yet. One does so within an hour; to do it now: "
        "manage.py custody verify"
    )
    if is_mail_printed():
        well["mail"] = _(
            "No email is sent because no mail server is set (EMAIL_HOST). Links for choosing a "
            "password are in the log of the web process, and those of a list in the log of the "
            "mail worker."
        )
    parts = examine()
    rows: list[dict[str, object]] = [
        {
            "is_well": state == OK and not (name == "mail" and is_mail_printed()),
            "text": not_yet if state == NOT_LOOKED_AT else (well if state == OK else ill)[name],
        }
        for name, state in parts.items()
    ]
    return [*rows, _workers_row()] if parts["broker"] == OK else rows


def _workers_row() -> dict[str, object]:
    """Return whether all queues have workers; takes as long as the slowest worker needs to
    answer.
    """
    answers = app.control.inspect(timeout=PATIENCE_SECONDS).active_queues() or {}
    served = {queue["name"] for queues in answers.values() for queue in queues}
    idle = sorted({queue.name for queue in app.conf.task_queues} - served)
    if not idle:
        return {"is_well": True, "text": _("Workers answer for every step of an analysis.")}
    text = _("No worker answers for: %(queues)s. What needs them waits, and nothing is lost.")
    return {"is_well": False, "text": text % {"queues": ", ".join(idle)}}


def site_counts() -> dict[str, int]:
    """Return the numbers of people, cohorts, active holds, waiting requests, and audit log entries
    of the last week.
    """
    week = timezone.now() - timedelta(days=7)
    return {
        "people": User.objects.filter(trial_ends_at=None).count(),
        "cohorts": Cohort.objects.count(),
        "holds": LegalHold.objects.filter(lifted_at=None).count(),
        "requests": waiting_requests().count(),
        "entries": Entry.objects.filter(at__gte=week).count(),
    }

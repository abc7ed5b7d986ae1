"""Schedule of periodic tasks, with their intervals in seconds."""

from __future__ import annotations

from typing import Any


def beat_schedule(sweep_seconds: int) -> dict[str, dict[str, Any]]:
    """Return the schedule for Celery's beat; `sweep_seconds` is the interval of sweeps."""
    return {
        # A sweep that could not start before the next one is due is dropped.
        "sweep": {
            "task": "coach.feedback.tasks.sweep",
            "schedule": sweep_seconds,
            "options": {"expires": 2 * sweep_seconds},
        },
        "sweep_uploads": {
            "task": "coach.uploads.tasks.sweep",
            "schedule": sweep_seconds,
            "options": {"expires": 2 * sweep_seconds},
        },
        "sweep_dry_runs": {
            "task": "coach.curation.tasks.sweep",
            "schedule": sweep_seconds,
            "options": {"expires": 2 * sweep_seconds},
        },
        "sweep_sent": {
            "task": "coach.review.tasks.sweep",
            "schedule": 30,
            "options": {"expires": 60},
        },
        "sweep_bundles": {
            "task": "coach.research.tasks.sweep",
            "schedule": sweep_seconds,
            "options": {"expires": 2 * sweep_seconds},
        },
        "sweep_clips": {
            "task": "coach.guests.tasks.sweep_clips",
            "schedule": 60,
            "options": {"expires": 120},
        },
        "sweep_slides": {"task": "coach.slides.tasks.sweep", "schedule": 300},
        "sweep_removals": {"task": "coach.rehearsals.tasks.sweep_removals", "schedule": 60},
        "retention": {"task": "coach.portal.tasks.keep_time", "schedule": 3600},
        "trials": {
            "task": "coach.portal.tasks.end_trials",
            "schedule": 300,
            "options": {"expires": 600},
        },
        "retention_mail": {"task": "coach.portal.tasks.tell", "schedule": 3600},
        "mail": {
            "task": "coach.notices.tasks.mail",
            "schedule": 60,
            # Missed rounds are not made up for.
            "options": {"expires": 120},
        },
        "read_bounces": {
            "task": "coach.notices.tasks.read_bounces",
            "schedule": 600,
            "options": {"expires": 1200},
        },
        "mail_invitations": {
            "task": "coach.portal.tasks.mail_invitations",
            "schedule": 60,
            "options": {"expires": 120},
        },
        "forget_log": {"task": "coach.audit.tasks.forget", "schedule": 24 * 3600},
        "deliver_webhooks": {
            "task": "coach.webhooks.tasks.deliver",
            "schedule": 10,
            "options": {"expires": 30},
        },
        "forget_webhooks": {"task": "coach.webhooks.tasks.forget", "schedule": 24 * 3600},
        "pass_progress_back": {
            "task": "coach.lti.tasks.report",
            "schedule": 60,
            "options": {"expires": 120},
        },
        "forget_nonces": {"task": "coach.lti.tasks.forget", "schedule": 24 * 3600},
        "forget_answers": {"task": "coach.api.tasks.forget", "schedule": 3600},
        "forget_notices": {"task": "coach.notices.tasks.forget", "schedule": 24 * 3600},
        "remind_to_practise": {"task": "coach.practice.tasks.remind", "schedule": 3600},
        "remind_at_hour": {
            "task": "coach.practice.tasks.remind_at_hour",
            "schedule": 300,
            "options": {"expires": 600},
        },
        "remind_of_assignments": {
            "task": "coach.assignments.tasks.remind",
            "schedule": 600,
            "options": {"expires": 1200},
        },
        "sweep_custody": {"task": "coach.rehearsals.tasks.sweep_custody", "schedule": 3600},
        "clear_sessions": {"task": "coach.accounts.tasks.clear_sessions", "schedule": 6 * 3600},
        "clear_counters": {"task": "coach.accounts.tasks.clear_counters", "schedule": 3600},
        "forget_what_was_typed": {"task": "coach.portal.tasks.forget", "schedule": 3600},
        "gather_opinions": {"task": "coach.review.tasks.gather", "schedule": 600},
        "count_statistics": {"task": "coach.curation.tasks.count", "schedule": 600},
    }

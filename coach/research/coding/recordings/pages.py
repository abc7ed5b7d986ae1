"""Content of the recording pages."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse

from analysis.results import Note
from coach.accounts.models import User
from coach.lib.words.sentences import whole
from coach.lib.words.sizes import size_words
from coach.rehearsals.media_types import kinds_in_words
from coach.rehearsals.models import Upload
from coach.rehearsals.selectors import uploads_meant_for
from coach.research.coding.interviews.pages import people_words
from coach.research.coding.models import Recording, Speaker, Voice
from coach.uploads.pages import unfinished_as_shown, upload_words

_SHARES = {
    Recording.Step.PREPARE: (0, 8),
    Recording.Step.PLAYBACK: (8, 25),
    Recording.Step.TRANSCRIBE: (25, 100),
}
"""Of the whole work, in percent, where each step begins and ends (rule of thumb)."""


def voice_rows(recording: Recording) -> list[dict[str, Any]]:
    """Return each voice by its number, with a pseudonym or a role."""
    return [
        {"voice": each, "name": voice_name(each)}
        for each in recording.voices.select_related("participant")
    ]


def voice_name(voice: Voice) -> str:
    """Return the label on a voice's key, which never contains a name."""
    if voice.participant is not None:
        return voice.participant.pseudonym
    return str(Speaker.Role(voice.role).label)


def progress_page(recording: Recording) -> dict[str, Any]:
    """Return the progress, or the reason why the work ended."""
    begins, ends = _SHARES[Recording.Step(recording.step)]
    return {
        "recording": recording,
        "study": recording.study,
        "is_going_on": recording.state in Recording.GOING_ON,
        "percent": round(begins + (ends - begins) * recording.progress),
        "percent_of_step": round(100 * recording.progress),
        "problem": whole(Note(**recording.problem)) if "code" in recording.problem else "",
    }


def send_page(recording: Recording, user: User) -> dict[str, Any]:
    """Return the upload page: accepted files, and parts that are already uploaded."""
    uploads = uploads_meant_for(user, recording.upload_key)
    waiting = uploads.filter(state__in=Upload.WAITING).order_by("-created_at")
    return {
        "recording": recording,
        "study": recording.study,
        "people": people_words(recording),
        "unfinished": unfinished_as_shown(uploads),
        "upload_words": upload_words(),
        "waiting": [
            {"upload": each, "received": size_words(each.received_bytes)} for each in waiting
        ],
        "kinds": kinds_in_words(),
        "max_bytes": settings.MAX_UPLOAD_BYTES,
        "max_minutes": settings.MAX_INTERVIEW_MINUTES,
        "hand_in_url": reverse(
            "research:hand_in_recording", args=[recording.study.slug, recording.pk]
        ),
    }

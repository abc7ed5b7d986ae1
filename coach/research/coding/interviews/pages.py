"""Content of the interview pages."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from coach.accounts.models import User
from coach.lib.words.clock import clock
from coach.research.coding.interviews.forms import ImportInterviewForm
from coach.research.coding.interviews.recording_consent import closed_among
from coach.research.coding.interviews.selectors import interviews_for
from coach.research.coding.interviews.words import odd_words
from coach.research.coding.models import Interview, Recording, Speaker, Transcript
from coach.research.coding.selectors import interviews_left
from coach.research.studies.models import Study

_MOST_ODD = 200


def interview_rows(study: Study, user: User) -> list[Interview]:
    """Return the interviews with their numbers of speakers; no names, no words."""
    speak = Count("speakers", filter=Q(speakers__role=Speaker.Role.PARTICIPANT), distinct=True)
    unknown = Count(
        "speakers",
        filter=Q(speakers__role=Speaker.Role.PARTICIPANT, speakers__participant=None),
        distinct=True,
    )
    still = Speaker.objects.filter(
        interview=OuterRef("pk"), participant__isnull=False, participant__withdrawn_at=None
    )
    found = interviews_for(user).filter(study=study).select_related("guide")
    return list(
        found.annotate(
            people=speak,
            unknown=unknown,
            has_left=Exists(interviews_left().filter(pk=OuterRef("pk"))),
            first=Coalesce(
                Subquery(still.order_by("pk").values("participant__pseudonym")[:1]),
                F("participant__pseudonym"),
            ),
        )
    )


def recording_rows(study: Study) -> list[dict[str, Any]]:
    """Return recordings that are not interviews yet, or whose files are still stored."""
    found = study.recordings.exclude(state=Recording.State.REMOVED).prefetch_related(
        "voices__participant"
    )
    kept = list(found.select_related("interview"))
    closed = closed_among(study, kept)
    return [
        {
            "recording": each,
            "people": people_words(each),
            "length": length_words(each),
            "is_closed": each.pk in closed,
        }
        for each in kept
    ]


def people_words(recording: Recording) -> str:
    """Return the participants by pseudonym."""
    voices = recording.voices.all()
    return ", ".join(each.participant.pseudonym for each in voices if each.participant)


def length_words(recording: Recording) -> str:
    """Return the length; empty until the recording is opened."""
    return clock(recording.duration_ms / 1000) if recording.duration_ms else ""


def preview_page(transcript: Transcript, form: ImportInterviewForm) -> dict[str, Any]:
    """Return the preview of a file: unclear lines first, then the speakers, then every turn."""
    odd = form.seen.odd
    return {
        "transcript": transcript,
        "study": transcript.study,
        "form": form,
        "kind": transcript.document["kind"],
        "encoding": transcript.document["encoding"],
        "odd": [
            {"line": each.number, "words": odd_words(each.code, each.what)}
            for each in odd[:_MOST_ODD]
        ],
        "more_odd": max(len(odd) - _MOST_ODD, 0),
        "n_turns": len(form.seen.turns),
    }

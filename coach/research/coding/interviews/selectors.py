"""Queries about interviews; texts with names have selectors of their own."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.research.coding.models import Interview, Speaker, Text, Transcript
from coach.research.coding.selectors import interviews_left
from coach.research.studies.models import Member, Study
from coach.research.studies.selectors import studies_for

REDACTS = (Member.Role.LEAD, Member.Role.REDACTOR)


def interviews_for(user: User) -> QuerySet[Interview]:
    """Return the interviews of the user's studies, which contain no words."""
    return Interview.objects.filter(study__in=studies_for(user))


def studies_redacted_by(user: User) -> QuerySet[Study]:
    """Return the studies in which the user may read names in order to redact them."""
    return studies_for(user).filter(members__user=user, members__role__in=REDACTS)


def transcripts_for(user: User) -> QuerySet[Transcript]:
    """Return the files waiting to be imported; they contain names."""
    return Transcript.objects.filter(study__in=studies_redacted_by(user))


def texts_with_names_for(user: User) -> QuerySet[Text]:
    """Return the original texts, which contain names."""
    mine = studies_redacted_by(user)
    return Text.objects.filter(interview__study__in=mine, kind=Text.Kind.RAW, is_current=True)


def locked_texts_for(user: User) -> QuerySet[Text]:
    """Return the locked texts for coding, without names."""
    return Text.objects.filter(
        interview__in=interviews_for(user).filter(state=Interview.State.LOCKED),
        kind=Text.Kind.LOCKED,
        is_current=True,
    )


def names_are_kept(user: User, interview: Interview) -> bool:
    """Return whether names are still stored for an interview, for people who may read them."""
    raw = texts_with_names_for(user).filter(interview=interview).exists()
    may_read = studies_redacted_by(user).filter(pk=interview.study_id).exists()
    return raw or (may_read and interview.speakers.exclude(called="").exists())


def unnamed_interviews(study: Study) -> QuerySet[Interview]:
    """Return the interviews in which a participant has no pseudonym yet."""
    speak = Speaker.objects.filter(role=Speaker.Role.PARTICIPANT, participant=None)
    found = study.interviews.filter(pk__in=speak.values("interview"))
    return found.exclude(pk__in=interviews_left()).order_by("number")

"""Queries about interview recordings, for members who redact."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from coach.accounts.models import User
from coach.accounts.selectors import hold_on
from coach.research.coding.interviews.recording_consent import recorded_people
from coach.research.coding.interviews.selectors import studies_redacted_by
from coach.research.coding.models import Recording, Speaker, Voice
from coach.research.studies.consent import no_longer_agreeing
from coach.research.studies.models import Participant, Pseudonym, Scope, Study
from coach.research.studies.selectors import participations_of


def recordings_for(user: User) -> QuerySet[Recording]:
    """Return the recordings of the studies whose interviews the user may read with names."""
    return Recording.objects.filter(study__in=studies_redacted_by(user))


def withdrawn_recordings(study: Study) -> list[Recording]:
    """Return the recordings with a person who has withdrawn consent or left the study.

    A person who must be asked again, since the sheet has changed, has not withdrawn: their
    recordings are closed until they answer.
    """
    kept = list(study.recordings.exclude(state=Recording.State.REMOVED))
    no_more = no_longer_agreeing(study, Scope.RECORDING)
    gone = {
        key
        for key, person in recorded_people(kept)
        if person is None or person in no_more  # of whom no row is left, nobody can agree
    }
    return [each for each in kept if each.pk in gone]


def is_held(recording: Recording) -> bool:
    """Return whether a person in the recording is under a legal hold."""
    people = {person for _key, person in recorded_people([recording]) if person is not None}
    links = Pseudonym.objects.filter(participant__in=people).select_related("user")
    return any(hold_on(link.user) is not None for link in links)


def recordings_with(people: QuerySet[Participant]) -> QuerySet[Recording]:
    """Return the recordings in which any of these people is heard."""
    planned = Voice.objects.filter(participant__in=people)
    named = Speaker.objects.filter(participant__in=people)
    return Recording.objects.filter(
        Q(pk__in=planned.values("recording")) | Q(interview__in=named.values("interview"))
    )


def recordings_of(user: User) -> QuerySet[Recording]:
    """Return the recordings in which the user is heard, in any study."""
    return recordings_with(participations_of(user))


def kept_recordings() -> QuerySet[Recording]:
    """Return the recordings whose files are stored (`settings.OTHER_RECORDINGS`)."""
    here = Recording.objects.filter(media_key__isnull=False, removed_at=None)
    return here.annotate(key=F("media_key"))

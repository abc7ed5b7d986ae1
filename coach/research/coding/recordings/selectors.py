"""Reading recordings of interviews: for those who take names out, while all in them agree."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import F, QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.research.coding.interviews.selectors import studies_redacted_by
from coach.research.coding.models import Recording, Speaker, Voice
from coach.research.studies.consent import consents_at
from coach.research.studies.models import Participant, Scope, Study
from coach.research.studies.selectors import participations_of


def recordings_for(user: User) -> QuerySet[Recording]:
    """Recordings of the studies whose interviews somebody may read with names."""
    return Recording.objects.filter(study__in=studies_redacted_by(user))


def people_who_agree(study: Study) -> QuerySet[Participant]:
    """Who takes part now and agrees, now, to being recorded."""
    agreed = consents_at(study, timezone.now())
    keys = [pk for pk, scopes in agreed.items() if Scope.RECORDING in scopes]
    return Participant.objects.filter(study=study, withdrawn_at=None, pk__in=keys)


def everybody_agrees(recording: Recording) -> bool:
    """Whether it may still be kept and heard: one who takes it back is enough."""
    return recording.pk in _of_those_who_agree(recording.study, [recording])


def without_consent(study: Study) -> list[Recording]:
    """Recordings in which somebody is heard who does not, or no longer, agree."""
    kept = list(study.recordings.exclude(state=Recording.State.REMOVED))
    agreed = _of_those_who_agree(study, kept)
    return [each for each in kept if each.pk not in agreed]


def _of_those_who_agree(study: Study, recordings: Collection[Recording]) -> set[object]:
    heard = Voice.objects.filter(
        recording__in=[each.pk for each in recordings], role=Speaker.Role.PARTICIPANT
    )
    agree = set(people_who_agree(study).values_list("pk", flat=True))
    refused = {voice.recording_id for voice in heard if voice.participant_id not in agree}
    return {each.pk for each in recordings if each.pk not in refused}


def recordings_of(user: User) -> QuerySet[Recording]:
    """Conversations in which the person is heard, in whatever study."""
    heard = Voice.objects.filter(participant__in=participations_of(user))
    return Recording.objects.filter(pk__in=heard.values("recording"))


def kept_recordings() -> QuerySet[Recording]:
    """Those whose bytes are in custody (`settings.OTHER_RECORDINGS`)."""
    here = Recording.objects.filter(media_key__isnull=False, removed_at=None)
    return here.annotate(key=F("media_key"))

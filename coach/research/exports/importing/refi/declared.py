"""Imported texts that a lead declares as anonymised and consented before: once, on record."""

from __future__ import annotations

from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.interviews.redaction.patterns import RULES_VERSION
from coach.research.coding.models import UNSAID, Interview, Redaction, Speaker, Text
from coach.research.studies.models import ConsentDocument, ConsentEvent, Participant, Scope, Study
from coach.research.studies.services import write_sheet


def declare_texts(*, study: Study, texts: list[Text], statement: str, actor: User) -> None:
    """Lock imported texts and record the consent of their speakers, as a lead has declared.

    The statement says who anonymised the texts and where consent is documented. It becomes the
    sheet of that consent. Proposals of names are dropped, the export searches the texts all the
    same. Call it in a transaction.
    """
    sheet = _sheet(study, texts, statement, actor)
    Redaction.objects.filter(text__in=texts, state=Redaction.State.PROPOSED).delete()
    Text.objects.filter(pk__in=[each.pk for each in texts]).update(
        redaction_version=RULES_VERSION, by=actor
    )
    for text in texts:
        _name_speakers(text.interview, sheet, actor)
    record_act(
        action="research.texts_declared",
        target=study,
        actor=actor,
        interviews=len(texts),
        description=statement,
    )


def _sheet(study: Study, texts: list[Text], statement: str, actor: User) -> ConsentDocument:
    """Return the sheet with the statement, also if the file was imported in pieces."""
    language = texts[0].interview.language if texts else UNSAID
    language = actor.language if language == UNSAID else language
    said = statement.strip() + "\n"
    sheets = ConsentDocument.objects.filter(study=study, scope=Scope.TRANSCRIPT, text=said)
    return sheets.first() or write_sheet(
        study=study,
        scope=Scope.TRANSCRIPT,
        language=language,
        text=statement,
        is_material=False,
        actor=actor,
    )


def _name_speakers(interview: Interview, sheet: ConsentDocument, actor: User) -> None:
    speakers = interview.speakers.filter(role=Speaker.Role.PARTICIPANT, participant=None)
    people = []
    voices: list[Speaker | None] = [*speakers]
    # Somebody consented to each text, also if it is empty or only a list.
    for speaker in voices or ([] if interview.participant else [None]):
        who = Participant.objects.create(study=interview.study, group=Participant.Group.EXPERT)
        ConsentEvent.objects.create(
            participant=who,
            scope=Scope.TRANSCRIPT,
            kind=ConsentEvent.Kind.GRANTED,
            document=sheet,
            method=ConsentEvent.Method.PAPER,
            at=timezone.now(),
            recorded_by=actor,
        )
        people.append(who)
        if speaker is not None:
            speaker.participant = who
            speaker.save(update_fields=["participant"])
    # Declared anonymised, a label in the text is nobody's name.
    interview.speakers.update(called="")
    interview.participant = interview.participant or (people[0] if people else None)
    interview.state = Interview.State.LOCKED
    interview.save(update_fields=["participant", "state"])

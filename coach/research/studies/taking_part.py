"""Services for participants: consent, change it, answer, leave."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import Role, User
from coach.audit.services import record_act
from coach.research.studies.allocation import draw
from coach.research.studies.locks import hold_studies_of, hold_study
from coach.research.studies.models import (
    Answer,
    AnswerSheet,
    ConsentDocument,
    ConsentEvent,
    Participant,
    Pseudonym,
    Question,
    Questionnaire,
    Study,
)
from coach.research.studies.selectors import participant_of, participations_of, sheets_for
from coach.rulesets.services import let_go_of_pins, pin_release

participant_left = Signal()
"""Sent with `participant` in the transaction in which they leave a study."""


@transaction.atomic
def record_consents(
    *, user: User, study: Study, answers: Mapping[str, bool], experience: str = ""
) -> Participant | None:
    """Record a person's consents; the first yes gives them a pseudonym.

    Only changes are new events. Returns None if they never agreed to anything. Raises
    ValidationError if the study accepts nobody any more.
    """
    hold_study(study.pk)
    # A second, simultaneous click waits here and sees what the first one wrote.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    participant = participant_of(user, study)
    if participant is None:
        if not any(answers.values()):
            return None
        participant = _join(user, study, experience)
    for sheet in sheets_for(study, user.language):
        if sheet.scope in answers:
            _note(participant, sheet, agrees=answers[sheet.scope], user=user)
    if participant.group == Participant.Group.TRAINEE:
        draw(participant)
    return participant


def _join(user: User, study: Study, experience: str) -> Participant:
    if study.state != Study.State.RUNNING:
        raise ValidationError(_("This study is not accepting participants at the moment."))
    cohorts = list(study.cohorts.order_by("pk"))
    mine = user.memberships.filter(cohort__in=cohorts).order_by("cohort", "role").first()
    if mine is None:
        raise ValidationError(_("This study is for other groups."))
    is_coach = mine.role == Role.COACH
    participant = Participant.objects.create(
        study=study,
        group=Participant.Group.COACH if is_coach else Participant.Group.TRAINEE,
        # The group's number: its name may reveal a workplace.
        cohort=f"G{[each.pk for each in cohorts].index(mine.cohort_id) + 1}",
        experience=experience,
        practice_language=user.language,
    )
    Pseudonym.objects.create(study=study, participant=participant, user=user)
    if study.rule_set is not None:
        pin_release(user=user, cohorts=cohorts, release=study.rule_set, holder=study.holder)
    # The log entry has no pseudonym, which would link it to the person.
    record_act(action="research.joined", target=study, actor=user)
    return participant


def _note(participant: Participant, sheet: ConsentDocument, *, agrees: bool, user: User) -> None:
    last = participant.consents.filter(scope=sheet.scope).last()
    stands = last is not None and last.kind in ConsentEvent.STANDING
    is_same_text = last is not None and last.document.version == sheet.version
    if agrees and stands and is_same_text:
        return
    if not agrees and last is not None and not stands:
        return
    if agrees:
        kind = ConsentEvent.Kind.RENEWED if last else ConsentEvent.Kind.GRANTED
    else:
        kind = ConsentEvent.Kind.WITHDRAWN if stands else ConsentEvent.Kind.DECLINED
    ConsentEvent.objects.create(
        participant=participant, scope=sheet.scope, kind=kind, document=sheet, at=timezone.now()
    )
    record_act(
        action="research.consent_said",
        target=participant.study,
        actor=user,
        scope=sheet.scope,
        kind=kind,
        version=sheet.version,
    )


@transaction.atomic
def withdraw_scopes(*, user: User, scopes: Collection[str]) -> None:
    """Withdraw consent to these scopes in every study that the user takes part in."""
    hold_studies_of(user)
    for participant in participations_of(user).filter(withdrawn_at=None):
        last = {each.scope: each for each in participant.consents.select_related("document")}
        for scope in scopes:
            if scope in last:
                _note(participant, last[scope].document, agrees=False, user=user)


@transaction.atomic
def leave_study(
    *,
    participant: Participant,
    actor: User,
    method: str = ConsentEvent.Method.WEB_FORM,
    recorded_by: User | None = None,
) -> None:
    """Withdraw a participant: later exports leave them out, and recipients of earlier ones must be
    told.

    Consents stay on record, each with its withdrawal: how it was given, and who recorded it if not
    the person themselves.
    """
    hold_study(participant.study_id)
    held = Participant.objects.select_for_update(no_key=True).get(pk=participant.pk)
    if held.withdrawn_at is not None:
        return
    held.withdrawn_at = timezone.now()
    held.save(update_fields=["withdrawn_at"])
    link = Pseudonym.objects.filter(participant=held).first()
    if link is not None:
        let_go_of_pins(holder=held.study.holder, user=link.user_id)
    last: dict[str, ConsentEvent] = {each.scope: each for each in held.consents.all()}
    ConsentEvent.objects.bulk_create(
        ConsentEvent(
            participant=held,
            scope=each.scope,
            kind=ConsentEvent.Kind.WITHDRAWN,
            document=each.document,
            method=method,
            recorded_by=recorded_by,
            at=held.withdrawn_at,
        )
        for each in last.values()
        if each.kind in ConsentEvent.STANDING
    )
    participant_left.send(sender=Participant, participant=held)
    # The log entry has no pseudonym, which would link it to the person.
    record_act(action="research.left_study", target=held.study, actor=actor, method=method)


@transaction.atomic
def send_answers(
    *, participant: Participant, questionnaire: Questionnaire, answers: Mapping[int, object]
) -> AnswerSheet:
    """Save a person's answers once, by the key of the question."""
    sheet, is_new = AnswerSheet.objects.get_or_create(
        participant=participant,
        questionnaire=questionnaire,
        defaults={"sent_at": timezone.now()},
    )
    if is_new:
        Answer.objects.bulk_create(
            _answer(sheet, question, answers.get(question.pk))
            for question in questionnaire.questions.all()
            if answers.get(question.pk) not in (None, "")
        )
    return sheet


def _answer(sheet: AnswerSheet, question: Question, value: object) -> Answer:
    if question.kind in {Question.Kind.SCALE, Question.Kind.NUMBER}:
        return Answer(sheet=sheet, question=question, number=float(str(value)))
    return Answer(sheet=sheet, question=question, text=str(value))

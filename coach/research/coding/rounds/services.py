"""Opening a round, saying that a text is finished, closing it."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import (
    Assignment,
    CodebookVersion,
    Coder,
    Interview,
    Round,
)
from coach.research.studies.models import Study


@transaction.atomic
def open_round(
    *,
    study: Study,
    title: str,
    codebook: CodebookVersion,
    coders: Sequence[User],
    interviews: Sequence[Interview],
    takes: Sequence[Rehearsal] = (),
    actor: User,
) -> Round:
    """Give every coder every text and take. Raises ValidationError where there is nothing to code.

    Whether they may be given out is for whoever calls to have asked.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if not any(code.get("is_codable") for code in codebook.document):
        raise ValidationError(_("This version of the codebook has no code that can be applied."))
    if not interviews and not takes:
        raise ValidationError(_("Choose an interview or a take."))
    last = Round.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    made = Round.objects.create(study=study, number=last + 1, title=title, codebook=codebook)
    people = [coder_of(study, user, codebook) for user in coders]
    made.coders.set(people)
    made.interviews.set(interviews)
    Assignment.objects.bulk_create(
        Assignment(round=made, coder=coder, interview=interview)
        for coder in people
        for interview in interviews
    )
    Assignment.objects.bulk_create(
        Assignment(round=made, coder=coder, rehearsal=take) for coder in people for take in takes
    )
    record_act(
        action="research.round_opened",
        target=made,
        actor=actor,
        number=made.number,
        codebook=codebook.number,
        coders=[coder.label for coder in people],
        interviews=[interview.label for interview in interviews],
        takes=[str(take.pk) for take in takes],
    )
    return made


def coder_of(study: Study, user: User, codebook: CodebookVersion) -> Coder:
    """Who somebody is as a coder of a study; from now on, where they were none."""
    found = Coder.objects.filter(study=study, user=user).first()
    if found is not None:
        return found
    last = Coder.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    return Coder.objects.create(study=study, user=user, number=last + 1, trained_with=codebook)


@transaction.atomic
def finish_share(*, assignment: Assignment, is_finished: bool, actor: User) -> None:
    """Say that a text is coded, or that one goes on with it; only while the round is open."""
    held = _held(assignment.round_id)
    if held.state != Round.State.OPEN:
        return
    assignment.finished_at = timezone.now() if is_finished else None
    assignment.save(update_fields=["finished_at"])
    record_act(
        action="research.share_finished" if is_finished else "research.share_resumed",
        target=held,
        actor=actor,
        coder=assignment.coder.label,
        interview=assignment.interview_id,
        rehearsal=str(assignment.rehearsal_id or ""),
    )


@transaction.atomic
def close_round(*, coding_round: Round, actor: User) -> None:
    """Coders see each other's codings from now on, and it cannot be coded any more.

    What somebody has not finished by then counts as missing.
    """
    held = _held(coding_round.pk)
    if held.state != Round.State.OPEN:
        return
    held.state, held.closed_at = Round.State.CLOSED, timezone.now()
    held.save(update_fields=["state", "closed_at"])
    missing = held.assignments.filter(finished_at=None).count()
    record_act(
        action="research.round_closed",
        target=held,
        actor=actor,
        number=held.number,
        unfinished=missing,
    )


def _held(pk: int) -> Round:
    return Round.objects.select_for_update().get(pk=pk)

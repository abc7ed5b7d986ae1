"""Services for rounds: open, finish a text, close."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from coach.research.coding.rounds.sharing import shared_out
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
    each_to: int | None = None,
    seed: str = "",
    actor: User,
) -> Round:
    """Assign every text and take to every coder, or each to `each_to` coders drawn by the seed.

    The caller checks that they may be assigned. Raises ValidationError if there is nothing to code.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if not any(code.get("is_codable") for code in codebook.document):
        raise ValidationError(_("No code in this codebook version can be applied."))
    if not interviews and not takes:
        raise ValidationError(_("Choose an interview or a take."))
    is_drawn = each_to is not None and each_to < len(coders)
    last = Round.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    made = Round.objects.create(
        study=study,
        number=last + 1,
        title=title,
        codebook=codebook,
        each_to=each_to if is_drawn else None,
        seed=seed if is_drawn else "",
    )
    people = {user.pk: coder_of(study, user, codebook) for user in coders}
    made.coders.set(people.values())
    made.interviews.set(interviews)
    whose = distribution_of(coders, interviews, takes, each_to, seed)
    Assignment.objects.bulk_create(
        Assignment(round=made, coder=people[user.pk], **unit_fields(unit))
        for unit, users in whose.items()
        for user in users
    )
    record_act(
        action="research.round_opened",
        target=made,
        actor=actor,
        number=made.number,
        codebook=codebook.number,
        coders=[coder.label for coder in people.values()],
        interviews=[interview.label for interview in interviews],
        takes=[str(take.pk) for take in takes],
        each_to=made.each_to,
        seed=made.seed,
    )
    return made


def distribution_of(
    coders: Sequence[User],
    interviews: Sequence[Interview],
    takes: Sequence[Rehearsal],
    each_to: int | None,
    seed: str,
) -> dict[Interview | Rehearsal, list[User]]:
    """Return the distribution of texts and takes, for the preview and for the round."""
    units: list[Interview | Rehearsal] = [
        *sorted(interviews, key=lambda each: each.number),
        *sorted(takes, key=lambda each: str(each.pk)),
    ]
    people = sorted(coders, key=lambda user: user.pk)
    if each_to is None or each_to >= len(people):
        return dict.fromkeys(units, people)
    return shared_out(units, people, each_to, seed)


def unit_fields(unit: Interview | Rehearsal) -> dict[str, Any]:
    """Return the field of an assignment for a text or a take."""
    return {"interview" if isinstance(unit, Interview) else "rehearsal": unit}


@transaction.atomic
def assign_more(
    *,
    coding_round: Round,
    coders: Sequence[User],
    interviews: Sequence[Interview],
    takes: Sequence[Rehearsal] = (),
    actor: User,
) -> int:
    """Assign these texts and takes to these coders, in an open round; return the number added.

    Existing assignments stay. Raises ValidationError if the round is closed, or nothing would be
    added.
    """
    held = _held(coding_round.pk)
    if held.state != Round.State.OPEN:
        raise ValidationError(_("This round is closed."))
    units: list[Interview | Rehearsal] = [*interviews, *takes]
    made = []
    for user in coders:
        coder = coder_of(held.study, user, held.codebook)
        for unit in units:
            share, is_new = Assignment.objects.get_or_create(
                round=held, coder=coder, **unit_fields(unit)
            )
            if is_new:
                made.append(share)
        held.coders.add(coder)
    if not made:
        raise ValidationError(_("These coders already have all of this."))
    held.interviews.add(*interviews)
    record_act(
        action="research.share_given",
        target=held,
        actor=actor,
        number=held.number,
        coders=sorted({share.coder.label for share in made}),
        interviews=sorted({share.interview.label for share in made if share.interview}),
        takes=sorted({str(share.rehearsal_id) for share in made if share.rehearsal_id}),
    )
    return len(made)


def coder_of(study: Study, user: User, codebook: CodebookVersion | None) -> Coder:
    """Return the user's coder in a study, creating it if needed.

    Call within a transaction: concurrent calls wait, and get the next number.
    """
    mine = Coder.objects.filter(study=study, user=user)
    found = mine.first()
    if found is not None:
        return found
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    found = mine.first()  # anew: they may have become one while this waited
    if found is not None:
        return found
    last = Coder.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    return Coder.objects.create(study=study, user=user, number=last + 1, trained_with=codebook)


@transaction.atomic
def finish_share(*, assignment: Assignment, is_finished: bool, actor: User) -> None:
    """Mark a text as finished, or resume it; only while the round is open."""
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
    """Close a round: coders see each other's codings, and coding ends.

    Unfinished work counts as missing.
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


@transaction.atomic
def set_coder_kind(*, coder: Coder, kind: str, model: str = "", actor: User) -> None:
    """Set whether an imported coder is a person, or a model and which.

    A model's codings are left out of human agreement and figures. Raises ValidationError for a user
    of this site, and for a model without its name.
    """
    held = Coder.objects.select_for_update().get(pk=coder.pk)
    name = " ".join(model.split())[:120]
    if held.user_id is not None or kind not in Coder.Kind.values:
        raise ValidationError(_("This can only be set for external coders."))
    if kind == Coder.Kind.MODEL and not name:
        raise ValidationError(_("Enter the name and version of the model."))
    before = held.kind
    held.kind, held.model = kind, name if kind == Coder.Kind.MODEL else ""
    held.save(update_fields=["kind", "model"])
    record_act(
        action="research.coder_said",
        target=held,
        actor=actor,
        coder=held.label,
        before=before,
        after=held.kind,
        model=held.model,
    )

"""Services for assignments: set them, work on them, hand a take in, and take it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, User
from coach.assignments.models import Assignment, AssignmentPartner, AssignmentWork
from coach.assignments.progress import Progress, WorkState, progress_of
from coach.assignments.selectors import is_member
from coach.audit.services import record_act
from coach.feedback.services import hold_take, send_take
from coach.notices.models import Kind
from coach.notices.services import settle
from coach.rehearsals.models import AccessGrant, Rehearsal, Talk
from coach.rehearsals.services import withdraw_from_coach
from coach.webhooks.models import Event
from coach.webhooks.services import announce


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What an assignment asks for."""

    title: str
    instructions: str
    aim: str
    audience: str
    setting: str
    time_limit: float | None
    needs_slides: bool
    needs_answers: bool
    takes_wanted: int
    most_together: int
    goals: Sequence[str]
    peers_wanted: int
    exercises: Sequence[str]
    due_at: datetime
    grace_hours: int


@transaction.atomic
def write_assignment(
    *, cohort: Cohort, brief: Brief, is_published: bool, actor: User
) -> Assignment:
    """Write an assignment for a group, as a draft or for its trainees to see at once.

    Raises ValidationError for an archived group.
    """
    if cohort.archived_at is not None:
        raise ValidationError(_("This group is archived. Reopen it first."))
    assignment = Assignment(cohort=cohort, written_by=actor, **asdict(brief))
    assignment.full_clean()
    assignment.save()
    record_act(action="assignments.written", target=assignment, actor=actor)
    if is_published:
        publish_assignment(assignment=assignment, actor=actor)
    return assignment


@transaction.atomic
def change_assignment(*, assignment: Assignment, brief: Brief, actor: User) -> None:
    """Change what an assignment asks for; takes handed in stay as they are."""
    held = _held(assignment)
    before = {name: getattr(held, name) for name in asdict(brief)}
    for name, value in asdict(brief).items():
        setattr(held, name, value)
    held.full_clean()
    held.save()
    changed = sorted(name for name, value in asdict(brief).items() if before[name] != value)
    if changed:
        record_act(
            action="assignments.changed", target=held, actor=actor, fields=", ".join(changed)
        )


@transaction.atomic
def publish_assignment(*, assignment: Assignment, actor: User) -> None:
    """Show an assignment to the trainees of its group."""
    held = _held(assignment)
    if held.published_at is None:
        held.published_at = assignment.published_at = timezone.now()
        held.save(update_fields=["published_at"])
        record_act(action="assignments.published", target=held, actor=actor)


@transaction.atomic
def set_archived(*, assignment: Assignment, is_archived: bool, actor: User) -> None:
    """Withdraw an assignment, or set it again; takes and what was handed in stay."""
    held = _held(assignment)
    if is_archived == (held.archived_at is not None):
        return
    held.archived_at = timezone.now() if is_archived else None
    held.save(update_fields=["archived_at"])
    if is_archived:
        settle(about=held, kind=Kind.DUE)
    action = "assignments.archived" if is_archived else "assignments.restored"
    record_act(action=action, target=held, actor=actor)


def _held(assignment: Assignment) -> Assignment:
    return (
        Assignment.objects.select_for_update(of=("self",))
        .select_related("cohort")
        .get(pk=assignment.pk)
    )


@transaction.atomic
def extend(
    *, assignment: Assignment, person: User, due_at: datetime | None, reason: str, actor: User
) -> None:
    """Give one person another due date, with a reason that they read; None ends the extension.

    Raises ValidationError for a date that is not after that of the group.
    """
    if due_at is not None and due_at <= assignment.due_at:
        raise ValidationError(_("An extension ends after the due date of the group."))
    if due_at is not None and not reason:
        raise ValidationError(_("Write the reason: the person reads it."))
    work = _held_work(assignment, person)
    work.due_at, work.extension_reason = due_at, reason if due_at else ""
    work.extended_by = actor if due_at else None
    work.save(update_fields=["due_at", "extension_reason", "extended_by"])
    action = "assignments.extended" if due_at else "assignments.extension_ended"
    record_act(action=action, target=work, actor=actor)


@transaction.atomic
def begin_work(*, assignment: Assignment, person: User, talk: Talk | None = None) -> AssignmentWork:
    """Return the person's work with the talk whose takes count for it, made if there is none.

    `talk` is one of their own, for a person who has begun already. Raises ValidationError if the
    assignment is closed for them.
    """
    work = _held_work(assignment, person)
    _check_open(_progress(work), person)
    if work.talk is None or (talk is not None and work.take_id is None):
        work.talk = talk or Talk.objects.create(owner=person, title=assignment.title)
        work.save(update_fields=["talk"])
        record_act(action="assignments.begun", target=assignment, actor=person)
    return work


@transaction.atomic
def hand_in(*, assignment: Assignment, person: User, take_id: UUID) -> AssignmentWork:
    """Hand one take in: share it with the coaches of the group, and note which one it is.

    Handing in the same take again changes nothing. Raises ValidationError if it cannot be handed
    in, and Rehearsal.DoesNotExist for a take that is not the person's own for this assignment.
    """
    take = Rehearsal.objects.get(
        pk=take_id,
        owner=person,
        talk__assignment_works__assignment=assignment,
        talk__assignment_works__person=person,
    )
    # Before its dependent rows, as the deletion of a take does.
    hold_take(take)
    work = _held_work(assignment, person)
    progress = _progress(work)
    if progress.is_handed_in and work.take_id == take.pk:
        return work
    _check_open(progress, person)
    if progress.lead is not None:
        raise ValidationError(
            _("You hand in together. You can hand in a take of your own once you leave.")
        )
    if progress.is_handed_in:
        raise ValidationError(_("You have handed in another take. Withdraw it first."))
    if not _is_shared(take, assignment):
        send_take(rehearsal=take, note="", cohort=assignment.cohort)
    earlier = Rehearsal.objects.filter(talk=take.talk_id, created_at__lt=take.created_at)
    work.take, work.handed_in_at = take, timezone.now()
    work.take_number = earlier.count() + 1
    work.save(update_fields=["take", "handed_in_at", "take_number"])
    settle(about=assignment, kind=Kind.DUE, person=person)
    record_act(action="assignments.handed_in", target=assignment, actor=person)
    announce(
        event=Event.HANDED_IN,
        data={"assignment_id": str(assignment.pk), "take_id": str(take.pk)},
    )
    return work


@transaction.atomic
def take_back(*, assignment: Assignment, person: User) -> None:
    """Take the take back that was handed in, before the assignment closes; it is private again.

    Raises ValidationError once it is closed or reviewed.
    """
    named = AssignmentWork.objects.filter(assignment=assignment, person=person).first()
    if named is None or named.handed_in_at is None:
        return
    if named.take is not None:
        hold_take(named.take)
    work = _held_work(assignment, person)
    progress = _progress(work)
    if progress.state == WorkState.REVIEWED:
        raise ValidationError(_("Your coach has already replied to this take."))
    _check_open(progress, person)
    if work.take is not None and _is_shared(work.take, assignment):
        withdraw_from_coach(rehearsal=work.take)
    work.take = work.handed_in_at = work.take_number = None
    work.save(update_fields=["take", "handed_in_at", "take_number"])
    record_act(action="assignments.taken_back", target=assignment, actor=person)


@transaction.atomic
def ask_partner(*, assignment: Assignment, person: User, address: str) -> None:
    """Ask a person of the group to hand one take in together, by their email address.

    Only members of the same group are found, and only by their whole address. Raises
    ValidationError if nobody is found, or no more people may join.
    """
    work = _held_work(assignment, person)
    progress = _progress(work)
    _check_open(progress, person)
    if work.assignment.most_together < 2:
        raise ValidationError(_("This assignment is handed in alone."))
    if progress.lead is not None:
        raise ValidationError(_("You hand in together with somebody already."))
    if work.partners.count() + 1 >= work.assignment.most_together:
        raise ValidationError(_("You have asked as many people as may hand in together."))
    other = User.objects.filter(email=address.lower(), is_active=True).exclude(pk=person.pk).first()
    if other is None or not is_member(other, assignment):
        raise ValidationError(_("Nobody in your group has this address."))
    AssignmentPartner.objects.get_or_create(work=work, person=other)
    record_act(action="assignments.partner_asked", target=work, actor=person)


@transaction.atomic
def agree_to_partner(*, partner: AssignmentPartner) -> None:
    """Let a person agree to hand in together. Raises ValidationError if they hand in otherwise."""
    person, assignment = partner.person, partner.work.assignment
    own = _held_work(assignment, person)
    progress = _progress(own)
    _check_open(progress, person)
    leads = own.partners.filter(agreed_at__isnull=False).exists()
    if leads or (progress.lead is not None and progress.lead.pk != partner.work_id):
        raise ValidationError(_("You hand in together with somebody already."))
    if own.handed_in_at is not None:
        raise ValidationError(_("Withdraw the take that you have handed in first."))
    rows = AssignmentPartner.objects.filter(pk=partner.pk, agreed_at=None)
    if rows.update(agreed_at=timezone.now()):
        # People whom they asked would otherwise wait for a take that never comes.
        own.partners.all().delete()
        settle(about=assignment, kind=Kind.DUE, person=person)
        record_act(action="assignments.partner_agreed", target=partner.work, actor=person)


@transaction.atomic
def end_partner(*, partner: AssignmentPartner, actor: User) -> None:
    """Remove a partner: they decline or leave, or the owner of the work removes them.

    Raises ValidationError once the assignment is closed: what was handed in together stays.
    """
    if partner.agreed_at is not None:
        _check_open(_progress(_held_work(partner.work.assignment, partner.person)), actor)
    if AssignmentPartner.objects.filter(pk=partner.pk).delete()[0]:
        record_act(action="assignments.partner_ended", target=partner.work, actor=actor)


def _held_work(assignment: Assignment, person: User) -> AssignmentWork:
    """Return the person's row, locked until the transaction ends: a second click waits."""
    AssignmentWork.objects.get_or_create(assignment=assignment, person=person)
    rows = AssignmentWork.objects.select_for_update(of=("self",)).select_related("take", "talk")
    work = rows.get(assignment=assignment, person=person)
    work.assignment = _fresh(assignment)
    return work


def _fresh(assignment: Assignment) -> Assignment:
    """Return the assignment as it is now: a coach may have changed it since it was read."""
    return Assignment.objects.select_related("cohort").get(pk=assignment.pk)


def _progress(work: AssignmentWork) -> Progress:
    [progress] = progress_of([(work.assignment, work.person, work)])
    return progress


def _check_open(progress: Progress, person: User) -> None:
    if not is_member(person, progress.assignment):
        raise ValidationError(_("You are no longer in the group of this assignment."))
    if not progress.assignment.is_published:
        raise ValidationError(_("Your coach has withdrawn this assignment."))
    if not progress.is_open:
        raise ValidationError(
            _("This assignment is closed. Ask your coach for an extension if you need one.")
        )


def _is_shared(take: Rehearsal, assignment: Assignment) -> bool:
    return AccessGrant.objects.filter(
        rehearsal=take, cohort=assignment.cohort_id, revoked_at=None
    ).exists()

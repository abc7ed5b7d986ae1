"""Services for choosing a focus, setting its step, ending it, and reminding people to practise."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.notices.models import Kind, Mute, Notice
from coach.notices.services import key_of, notify, settle
from coach.practice.models import FocusArea
from coach.practice.plan.ladders import LADDERS, STEPS
from coach.practice.plan.schedule import next_practice, step_to_begin
from coach.practice.plan.selectors import focus_areas_for, last_practice_of
from coach.practice.preferences import spoken_of
from coach.rehearsals.selectors import own_rehearsals_for

MOST_AREAS = 2
"""More than two things at a time are not remembered: as many as a report has improvements."""


@transaction.atomic
def choose_focus(*, person: User, metric: str, actor: User) -> FocusArea:
    """Start a focus. Raises ValidationError for a measure without steps, or too many focuses."""
    if metric not in LADDERS or not spoken_of(person, [metric], with_norms=True):
        raise ValidationError(_("This measure has no steps yet."))
    # A second, simultaneous click waits here.
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    standing = focus_areas_for(person)
    found = standing.filter(metric=metric).first()
    if found is not None:
        return found
    # A focus on a measure that they asked us not to mention is on no page, so it could not be
    # ended.
    shown = spoken_of(person, standing.values_list("metric", flat=True), with_norms=True)
    if len(shown) >= MOST_AREAS:
        raise ValidationError(
            _("You can have two focuses at a time. End one of them, then choose another.")
        )
    area = FocusArea.objects.create(
        person=person,
        metric=metric,
        step=step_to_begin(person, metric),
        **_by(person, actor),
    )
    record_act(action="practice.focus_chosen", target=area, actor=actor, measure=metric)
    return area


@transaction.atomic
def set_step(*, area: FocusArea, step: int, actor: User, why: str = "") -> FocusArea:
    """Set the step; earlier takes no longer count. Raises ValidationError for an invalid step."""
    if not 1 <= step <= STEPS:
        raise ValidationError(_("There are three steps."))
    before = area.step
    area.step, area.since = step, timezone.now()
    for name, value in _by(area.person, actor, why).items():
        setattr(area, name, value)
    area.save()
    record_act(action="practice.step_set", target=area, actor=actor, before=before, after=step)
    return area


@transaction.atomic
def end_focus(*, area: FocusArea, actor: User) -> None:
    """End a focus; the steps reached stay in the person's own data."""
    if area.ended_at is None:
        area.ended_at = timezone.now()
        area.save(update_fields=["ended_at"])
        settle(about=area)
        record_act(action="practice.focus_ended", target=area, actor=actor)


def _by(person: User, actor: User, why: str = "") -> dict[str, object]:
    """Return the fields for the coach who set it, with a reason; empty if the person did."""
    if actor.pk == person.pk:
        return {"set_by": None, "set_by_name": "", "why": ""}
    return {"set_by": actor, "set_by_name": str(actor), "why": why}


def remind_all() -> int:
    """Remind everyone whose next practice is due, once until they practise; return the number."""
    people = User.objects.filter(focus_areas__ended_at=None, focus_areas__isnull=False)
    return sum(_remind(person) for person in people.filter(is_active=True).distinct())


@transaction.atomic
def _remind(person: User) -> bool:
    area = focus_areas_for(person).first()
    take = own_rehearsals_for(person).order_by("-created_at").first()
    if area is None or take is None or _is_muted(person):
        return False
    last = last_practice_of(person)
    told = Notice.objects.filter(about=key_of(area), kind=Kind.PRACTICE, settled_at=None).first()
    if told is not None and last is not None and last > told.not_before:
        settle(about=area, kind=Kind.PRACTICE)
        told = None
    if told is not None:  # for months, where somebody stopped: their takes are not compared again
        return False
    due = next_practice(person)
    if due is None or due.at > timezone.now():
        return False
    notify(person=person, kind=Kind.PRACTICE, rehearsal=take, about=area)
    return True


def _is_muted(person: User) -> bool:
    return Mute.objects.filter(person=person, kind=Kind.PRACTICE).exists()

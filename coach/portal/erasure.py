"""Erasing a person: an explicit tuple of each app's eraser, in the order of need."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from coach.accounts.models import User
from coach.accounts.selectors import hold_words
from coach.audit.models import Entry
from coach.audit.services import record_act
from coach.curation import services as curation
from coach.feedback.models import Feedback, Verdict
from coach.lib.former import ERASED_PERSON, FORMER_COACH
from coach.rehearsals import services as rehearsals


def _forget_name_in_verdicts(user: User) -> int:
    """A coach's decisions stay with the trainees they were made for, without the coach's name."""
    return Verdict.objects.filter(coach=user).update(coach_name=FORMER_COACH, coach=None)


def _forget_name_on_releases(user: User) -> int:
    """Released feedback stays with the trainee, word for word, without the coach's name."""
    return Feedback.objects.filter(released_by=user).update(
        released_by_name=FORMER_COACH, released_by=None
    )


def _forget_in_administration(user: User) -> int:
    """Django's own log of the administration keeps what was changed, not whose account it was."""
    person = ContentType.objects.get_for_model(User)
    forgotten = LogEntry.objects.filter(content_type=person, object_id=str(user.pk)).update(
        object_repr=ERASED_PERSON, change_message=""
    )
    # A change of a cohort names its members in the message, as JSON.
    # In older entries "in" stands where a dot stands now.
    names = [json.dumps(f"{user} {link} ")[1:-1] for link in ("·", "in")]
    is_named = Q(change_message__contains=names[0]) | Q(change_message__contains=names[1])
    named = LogEntry.objects.filter(is_named)
    return forgotten + named.update(change_message="")


def _forget_in_audit(user: User) -> int:
    """What happened stays on record; who did it goes, and what is said of them (their address)."""
    about = Entry.objects.filter(object_type="accounts.user", object_id=str(user.pk))
    return Entry.objects.filter(actor=user).update(actor=None) + about.update(detail={})


ERASERS: tuple[Callable[[User], int], ...] = (
    rehearsals.erase_for,
    _forget_name_in_verdicts,
    _forget_name_on_releases,
    _forget_in_administration,
    curation.erase_for,
    _forget_in_audit,
)


@transaction.atomic
def erase_person(*, user: User, actor: User | None = None) -> None:
    """Delete a person with their recordings and everything made from them.

    Raises ValidationError where a hold forbids it. The entry says when and, where it was an
    administrator, by whom. It never names the research pseudonym: earlier exports could be tied to
    the moment.
    """
    obstacle = hold_words(user)
    if obstacle:
        raise ValidationError(obstacle)
    for erase in ERASERS:
        erase(user)
    by_another = actor if actor and actor.pk != user.pk else None
    record_act(action="accounts.erased", target=user, actor=by_another)
    user.delete()

"""The discussion of two coaches' opinions on a take, with the reasons for what counts."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from coach.accounts.models import Membership, Role, User
from coach.audit.services import record_act
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import FORMER_COACH, name_words
from coach.notices.models import Kind
from coach.notices.services import notify
from coach.rehearsals.models import Rehearsal
from coach.review.second.models import DisagreementMessage, Place
from coach.review.second.selectors import both_in, led_takes


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscussionRow:
    """A message with its author and date."""

    who: str
    when: str
    text: str
    settles: str
    """The opinion that counted from then on, in words; empty for a plain message."""


def is_of_pair(rehearsal: Rehearsal, coach: User) -> bool:
    """Return whether this coach gave one of the two opinions."""
    return any(each.coach_id == coach.pk for each in both_in(rehearsal).values())


def may_discuss(rehearsal: Rehearsal, coach: User) -> bool:
    """Return whether a coach is concerned: they gave one of the two opinions, or lead the group."""
    if not both_in(rehearsal):
        return False
    leads = led_takes(coach).filter(pk=rehearsal.pk).exists()
    return leads or is_of_pair(rehearsal, coach)


@transaction.atomic
def add_message(
    *, rehearsal: Rehearsal, author: User, text: str, settled: str = ""
) -> DisagreementMessage:
    """Add a message and notify the others concerned.

    Raises ValidationError for a coach who is not concerned, and without text.
    """
    # A second, simultaneous click waits here.
    Rehearsal.any_kind.select_for_update(no_key=True, of=("self",)).get(pk=rehearsal.pk)
    words = text.strip()
    if not may_discuss(rehearsal, author):
        raise ValidationError(_("Only the two coaches and the group lead discuss this take."))
    if not words:
        raise ValidationError(_("Write a message first."))
    last = DisagreementMessage.objects.filter(rehearsal=rehearsal).last()
    if last and (last.author_id, last.text, last.settled) == (author.pk, words, settled):
        return last
    message = DisagreementMessage.objects.create(
        rehearsal=rehearsal, author=author, text=words, settled=settled
    )
    for person in _concerned(rehearsal):
        if person != author:
            notify(person=person, kind=Kind.DISCUSSED, rehearsal=rehearsal, about=message)
    if not settled:
        record_act(action="second.discussed", target=rehearsal, actor=author)
    return message


def _concerned(rehearsal: Rehearsal) -> list[User]:
    """Return the two coaches, the leads who may settle, and everybody who wrote, if still there."""
    both = {each.coach_id for each in both_in(rehearsal).values()}
    wrote = set(rehearsal.disagreement_messages.values_list("author", flat=True))
    groups = rehearsal.grants.filter(revoked_at=None, cohort__isnull=False).values("cohort")
    members = Membership.objects.filter(
        cohort__in=groups, role=Role.COACH, user__is_active=True, user__roles__contains=[Role.COACH]
    ).exclude(user=rehearsal.owner_id)
    leads = set(members.filter(leads=True).values_list("user", flat=True))
    people = members.filter(user__in=both | wrote | leads).values("user")
    return list(User.objects.filter(pk__in=people))


def discussion_on(rehearsal: Rehearsal) -> tuple[DiscussionRow, ...]:
    """Return the messages, oldest first."""
    settled = {
        Place.FIRST: _("The first coach’s opinion counts."),
        Place.SECOND: _("The second coach’s opinion counts."),
        Place.RESOLUTION: _("A version written after comparing counts."),
    }
    messages = rehearsal.disagreement_messages.select_related("author")
    return tuple(
        DiscussionRow(
            who=str(each.author) if each.author else name_words(FORMER_COACH),
            when=date_words(each.at),
            text=each.text,
            settles=settled[Place(each.settled)] if each.settled else "",
        )
        for each in messages
    )

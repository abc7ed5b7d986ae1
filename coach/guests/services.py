"""Services for creating and ending links, and for guests' comments."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.drafts.purge import purge_drafts
from coach.feedback.items import items_for_reading
from coach.feedback.models import Item
from coach.feedback.selectors import feedback_for_owner, is_held_back
from coach.guests.models import CoachMayInvite, GuestComment, GuestLink
from coach.guests.selectors import digest_of, may_invite
from coach.notices.models import Kind
from coach.notices.services import notify, settle
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.removals import remove_for_good
from coach.rehearsals.services import lock_rehearsal
from coach.storage import places

MOST_OPEN_LINKS = 10
MOST_COMMENTS = 100
"""Comments of one link; nobody reads more (rule of thumb)."""
COMMENTS_A_MINUTE = 10
LONGEST_DAYS = 30
LONGEST_CLIP_SECONDS = 120.0
"""Length of a shared moment; longer ones are cut off there (rule of thumb)."""


@transaction.atomic
def make_link(
    *, rehearsal: Rehearsal, maker: User, meant_for: str, days: int, shows_findings: bool
) -> tuple[GuestLink, str]:
    """Create a link for a guest to watch and comment; return it with its secret, which is shown
    once.

    Raises ValidationError for too many open links, an invalid lifetime, or a maker who may not
    invite.
    """
    # Only the owner may show the findings.
    shows = shows_findings and rehearsal.owner_id == maker.pk
    link, token = _new_link(rehearsal, maker, meant_for, days, shows_findings=shows)
    record_act(
        action="guests.link_made", target=rehearsal, actor=maker, days=days, shows_findings=shows
    )
    return link, token


@transaction.atomic
def share_report(
    *, rehearsal: Rehearsal, meant_for: str, days: int, with_recording: bool, shows_all: bool
) -> tuple[GuestLink, str]:
    """Create a read-only link to the owner's report; return it with its secret.

    Raises ValidationError as `make_link` does, and if there is no feedback to read yet.
    """
    if is_held_back(rehearsal) or feedback_for_owner(rehearsal) is None:
        raise ValidationError(_("There is no feedback to share yet."))
    link, token = _new_link(
        rehearsal,
        rehearsal.owner,
        meant_for,
        days,
        kind=GuestLink.Kind.READ,
        shows_findings=True,
        shows_recording=with_recording,
        shows_all=shows_all,
    )
    record_act(
        action="guests.report_shared",
        target=rehearsal,
        actor=rehearsal.owner,
        days=days,
        with_recording=with_recording,
        shows_all=shows_all,
    )
    return link, token


@transaction.atomic
def share_clip(
    *, rehearsal: Rehearsal, item: Item, moment: int, meant_for: str, days: int
) -> tuple[GuestLink, str]:
    """Create a link to one moment of a card and its text; return it with its secret.

    `moment` counts the moments of the card as its owner reads it. Raises ValidationError as
    `make_link` does, and if there is no such card or moment, or no recording.
    """
    feedback = feedback_for_owner(rehearsal)
    read = items_for_reading(feedback) if feedback and not is_held_back(rehearsal) else []
    clips = next((each.card.clips for each in read if each.item.pk == item.pk), ())
    if not 0 <= moment < len(clips):
        raise ValidationError(_("This card has no such moment any more. Reload the page."))
    if rehearsal.media_removed_at is not None:
        raise ValidationError(_("The recording has been deleted."))
    stretch = clips[moment]
    start = max(stretch.start, 0.0)
    end = min(stretch.end, start + LONGEST_CLIP_SECONDS, rehearsal.duration or stretch.end)
    if end <= start:
        raise ValidationError(_("This card has no such moment any more. Reload the page."))
    link, token = _new_link(
        rehearsal,
        rehearsal.owner,
        meant_for,
        days,
        kind=GuestLink.Kind.CLIP,
        shows_findings=True,
        shows_all=False,
        item=item,
        start=start,
        end=end,
        clip=GuestLink.Clip.WAITING,
    )
    record_act(action="guests.clip_shared", target=rehearsal, actor=rehearsal.owner, days=days)
    return link, token


def _new_link(
    rehearsal: Rehearsal, maker: User, meant_for: str, days: int, **shows: Any
) -> tuple[GuestLink, str]:
    if not 1 <= days <= LONGEST_DAYS:
        raise ValidationError(_("A link lasts between one and thirty days."))
    # Locked, so that the limit of open links is kept, and no link is made to a take that is being
    # deleted, or by a coach who may no longer invite.
    lock_rehearsal(rehearsal.pk)
    if not may_invite(maker, rehearsal):
        raise ValidationError(_("You can no longer invite guests to this take."))
    now = timezone.now()
    standing = rehearsal.guest_links.filter(revoked_at=None, expires_at__gt=now)
    if standing.count() >= MOST_OPEN_LINKS:
        raise ValidationError(_("This take already has ten open links. End one first."))
    token = secrets.token_urlsafe(32)
    link = GuestLink.objects.create(
        rehearsal=rehearsal,
        digest=digest_of(token),
        meant_for=meant_for,
        made_by=maker,
        made_by_name=str(maker),
        expires_at=now + timedelta(days=days),
        **shows,
    )
    return link, token


@transaction.atomic
def end_link(*, link: GuestLink, actor: User) -> None:
    """End a link at once; comments stay, a clip is deleted. Repeating it changes nothing."""
    if GuestLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
        record_act(action="guests.link_ended", target=link.rehearsal, actor=actor)
        delete_clip(link)


def delete_clip(link: GuestLink) -> None:
    """Delete the file of a clip, if the link is one."""
    held = GuestLink.objects.filter(pk=link.pk).exclude(clip="")
    if held.update(clip=""):
        remove_for_good(places.clip(link.rehearsal_id, link.pk))


@transaction.atomic
def note_clip(*, link_id: UUID, is_cut: bool) -> bool:
    """Record that a clip was cut, or cannot be. Return False if its link is over by now."""
    state = GuestLink.Clip.READY if is_cut else GuestLink.Clip.FAILED
    open_ones = GuestLink.objects.filter(pk=link_id, revoked_at=None).exclude(clip="")
    return bool(open_ones.filter(expires_at__gt=timezone.now()).update(clip=state))


@transaction.atomic
def let_coach_invite(*, rehearsal: Rehearsal, may: bool) -> None:
    """Let the coaches who have the take create links, or stop that.

    Stopping it ends the links that coaches have created.
    """
    lock_rehearsal(rehearsal.pk)
    before = CoachMayInvite.objects.filter(rehearsal=rehearsal).exists()
    if may == before:
        return
    if may:
        CoachMayInvite.objects.get_or_create(rehearsal=rehearsal)
    else:
        CoachMayInvite.objects.filter(rehearsal=rehearsal).delete()
        theirs = rehearsal.guest_links.exclude(made_by=rehearsal.owner_id)
        theirs.filter(revoked_at=None).update(revoked_at=timezone.now())
    record_act(
        action="guests.coach_may_invite",
        target=rehearsal,
        actor=rehearsal.owner,
        before=before,
        after=may,
    )


@transaction.atomic
def comment(
    *, link: GuestLink, visit: UUID, name: str, at_seconds: float, text: str
) -> GuestComment:
    """Save a guest's comment at a time of the recording, and notify the owner.

    Raises ValidationError for a time outside the recording, and for too many comments.
    """
    # Locked, so that the limits hold for concurrent comments of a guest.
    GuestLink.objects.select_for_update(no_key=True).get(pk=link.pk)
    if not 0 <= at_seconds <= (link.rehearsal.duration or 0.0) + 0.5:
        raise ValidationError(_("Choose a time within the recording."))
    lately = timezone.now() - timedelta(minutes=1)
    if link.comments.filter(created_at__gte=lately).count() >= COMMENTS_A_MINUTE:
        raise ValidationError(
            _("You sent many comments in a short time. Wait a minute, then continue.")
        )
    if link.comments.count() >= MOST_COMMENTS:
        raise ValidationError(_("This link already has a hundred comments, the most it can have."))
    written = GuestComment.objects.create(
        link=link, visit=visit, name=name, at_seconds=at_seconds, text=text.strip()
    )
    take = link.rehearsal
    notify(person=take.owner, kind=Kind.GUEST, rehearsal=take, about=written)
    record_act(action="guests.commented", target=take)
    return written


@transaction.atomic
def remove_comment(*, written: GuestComment, actor: User | None) -> None:
    """Delete a comment, for the owner or for its guest."""
    settle(about=written)
    record_act(action="guests.comment_removed", target=written.link.rehearsal, actor=actor)
    written.delete()


def purge_drafts_of_take(rehearsal_id: UUID) -> None:
    """Delete the drafts of the pages that guests of this take open."""
    links = GuestLink.objects.filter(rehearsal=rehearsal_id)
    purge_drafts([str(key) for key in links.values_list("pk", flat=True)])

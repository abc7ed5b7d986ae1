"""Queries about links and comments: an owner sees all of a take, a coach their own links."""

from __future__ import annotations

import hashlib

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from coach.accounts.models import Purpose, User
from coach.accounts.selectors import standing_consents
from coach.guests.models import GuestComment, GuestLink
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.selectors import own_rehearsals_for, shared_rehearsals_for


def digest_of(token: str) -> str:
    """Return the digest that is stored for the secret of a link."""
    return hashlib.sha256(token.encode()).hexdigest()


def takes_to_invite_to(user: User) -> QuerySet[Rehearsal]:
    """Return the takes to which the person may invite guests: their own, and those where a
    coach may.
    """
    allowed = shared_rehearsals_for(user).filter(coach_may_invite__isnull=False)
    own = own_rehearsals_for(user)
    # As a condition on each row, so that one take does not cost a scan of all shared ones.
    return Rehearsal.objects.filter(
        Exists(own.filter(pk=OuterRef("pk"))) | Exists(allowed.filter(pk=OuterRef("pk")))
    )


def may_invite(user: User, rehearsal: Rehearsal) -> bool:
    """Return whether the person may create links to this take."""
    return takes_to_invite_to(user).filter(pk=rehearsal.pk).exists()


def links_for(user: User, rehearsal: Rehearsal) -> QuerySet[GuestLink]:
    """Return the links to a take that the person may see and end."""
    links = GuestLink.objects.filter(rehearsal=rehearsal).annotate(comment_count=Count("comments"))
    return links if rehearsal.owner_id == user.pk else links.filter(made_by=user)


def comments_for(owner: User) -> QuerySet[GuestComment]:
    """Return guests' comments on the person's own takes."""
    return GuestComment.objects.filter(link__rehearsal__owner=owner).select_related("link")


def guest_visits(rehearsal: Rehearsal) -> QuerySet[Viewing]:
    """Return guests' visits of a take, for its owner."""
    return rehearsal.viewings.exclude(guest="")


def opens(link: GuestLink) -> bool:
    """Return whether a link is valid now: not expired, not ended, and its maker may still invite.

    A maker whose account is closed invites nobody, and could not end the link either. A link to a
    take whose owner's account is closed is invalid too: they could not see visits or comments. A
    clip also ends with the recording, and with the consent to analyse it.
    """
    if not link.is_open() or (link.kind == GuestLink.Kind.CLIP and not _clip_may_play(link)):
        return False
    maker = link.made_by
    if maker is None or not (maker.is_active and link.rehearsal.owner.is_active):
        return False
    return maker.pk == link.rehearsal.owner_id or may_invite(maker, link.rehearsal)


def _clip_may_play(link: GuestLink) -> bool:
    take = link.rehearsal
    return take.media_removed_at is None and Purpose.ANALYSIS in standing_consents(take.owner)


def clips_to_cut() -> QuerySet[GuestLink]:
    """Return the clips whose file is not made yet, and can be: it is cut from the copy."""
    waiting = GuestLink.objects.filter(clip=GuestLink.Clip.WAITING, revoked_at=None)
    return waiting.filter(expires_at__gt=timezone.now(), rehearsal__has_copy=True)


def clips_to_delete() -> QuerySet[GuestLink]:
    """Return the links that are over and still have a file, or wait for one."""
    over = Q(expires_at__lte=timezone.now()) | Q(revoked_at__isnull=False)
    return GuestLink.objects.filter(over).exclude(clip="").select_related("rehearsal")


def link_of(token: str) -> GuestLink | None:
    """Return the valid link with this secret; None if there is none."""
    found = GuestLink.objects.filter(digest=digest_of(token)).select_related("rehearsal").first()
    return found if found is not None and opens(found) else None

"""Reading links and comments: the owner sees all of a take's, a coach the links they made."""

from __future__ import annotations

import hashlib

from django.db.models import Count, Exists, OuterRef, QuerySet

from coach.accounts.models import User
from coach.guests.models import GuestComment, GuestLink
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.selectors import own_rehearsals_for, shared_rehearsals_for


def digest_of(token: str) -> str:
    """What is kept of the secret part of a link."""
    return hashlib.sha256(token.encode()).hexdigest()


def takes_to_invite_to(user: User) -> QuerySet[Rehearsal]:
    """Takes to which the person may invite guests: their own, and where its owner lets a coach."""
    allowed = shared_rehearsals_for(user).filter(coach_may_invite__isnull=False)
    own = own_rehearsals_for(user)
    # Asked of each row, so that one take does not cost a look at all that are shared.
    return Rehearsal.objects.filter(
        Exists(own.filter(pk=OuterRef("pk"))) | Exists(allowed.filter(pk=OuterRef("pk")))
    )


def may_invite(user: User, rehearsal: Rehearsal) -> bool:
    """Whether the person may make links to this take."""
    return takes_to_invite_to(user).filter(pk=rehearsal.pk).exists()


def links_for(user: User, rehearsal: Rehearsal) -> QuerySet[GuestLink]:
    """The links to a take that the person may see and end."""
    links = GuestLink.objects.filter(rehearsal=rehearsal).annotate(comment_count=Count("comments"))
    return links if rehearsal.owner_id == user.pk else links.filter(made_by=user)


def comments_for(owner: User) -> QuerySet[GuestComment]:
    """What guests wrote about the person's own takes."""
    return GuestComment.objects.filter(link__rehearsal__owner=owner).select_related("link")


def looks_of_guests(rehearsal: Rehearsal) -> QuerySet[Viewing]:
    """When guests opened it, for its owner."""
    return rehearsal.viewings.exclude(guest="")


def opens(link: GuestLink) -> bool:
    """Whether it opens the take now: in time, not ended, and who made it may still invite.

    Whoever cannot sign in any more invites nobody, nor could they end a link of theirs. Nor does
    anybody invite to what somebody made whose account is closed: they read of no look or comment.
    """
    if not link.is_open():
        return False
    maker = link.made_by
    if maker is None or not (maker.is_active and link.rehearsal.owner.is_active):
        return False
    return maker.pk == link.rehearsal.owner_id or may_invite(maker, link.rehearsal)


def link_of(token: str) -> GuestLink | None:
    """The link with this secret part, while it is open."""
    found = GuestLink.objects.filter(digest=digest_of(token)).select_related("rehearsal").first()
    return found if found is not None and opens(found) else None

"""Personal data of guests: links and comments on a person's takes, and links they made."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from coach.accounts.models import User
from coach.guests.models import GuestComment, GuestLink
from coach.lib.personal_data import PersonalData
from coach.lib.words.placeholder_names import FORMER_COACH
from coach.rehearsals.models import Rehearsal

_SHOWN = ("kind", "shows_findings", "shows_recording", "shows_all", "start", "end")


def _export(user: User) -> dict[str, Any]:
    return {
        "guest_links_made": list(
            GuestLink.objects.filter(made_by=user).values(
                "meant_for", "created_at", "expires_at", "revoked_at", *_SHOWN
            )
        )
    }


def _export_take(take: Rehearsal) -> dict[str, Any]:
    return {
        "guest_links": list(
            take.guest_links.values(
                "meant_for", "made_by_name", "created_at", "expires_at", "revoked_at", *_SHOWN
            )
        ),
        "guest_comments": list(
            GuestComment.objects.filter(link__rehearsal=take).values(
                "name", "at_seconds", "text", "created_at"
            )
        ),
    }


def _erase(user: User) -> int:
    """End the person's links to others' takes, and remove their name from them."""
    made = GuestLink.objects.filter(made_by=user)
    made.filter(revoked_at=None).update(revoked_at=timezone.now())
    return made.update(made_by=None, made_by_name=FORMER_COACH)


PERSONAL_DATA = PersonalData(
    app="guests",
    kept={"guest_links_made": "as long as the take"},
    export=_export,
    export_take=_export_take,
    handed_out={"guests.guestlink.made_by": "guest_links_made"},
    erase=_erase,
)

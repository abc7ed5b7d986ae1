"""Personal data of the audit log: events of a person's account, and their own actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coach.audit.models import Entry
from coach.audit.selectors import account_entries_for, security_events_for
from coach.lib.personal_data import PersonalData

if TYPE_CHECKING:
    from coach.accounts.models import User


def _export(user: User) -> dict[str, Any]:
    return {
        "account": list(account_entries_for(user).values("action", "at", "from_where", "detail")),
        "network_addresses": list(
            security_events_for(user).values("action", "at", "address", "object_type")
        ),
        "acts": list(Entry.objects.filter(actor=user).values("action", "at", "from_where")),
    }


def _erase(user: User) -> int:
    """Anonymise the person's entries: remove the actor, and details about them such as
    their address.
    """
    about = Entry.objects.filter(object_type="accounts.user", object_id=str(user.pk))
    security_events_for(user).delete()
    return Entry.objects.filter(actor=user).update(actor=None) + about.update(detail={})


PERSONAL_DATA = PersonalData(
    app="audit",
    kept={
        "account": "three years, or as the site says; without the person once they are erased",
        "acts": "the same",
        "network_addresses": "30 days, or as the site says; until the person is erased",
    },
    export=_export,
    handed_out={
        "audit.entry.actor": "acts",
        "audit.securityevent.actor": "network_addresses",
    },
    erase=_erase,
)

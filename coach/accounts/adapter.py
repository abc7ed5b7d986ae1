"""How allauth behaves here."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class InvitationOnlyAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no stubs
    """Accounts are made by an administrator: nobody signs up from the street."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Closed."""
        return False

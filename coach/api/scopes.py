"""Scopes of access tokens: what a program may do with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User


class Scope(models.TextChoices):
    """A permission of a token. It never exceeds what its owner may do."""

    TAKES_READ = "takes:read", _("Read takes, reports and cards")
    TAKES_WRITE = "takes:write", _("Upload takes and send them to your coach")
    ASSIGNMENTS_READ = "assignments:read", _("Read assignments")
    REVIEWS_READ = "reviews:read", _("Read your review queue")
    RULES_READ = "rules:read", _("Read the rules")
    RESEARCH_READ = "research:read", _("List studies and download their exports")
    # Given on a page of the administration only (`coach.scim`).
    SCIM = "scim", _("Add, change and close accounts and groups (SCIM)")
    SCIM_MATCH = "scim:match", _("Match existing accounts by email and groups by name")
    SCIM_INVITE = "scim:invite", _("Email an invitation to new people")


_OFFERED: Final[dict[Scope, Callable[[User], bool]]] = {
    Scope.TAKES_READ: lambda user: user.can_practise or user.can_review,
    Scope.TAKES_WRITE: lambda user: user.can_practise,
    Scope.ASSIGNMENTS_READ: lambda user: user.can_practise or user.can_review or user.is_staff,
    Scope.REVIEWS_READ: lambda user: user.can_review,
    Scope.RULES_READ: lambda user: user.can_curate,
    Scope.RESEARCH_READ: lambda user: user.can_research,
}


def scopes_for(user: User) -> list[Scope]:
    """Return the scopes that a person can give to a token, by their roles."""
    return [scope for scope, may in _OFFERED.items() if may(user)]

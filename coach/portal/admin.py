"""Deleting people in the administration: the same erasure as in the privacy centre."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from coach.accounts.admin import PersonAdmin, administrator
from coach.accounts.models import User
from coach.portal.erasure import erase_person


@admin.register(User)
class ErasingPersonAdmin(PersonAdmin):
    """Rows alone would leave the recordings on disk, and names beside what stays."""

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Erase one person."""
        erase_person(user=obj, actor=administrator(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Erase each of those that were ticked in the list."""
        for user in queryset:
            erase_person(user=user, actor=administrator(request))

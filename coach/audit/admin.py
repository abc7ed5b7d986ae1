"""The audit log, to read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from coach.audit.actions import ACTIONS
from coach.audit.models import Entry
from coach.lib.admin import DiscreetAdmin


class ActionFilter(admin.SimpleListFilter):
    """One kind of act."""

    title = _("what happened")
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Every kind, in words."""
        return sorted(ACTIONS.items(), key=lambda item: item[1])

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        """The entries of that kind."""
        return queryset.filter(action=self.value()) if self.value() else queryset


@admin.register(Entry)
class EntryAdmin(DiscreetAdmin[Entry]):
    """Nobody adds, changes or deletes an entry by hand."""

    list_display = ("at", "actor", "act", "object_type", "object_id", "detail")
    list_filter = ("at", ActionFilter)
    list_select_related = ("actor",)
    lookups = ("at", "action")
    show_full_result_count = False

    @admin.display(description=_("what happened"), ordering="action")
    def act(self, entry: Entry) -> str:
        """In words."""
        return ACTIONS.get(entry.action, entry.action)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No."""
        return False

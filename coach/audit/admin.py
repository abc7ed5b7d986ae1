"""The audit log, to read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from coach.audit.models import Entry


@admin.register(Entry)
class EntryAdmin(admin.ModelAdmin[Entry]):
    """Nobody adds, changes or deletes an entry by hand."""

    list_display = ("at", "actor", "action", "object_type", "object_id")
    list_filter = ("action",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No."""
        return False

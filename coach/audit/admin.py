"""The audit log, to read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import Case, CharField, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from coach.audit.actions import ACTIONS
from coach.audit.models import Entry
from coach.lib.admin import DiscreetAdmin

_ROW = 160
"""Characters of a detail in the list; a rule of thumb."""


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_in_words(each)}" for name, each in value.items()) or "–"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return "–" if value in (None, "") else str(value)


class ActionFilter(admin.SimpleListFilter):
    """One kind of act."""

    title = _("what happened")
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Every kind, in words."""
        return sorted(
            ((key, str(words)) for key, words in ACTIONS.items()), key=lambda item: item[1]
        )

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        """The entries of that kind."""
        return queryset.filter(action=self.value()) if self.value() else queryset


@admin.register(Entry)
class EntryAdmin(DiscreetAdmin[Entry]):
    """Nobody adds, changes or deletes an entry by hand."""

    list_display = ("at", "who", "act", "about", "said")
    list_filter = ("at", ActionFilter)
    list_select_related = ("actor",)
    lookups = ("at", "action")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        """With the names of the people that entries are about, in the one query."""
        people = get_user_model().objects.annotate(key=Cast("pk", CharField()))
        name = people.filter(key=OuterRef("object_id")).values("name")[:1]
        is_person = Q(object_type="accounts.user")
        named = Case(When(is_person, then=Subquery(name)))
        return super().get_queryset(request).annotate(person_name=named)

    @admin.display(description=_("who"), ordering="actor")
    def who(self, entry: Entry) -> str:
        """The person who did it; else the site itself, or somebody who is gone."""
        return str(entry.actor) if entry.actor else "–"

    @admin.display(description=_("about"))
    def about(self, entry: Entry) -> str:
        """A person by name, anything else by kind and number."""
        kind = entry.object_type.rpartition(".")[2]
        name = getattr(entry, "person_name", None)
        return name or f"{kind} {entry.object_id}".strip() or "–"

    @admin.display(description=_("before and after"))
    def said(self, entry: Entry) -> str:
        """The detail, short enough for a row; the entry itself has all of it."""
        detail = dict(entry.detail)
        change = []
        if {"before", "after"} <= detail.keys():
            change = [f"{_in_words(detail.pop('before'))} → {_in_words(detail.pop('after'))}"]
        rest = [f"{name}: {_in_words(value)}" for name, value in detail.items()]
        return "; ".join([*change, *rest])[:_ROW] or "–"

    @admin.display(description=_("what happened"), ordering="action")
    def act(self, entry: Entry) -> str:
        """In words."""
        return str(ACTIONS.get(entry.action, entry.action))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """No."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No."""
        return False

"""Read-only administration pages of the audit log and the security log."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeVar

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth import get_user_model
from django.db.models import Max, Model, QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from coach.audit.details import detail_words
from coach.audit.models import Entry, SecurityEvent
from coach.audit.registry import ACTIONS, RECORDING_OPENED, SECURITY_ACTIONS
from coach.audit.services import record_act
from coach.lib.audit_context import PARTS, place_words
from coach.lib.files.csv_tables import csv_lines
from coach.lib.pages.admin import DiscreetAdmin
from coach.lib.web.http import attachment

M = TypeVar("M", bound=Model)

_ROW = 160
"""Characters of a detail in the list (rule of thumb)."""
_NUMBER = 9
"""Characters of an id in the list: its first part, and an ellipsis."""
AUDIT_FILE = "audit-log.csv"
COLUMNS = (
    *("at", "who", "action", "object_type", "object_id", "before", "after", "detail"),
    "from_where",
)
_AT_ONCE = 2000
_PERSON = "accounts.user"


def _in_words(value: object) -> str:
    """Return a value for the exported table, untranslated."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_in_words(each)}" for name, each in value.items()) or "–"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return "–" if value in (None, "") else str(value)


def _row(entry: Entry) -> dict[str, Any]:
    detail = dict(entry.detail)
    before, after = (_in_words(detail.pop(name, None)) for name in ("before", "after"))
    return {
        "at": entry.at.isoformat(),
        "who": str(entry.actor) if entry.actor else "",
        "action": entry.action,
        "object_type": entry.object_type,
        "object_id": entry.object_id,
        "before": "" if before == "–" else before,
        "after": "" if after == "–" else after,
        "detail": json.dumps(detail, ensure_ascii=False, sort_keys=True) if detail else "",
        "from_where": entry.from_where,
    }


class ActionFilter(admin.SimpleListFilter):
    """Filter by action."""

    title = _("what happened")
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return every action with its label."""
        return sorted(
            ((key, str(words)) for key, words in ACTIONS.items()), key=lambda item: item[1]
        )

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the entries of the action."""
        return queryset.filter(action=self.value()) if self.value() else queryset


class PlaceFilter(admin.SimpleListFilter):
    """Filter by the part of the site where the action was done."""

    title = _("from where")
    parameter_name = "part"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return every part with its label."""
        return sorted(((key, str(words)) for key, words in PARTS.items()), key=lambda item: item[1])

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        """Return the entries of the part."""
        part = self.value()
        return queryset.filter(from_where__startswith=f"{part}:") if part else queryset


class EntryList(ChangeList):
    """A page of the log with the names of the people concerned."""

    def get_results(self, request: HttpRequest) -> None:
        """Look up the names in one query per page; a join would cost a lookup for every
        skipped row.
        """
        super().get_results(request)
        _name_people(self.result_list)


def _model_name(kind: str) -> str:
    try:
        return str(apps.get_model(kind)._meta.verbose_name)  # noqa: SLF001 (Django's public API)
    except (LookupError, ValueError):  # a kind that an older version had, or none
        return kind.rpartition(".")[2]


def _about(entry: Entry | SecurityEvent) -> str:
    kind = _model_name(entry.object_type)
    name = getattr(entry, "person_name", None)
    number = Truncator(entry.object_id).chars(_NUMBER)
    return name or f"{kind} {number}".strip() or "–"


def _name_people(entries: Iterable[Entry | SecurityEvent]) -> None:
    about = [each for each in entries if each.object_type == _PERSON and each.object_id.isdecimal()]
    people = get_user_model().objects.filter(pk__in={int(each.object_id) for each in about})
    names = dict(people.values_list("pk", "name"))
    for each in about:
        each.person_name = names.get(int(each.object_id), "")  # type: ignore[union-attr]


class ReadOnlyAdmin(DiscreetAdmin[M]):
    """A model admin without adding, changing or deleting."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False."""
        return False


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin[Entry]):
    """The audit log."""

    list_display = ("at", "who", "place", "act", "about", "said")
    list_filter = ("at", ActionFilter, PlaceFilter)
    list_select_related = ("actor",)
    lookups = ("at", "action", "part")
    show_full_result_count = False
    actions = ("as_csv",)

    @admin.action(description=_("Download the selected entries as CSV"), permissions=["view"])
    def as_csv(self, request: HttpRequest, queryset: QuerySet[Entry]) -> StreamingHttpResponse:
        """Download the entries as CSV, newest first, with values before and after."""
        actor = request.user if isinstance(request.user, get_user_model()) else None
        last = Entry.objects.aggregate(last=Max("pk"))["last"] or 0
        record_act(action="audit.handed_out", target=None, actor=actor, entries=queryset.count())
        found = queryset.filter(pk__lte=last).select_related("actor")
        return StreamingHttpResponse(
            csv_lines(COLUMNS, (_row(entry) for entry in found.iterator(chunk_size=_AT_ONCE))),
            content_type="text/csv; charset=utf-8",
            headers=attachment(AUDIT_FILE),
        )

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list class that looks up names for a page."""
        return EntryList

    @admin.display(description=_("who"), ordering="actor")
    def who(self, entry: Entry) -> str:
        """Return the actor's name; a dash for the site itself or an erased person."""
        return str(entry.actor) if entry.actor else "–"

    @admin.display(description=_("about"))
    def about(self, entry: Entry) -> str:
        """Return a person's name, or the kind and shortened id of another object."""
        return _about(entry)

    @admin.display(description=_("before and after"))
    def said(self, entry: Entry) -> str:
        """Return the details, shortened for a row; the entry's own page shows them in full."""
        said = detail_words(entry.action, entry.object_type, entry.detail)
        return Truncator(said).chars(_ROW)

    @admin.display(description=_("what happened"), ordering="action")
    def act(self, entry: Entry) -> str:
        """Return the label of the action."""
        return str(ACTIONS.get(entry.action, entry.action))

    @admin.display(description=_("from where"), ordering="from_where")
    def place(self, entry: Entry) -> str:
        """Return the part of the site where the action was done."""
        return place_words(entry.from_where)


def _security_words() -> dict[str, str]:
    words = {key: str(ACTIONS[key]) for key in SECURITY_ACTIONS}
    return words | {RECORDING_OPENED: str(_("Opened another person’s take"))}


class SecurityActionFilter(ActionFilter):
    """Filter by the actions in the security log."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return every action with its label."""
        return sorted(_security_words().items(), key=lambda item: item[1])


@admin.register(SecurityEvent)
class SecurityEventAdmin(ReadOnlyAdmin[SecurityEvent]):
    """The security log: network addresses, kept for some weeks."""

    list_display = ("at", "address", "who", "act", "about")
    list_filter = ("at", SecurityActionFilter)
    list_select_related = ("actor",)
    search_fields = ("address",)
    lookups = ("at", "action")
    show_full_result_count = False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list class that looks up names for a page."""
        return EntryList

    @admin.display(description=_("who"), ordering="actor")
    def who(self, event: SecurityEvent) -> str:
        """Return the actor's name."""
        return str(event.actor) if event.actor else "–"

    @admin.display(description=_("about"))
    def about(self, event: SecurityEvent) -> str:
        """Return a person's name, or the kind and shortened id of another object."""
        return _about(event)

    @admin.display(description=_("what happened"), ordering="action")
    def act(self, event: SecurityEvent) -> str:
        """Return the label of the action."""
        return str(_security_words().get(event.action, event.action))

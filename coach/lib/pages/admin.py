"""Shared base class of the administration's list and delete pages."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import admin
from django.core.exceptions import BadRequest
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

M = TypeVar("M", bound=Model)


class DiscreetAdmin(admin.ModelAdmin[M]):
    """A model admin that shows counts on deletion, never contents: those are not for
    administrators.
    """

    # The only lookups allowed in a URL; each class lists its own.
    lookups: tuple[str, ...] = ()

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Return the objects to delete without related titles, file names or words of
        private takes.
        """
        _contents, counts, missing, protected = super().get_deleted_objects(objs, request)
        return [str(each) for each in objs], counts, missing, protected

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return whether a lookup is one of the page's own filters."""
        return lookup.partition("__")[0] in self.lookups

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Refuse a search with a NUL character, which PostgreSQL does not accept. Raises
        BadRequest.
        """
        if any("\x00" in value for _key, values in request.GET.lists() for value in values):
            raise BadRequest
        return super().changelist_view(request, extra_context)

"""What every list and delete page of the administration here has in common."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import admin
from django.core.exceptions import BadRequest
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

M = TypeVar("M", bound=Model)


class DiscreetAdmin(admin.ModelAdmin[M]):
    """Deleting shows numbers, never contents: what people keep here is not the administration's."""

    # The only lookups that an address may ask for; a list of names in the class itself.
    lookups: tuple[str, ...] = ()

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Django's page would read out titles, file names and words of private takes."""
        _contents, counts, missing, protected = super().get_deleted_objects(objs, request)
        return [str(each) for each in objs], counts, missing, protected

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Nothing but the filters that the page itself offers."""
        return lookup.partition("__")[0] in self.lookups

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A NUL is nobody's search, and PostgreSQL takes none."""
        if any("\x00" in value for _key, values in request.GET.lists() for value in values):
            raise BadRequest
        return super().changelist_view(request, extra_context)

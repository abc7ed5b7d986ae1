"""Views that describe this site to SCIM clients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from scim2_models import ListResponse, Meta, Resource, ResourceType, Schema, ServiceProviderConfig

from coach.api.authentication import TokenRequest
from coach.scim.v2.protocol import resource_response
from coach.scim.v2.resources import CONFIG, PROVIDER

_ROOT: Final = "scim-v2:root"


def config(request: TokenRequest) -> HttpResponse:
    """Return what this site can do."""
    return resource_response(_placed(request, CONFIG, ServiceProviderConfig, ""))


def schemas(request: TokenRequest) -> HttpResponse:
    """List the attributes of people and groups."""
    return _all_of(request, PROVIDER.schemas, Schema)


def schema(request: TokenRequest, key: str) -> HttpResponse:
    """Return the attributes of people or of groups."""
    return _one_of(request, PROVIDER.schemas, Schema, key)


def resource_types(request: TokenRequest) -> HttpResponse:
    """List the types of resources: people and groups."""
    return _all_of(request, PROVIDER.resource_types, ResourceType)


def resource_type(request: TokenRequest, key: str) -> HttpResponse:
    """Return a type of resource."""
    return _one_of(request, PROVIDER.resource_types, ResourceType, key)


def _all_of(
    request: HttpRequest, found: Sequence[Resource[Any]], model: type[Resource[Any]]
) -> HttpResponse:
    shown = [_placed(request, each, model, f"/{each.id}") for each in found]
    listed: Any = ListResponse[model](  # type: ignore[valid-type]
        total_results=len(shown), start_index=1, items_per_page=len(shown), resources=shown
    )
    return resource_response(listed)


def _one_of(
    request: HttpRequest, found: Sequence[Resource[Any]], model: type[Resource[Any]], key: str
) -> HttpResponse:
    for each in found:
        if each.id == key:
            return resource_response(_placed(request, each, model, f"/{key}"))
    raise Http404


def _placed(
    request: HttpRequest, found: Resource[Any], model: type[Resource[Any]], rest: str
) -> Resource[Any]:
    """Return a copy with its address; the description itself is the same for all requests."""
    name = model.__name__
    plural = name if model is ServiceProviderConfig else f"{name}s"
    place = f"{request.build_absolute_uri(reverse(_ROOT))}{plural}{rest}"
    return found.model_copy(update={"meta": Meta(resource_type=name, location=place)})

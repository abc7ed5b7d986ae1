"""Requests and answers of SCIM: token, limit, size and errors around each view."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from pydantic import ValidationError
from scim2_models import (
    Context,
    Error,
    ForbiddenException,
    InvalidSyntaxException,
    ListResponse,
    NotFoundException,
    NotImplementedException,
    PatchOp,
    Resource,
    SCIMException,
    ScimObject,
    SearchRequest,
)

from coach.api.authentication import TokenRequest
from coach.api.scopes import Scope
from coach.api.v1.permission import check_token
from coach.api.v1.problems import Refused
from coach.scim.v2.resources import MOST_LISTED, POLICY

MEDIA_TYPE: Final = "application/scim+json"
_MOST_BYTES: Final = 1024**2
"""Size of a body; a group of 5,000 people has about 400,000 (rule of thumb)."""
_MOST_OPERATIONS: Final = 1000
"""Operations in one PATCH (rule of thumb)."""
_LAST_INDEX: Final = 10**6


View = Callable[..., HttpResponse]
"""A view of SCIM, with a valid token."""


def scim_view(**views: View) -> Callable[..., HttpResponse]:
    """Return a Django view that answers each method by its view, and all errors as SCIM does."""

    @wraps(next(iter(views.values())))
    def answer(request: HttpRequest, **names: Any) -> HttpResponse:
        try:
            check_token(request, Scope.SCIM)
            view = views.get(str(request.method).lower())
            if view is None:
                return _error(405, _("This address does not know the method."))
            return _carry_out(view, request, names)  # type: ignore[arg-type]
        except Refused as refused:
            return _error(refused.status, refused.detail, headers=refused.headers)

    return answer


def _carry_out(view: View, request: TokenRequest, names: dict[str, Any]) -> HttpResponse:
    try:
        if not request.user.is_staff:
            raise ForbiddenException
        with POLICY, transaction.atomic():
            return view(request, **names)
    except SCIMException as error:
        return _error(error.status, error.detail, error.scim_type)
    except ValidationError as error:
        first = Error.from_validation_errors(error)[0]
        return _error(first.status or 400, first.detail or "", first.scim_type)
    except DjangoValidationError as error:
        return _error(409, " ".join(error.messages))
    except IntegrityError:
        # Two requests about the same at the same moment.
        return _error(409, _("This exists already."), "uniqueness")
    except RequestDataTooBig:
        return _error(413, _("The request is too large."))
    except Http404:
        return _error(404, NotFoundException().detail)


def _error(
    status: int, detail: str, kind: str | None = None, *, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    said = Error(status=status, detail=detail, scim_type=kind or None)
    return _json(said.model_dump(), status, headers)


def _json(
    body: dict[str, Any], status: int, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    text = json.dumps(body, ensure_ascii=False)
    response = HttpResponse(text, status=status, content_type=MEDIA_TYPE, headers=headers)
    response.headers["Cache-Control"] = "no-store"
    return response


def body_of(request: HttpRequest) -> dict[str, Any]:
    """Return the object that a request sends. Raises InvalidSyntaxException."""
    if len(request.body) > _MOST_BYTES:
        raise RequestDataTooBig
    try:
        said = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise InvalidSyntaxException from error
    if not isinstance(said, dict):
        raise InvalidSyntaxException
    return said


def patch_of(request: HttpRequest, model: type[Resource[Any]]) -> PatchOp[Any]:
    """Return the operations of a PATCH, of which one with several attributes becomes several."""
    body = body_of(request)
    sent = body.get("Operations")
    if isinstance(sent, list):
        body["Operations"] = [part for each in sent for part in _parts_of(each)]
        if len(body["Operations"]) > _MOST_OPERATIONS:
            raise RequestDataTooBig
    patch: PatchOp[Any] = PatchOp[model].model_validate(  # type: ignore[valid-type]
        body, scim_ctx=Context.RESOURCE_PATCH_REQUEST
    )
    return patch


def _parts_of(operation: Any) -> list[Any]:
    """Return an operation without a path as operations with one, as some names are paths."""
    if not isinstance(operation, dict) or operation.get("path"):
        return [operation]
    value = operation.get("value")
    if not isinstance(value, dict):
        return [operation]
    return [{**operation, "path": name, "value": part} for name, part in value.items()]


def query_of(request: HttpRequest, model: type[Resource[Any]]) -> SearchRequest[Any]:
    """Return the parameters of a query, read for this type of resource."""
    known = ("attributes", "excludedAttributes", "startIndex", "count", "filter")
    said = {name: request.GET[name] for name in known if name in request.GET}
    query: SearchRequest[Any] = SearchRequest[model].model_validate(said)  # type: ignore[valid-type]
    return query


def resource_response(
    resource: ScimObject,
    *,
    status: int = 200,
    context: Context = Context.RESOURCE_QUERY_RESPONSE,
    query: SearchRequest[Any] | None = None,
) -> HttpResponse:
    """Return the response with a resource, with the attributes that the query asked for."""
    body = resource.model_dump(scim_ctx=context, response_parameters=query)
    headers = {"Location": body["meta"]["location"]} if status == 201 else None
    return _json(body, status, headers)


def list_response(
    model: type[Resource[Any]],
    found: Any,
    show: Callable[[Any], list[Resource[Any]]],
    query: SearchRequest[Any],
) -> HttpResponse:
    """Return a page of resources; `show` makes them of the rows of the page."""
    count = MOST_LISTED if query.count is None else min(query.count, MOST_LISTED)
    first = min(query.start_index_0 or 0, _LAST_INDEX)
    shown = show(found[first : first + count])
    listed: Any = ListResponse[model](  # type: ignore[valid-type]
        total_results=found.count(),
        start_index=first + 1,
        items_per_page=len(shown),
        resources=shown,
    )
    return resource_response(listed, query=query)


def not_implemented(_request: TokenRequest, **_names: Any) -> HttpResponse:
    """Answer a part of SCIM that this site does not have."""
    raise NotImplementedException


def no_such_address(_request: TokenRequest, **_names: Any) -> HttpResponse:
    """Answer an address that SCIM does not have."""
    raise Http404

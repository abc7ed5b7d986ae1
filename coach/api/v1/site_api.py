"""The API object: its errors, its OpenAPI document and its operations."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from analysis import __version__
from coach.api.authentication import TokenRequest
from coach.api.scopes import Scope
from coach.api.v1 import assignments, research, reviews, rules, takes
from coach.api.v1.permission import AccessToken
from coach.api.v1.problems import MEDIA_TYPE, FieldError, Refused, answers, problem_response
from coach.storage import StorageUnavailable
from coach.storage.unavailable import AWAY_SENTENCE

log = logging.getLogger("django.request")

_HEADERS = {
    "RateLimit": {
        "schema": {"type": "string"},
        "description": "Requests left, and seconds until the limit starts again.",
    },
    "RateLimit-Policy": {"schema": {"type": "string"}, "description": "The limit of a token."},
}


class SiteSchema(OpenAPISchema):
    """The OpenAPI document, with the scope of each operation and our type of errors."""

    def operation_security(self, operation: Operation) -> list[dict[str, Any]] | None:
        """Return the scope that an operation needs."""
        for auth in operation.auth_callbacks:
            if isinstance(auth, AccessToken):
                self.securitySchemes["AccessToken"] = auth.openapi_security_schema
                return [{"AccessToken": [auth.scope.value] if auth.scope else []}]
        return None

    def responses(self, operation: Operation) -> dict[int, dict[str, Any]]:
        """Return the responses of an operation; errors have a type of their own."""
        found: dict[int, dict[str, Any]] = super().responses(operation)
        for status, said in found.items():
            if status >= 400:
                said["content"] = {MEDIA_TYPE: said["content"].pop("application/json")}
            if operation.auth_callbacks and status not in {401, 404, 503}:
                said["headers"] = _HEADERS
        return found


class SiteAPI(NinjaAPI):
    """An API whose document is a `SiteSchema`."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """Return the OpenAPI document."""
        prefix = self.get_root_path(path_params or {}) if path_prefix is None else path_prefix
        return SiteSchema(self, prefix)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of an operation: that of its function."""
        return operation.view_func.__name__


def _if_open(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer 404 on a site without the API."""

    def answer(request: HttpRequest, **names: Any) -> HttpResponse:
        return view(request, **names) if settings.API else problem_response(not_found())

    return answer


api = SiteAPI(
    title="Rostrum",
    version="1",
    description=f"Takes, reports, cards and reviews of this site. Rostrum {__version__}.",
    urls_namespace="v1",
    docs_url=None,
    docs_decorator=_if_open,
)
for router in (takes, assignments, reviews, rules, research):
    api.add_router("", router.router)


class Me(Schema):
    """The owner of the token, and the token."""

    name: str
    language: str
    roles: list[str]
    token: str
    scopes: list[Scope]
    ends_at: datetime


@api.get("/me", auth=AccessToken(), response=answers(Me, without=[403]), tags=["Account"])
def me(request: TokenRequest) -> Me:
    """Return the owner of the token, and what the token may do."""
    user, token = request.user, request.token
    return Me(
        name=user.name,
        language=user.language,
        roles=list(user.roles),
        token=token.name,
        scopes=[Scope(each) for each in token.scopes],
        ends_at=token.ends_at,
    )


@api.exception_handler(Refused)
def _refused(_request: HttpRequest, error: Refused) -> HttpResponse:
    return problem_response(error)


@api.exception_handler(Http404)
def _missing(_request: HttpRequest, _error: Http404) -> HttpResponse:
    return problem_response(not_found())


@api.exception_handler(ValidationError)
def _invalid(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    errors = [
        FieldError(field=".".join(map(str, each.get("loc", ()))), message=str(each.get("msg", "")))
        for each in error.errors
    ]
    sentence = _("The request does not match the description of the API.")
    return problem_response(Refused(422, "invalid_request", sentence, errors=errors))


@api.exception_handler(DjangoValidationError)
def _not_now(_request: HttpRequest, error: DjangoValidationError) -> HttpResponse:
    return problem_response(Refused(409, "not_possible_now", " ".join(error.messages)))


@api.exception_handler(HttpError)
def _http_error(_request: HttpRequest, error: HttpError) -> HttpResponse:
    sentence = _("The request does not match the description of the API.")
    status = 422 if error.status_code == 400 else error.status_code
    return problem_response(Refused(status, "invalid_request", sentence))


@api.exception_handler(StorageUnavailable)
def _away(_request: HttpRequest, error: StorageUnavailable) -> HttpResponse:
    log.error("recordings cannot be reached: %s", error)
    return problem_response(Refused(503, "storage_unavailable", str(AWAY_SENTENCE)))


@api.exception_handler(Exception)
def _failed(request: HttpRequest, error: Exception) -> HttpResponse:
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    sentence = _("Something failed on our side.")
    return problem_response(Refused(500, "server_error", sentence))


def not_found() -> Refused:
    """Return the error for an object that is missing, or that is not theirs."""
    return Refused(404, "not_found", _("This does not exist, or you may not read it."))


def no_such_address(_request: HttpRequest, **_names: str) -> HttpResponse:
    """Answer an address that the API does not have."""
    return problem_response(not_found())


@_if_open
def home(_request: HttpRequest) -> HttpResponse:
    """Lead to the description of the API."""
    return redirect("v1:openapi-json")

"""Resumable uploads with a token: the tus server of the recorder, at an address of the API."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from uuid import UUID

from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from coach.api.scopes import Scope
from coach.api.v1.permission import check_token
from coach.api.v1.problems import Refused, problem_response
from coach.uploads.tus import views as tus

_Rest = ParamSpec("_Rest")
_View = Callable[Concatenate[HttpRequest, _Rest], HttpResponseBase]

_CODES = {
    400: "invalid_request",
    403: "missing_role",
    404: "not_found",
    405: "method_not_allowed",
    409: "other_offset",
    410: "upload_gone",
    412: "other_protocol",
    413: "too_large",
    415: "other_content_type",
    422: "not_accepted",
    423: "busy",
    460: "checksum_mismatch",
}


def _with_token(view: _View[_Rest]) -> _View[_Rest]:
    """Require the scope, and answer errors as the rest of the API does.

    Only new uploads count for the limit: a long recording has hundreds of pieces.
    """

    @csrf_exempt
    @wraps(view)
    def answer(
        request: HttpRequest, /, *args: _Rest.args, **kwargs: _Rest.kwargs
    ) -> HttpResponseBase:
        is_new = request.method == "POST" and not kwargs
        try:
            if request.method != "OPTIONS":
                check_token(request, Scope.TAKES_WRITE, counts=is_new)
        except Refused as refused:
            return problem_response(refused)
        return _as_problem(view(request, *args, **kwargs))

    return answer


def _as_problem(response: HttpResponseBase) -> HttpResponseBase:
    said = getattr(response, "content", b"")
    if response.status_code < 400 or not said:
        return response
    sentence = str(json.loads(said)["message"])
    headers = {name: value for name, value in response.items() if name != "Content-Type"}
    code = _CODES.get(response.status_code, "failed")
    return problem_response(Refused(response.status_code, code, sentence, headers=headers))


@_with_token
def uploads(request: HttpRequest, /) -> HttpResponseBase:
    """Begin an upload."""
    response = tus.uploads(request)
    began = response.headers.get("Location")
    if began:
        upload_id = began.rstrip("/").rpartition("/")[2]
        place = reverse("v1-uploads:upload", args=[upload_id])
        response.headers["Location"] = request.build_absolute_uri(place)
    return response


@_with_token
def upload(request: HttpRequest, /, upload_id: UUID) -> HttpResponseBase:
    """Answer where an upload continues, append to it, or delete it."""
    return tus.one_upload(request, upload_id)

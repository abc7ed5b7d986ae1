"""Studies and their exports, and the tables of all takes whose owners agreed, for researchers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.db import transaction
from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Path, Router, Schema
from pydantic import Field

from coach.api.authentication import TokenRequest
from coach.api.scopes import Scope
from coach.api.v1.paging import Page, Paged, next_url, rows_on_page
from coach.api.v1.permission import AccessToken, check_role
from coach.api.v1.problems import Refused, answers
from coach.lib.web.http import attachment
from coach.lib.web.large_bodies import RETRY_SECONDS, held_slot, slots
from coach.research.exports.downloads import BY_NAME, export
from coach.research.exports.models import Export
from coach.research.exports.pending_bundles import drop_if_withdrawn
from coach.research.exports.selectors import exports_for
from coach.research.exports.services import take_bundle
from coach.research.studies.selectors import may_export, studies_for

router = Router(tags=["Research"])

_AUTH = AccessToken(Scope.RESEARCH_READ)


class StudyRow(Schema):
    """A study of which you are a member."""

    slug: str
    title: str
    state: str
    may_export: bool


class StudyExport(Schema):
    """An export of a study."""

    id: UUID
    study: str
    state: str
    asked_at: datetime
    recipient: str
    purpose: str
    formats: list[str]
    sha256: str
    size_bytes: int
    expires_at: datetime | None
    downloaded_at: datetime | None


@router.get("/studies", auth=_AUTH, response=answers(list[StudyRow]))
def list_studies(request: TokenRequest) -> list[StudyRow]:
    """List the studies of which you are a member, by name."""
    check_role(may=request.user.can_research)
    return [
        StudyRow(
            slug=each.slug,
            title=each.title,
            state=each.state,
            may_export=may_export(request.user, each),
        )
        for each in studies_for(request.user).order_by("slug")
    ]


@router.get("/exports", auth=_AUTH, response=answers(Page[StudyExport], 404))
def list_exports(request: TokenRequest, page: Paged) -> Page[StudyExport]:
    """List the exports of the studies that you may export, newest first."""
    check_role(may=request.user.can_research)
    found, cursor = rows_on_page(
        exports_for(request.user), page, by="asked_at", value=lambda each: each.asked_at
    )
    return Page(results=[_export(each) for each in found], next=next_url(request, page, cursor))


@router.get("/exports/{uuid:export_id}", auth=_AUTH, response=answers(StudyExport, 404))
def get_export(request: TokenRequest, export_id: UUID) -> StudyExport:
    """Return an export: whether it is done, and its checksum."""
    return _export(get_object_or_404(exports_for(request.user), pk=export_id))


def _export(found: Export) -> StudyExport:
    return StudyExport(
        id=found.pk,
        study=found.study.slug,
        state=found.state,
        asked_at=found.asked_at,
        recipient=found.recipient,
        purpose=found.purpose,
        formats=list(found.formats),
        sha256=found.sha256,
        size_bytes=found.size_bytes,
        expires_at=found.expires_at,
        downloaded_at=found.downloaded_at,
    )


def _file(*types: str) -> dict[str, Any]:
    content = {each: {"schema": {"type": "string", "format": "binary"}} for each in types}
    return {"responses": {200: {"description": "The file", "content": content}}}


@router.post(
    "/exports/{uuid:export_id}/download",
    auth=_AUTH,
    response=answers(None, 404, 409),
    openapi_extra=_file("application/zip"),
)
def download_export(request: TokenRequest, export_id: UUID) -> HttpResponseBase:
    """Download the archive of an export, once."""
    found = get_object_or_404(exports_for(request.user), pk=export_id)
    if drop_if_withdrawn(export=found):
        raise Refused(409, "participant_withdrew", _("A participant in it has withdrawn."))
    with transaction.atomic():
        pieces = take_bundle(export=found, researcher=request.user)
    headers = {**attachment(f"export-{found.pk}.zip"), "Content-Length": str(found.size_bytes)}
    return StreamingHttpResponse(pieces, content_type="application/zip", headers=headers)


@router.get(
    "/research/{name}",
    auth=_AUTH,
    response=answers(None, 404),
    openapi_extra=_file("text/csv", "application/json"),
)
def download_table(
    request: TokenRequest,
    name: Annotated[str, Path(), Field(pattern=r"^[a-z]+\.(csv|json)$")],
) -> HttpResponseBase:
    """Download a table of the takes whose owners agreed, for example `measurements.csv`."""
    check_role(may=request.user.can_research)
    chosen = BY_NAME.get(name)
    if chosen is None:
        raise Http404
    pieces: Iterator[bytes] = iter(_pieces(request, name))
    headers = attachment(chosen.name)
    return StreamingHttpResponse(pieces, content_type=chosen.content_type, headers=headers)


def _pieces(request: TokenRequest, name: str) -> Iterator[bytes]:
    if obstacle := slots.obstacle(request.user.pk):
        raise Refused(503, "busy", obstacle, headers={"Retry-After": str(RETRY_SECONDS)})
    return held_slot(request.user.pk, iter(export(researcher=request.user, chosen=BY_NAME[name])))

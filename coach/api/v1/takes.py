"""Takes with their reports and cards."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Router, Schema
from pydantic import BaseModel, BeforeValidator, Field, StrictBool, WithJsonSchema

from coach.accounts.models import User
from coach.api.authentication import TokenRequest
from coach.api.scopes import Scope
from coach.api.v1.paging import Page, Paged, next_url, rows_on_page
from coach.api.v1.permission import AccessToken, check_role
from coach.api.v1.problems import FieldError, Refused, answers
from coach.api.v1.repeating import KEY, repeatable
from coach.feedback.corrected_reports import corrections_for_reading, report_for_reading
from coach.feedback.forms import TalkForm
from coach.feedback.items import StandingItem, items_for_reading
from coach.feedback.models import Run
from coach.feedback.selectors import (
    feedback_for_owner,
    is_held_back,
    latest_report_run,
    released_by_now,
)
from coach.feedback.services import send_take
from coach.lib.pages.plain_text import storable
from coach.rehearsals.models import (
    Aim,
    Audience,
    Goal,
    Rehearsal,
    Setting,
    SpeaksAs,
    SpokenLanguage,
    Upload,
)
from coach.rehearsals.selectors import (
    own_rehearsals_for,
    own_talks_for,
    readable_rehearsals_for,
    uploads_for,
)
from coach.rehearsals.services import record_viewing, withdraw_from_coach
from coach.uploads.services import StillArriving, UploadGone, complete_upload, discard_upload
from coach.uploads.storing import find_twin, submit_rehearsal

router = Router(tags=["Takes"])

_READ, _WRITE = AccessToken(Scope.TAKES_READ), AccessToken(Scope.TAKES_WRITE)


OfTalk = Annotated[UUID | None, WithJsonSchema({"type": "string", "format": "uuid"})]


class Take(Schema):
    """A recording of a talk."""

    id: UUID
    talk_id: UUID
    title: str
    created_at: datetime
    owner: str = Field(description="The name of the person who made it.")
    is_own: bool
    group: str | None
    aim: str
    audience: str
    setting: str
    language: str
    goal: str
    time_limit: float | None = Field(description="In seconds.")
    duration: float | None = Field(description="In seconds; null before it was opened.")
    analysis: str = Field(description="The newest analysis: `none`, `running`, `done`, `failed`.")
    is_sent: bool = Field(description="Whether coaches of the group can open it.")
    answered_at: datetime | None = Field(description="When a coach's answer could be read.")


class Clip(Schema):
    """A moment to play, in seconds of the recording."""

    start: float
    end: float


class Card(Schema):
    """A card as the reader of the report sees it."""

    id: UUID
    origin: str = Field(description="`rule` or `coach`.")
    rule: str | None
    rule_version: int | None
    tone: str
    quality: str
    decision: str = Field(description="The coach's decision; `open` if there is none.")
    label: str
    claim: str
    figure: str
    comparison: str
    why: str
    suggestion: str
    certainty: str
    metric: str
    value: float | None
    unit: str | None
    clips: list[Clip]


class Cards(Schema):
    """The cards of a take, in reading order: at most three, unless a coach added some."""

    version: int | None = Field(description="Null if there is no feedback.")
    released_at: datetime | None
    released_by: str | None
    comment: str = Field(description="The coach's comment on the whole take.")
    cards: list[Card]


# Not a `Schema`, which reads attributes of objects: it would take `[null]` for an empty object.
class NewTake(BaseModel):
    """A take to make from a finished upload."""

    upload_id: UUID
    title: str = Field("", max_length=120, description="Empty: the name of the file.")
    talk_id: UUID | None = Field(None, description="One of your talks; null for a new one.")
    aim: Aim
    audience: Audience
    setting: Setting = Setting.CAMERA
    language: SpokenLanguage = SpokenLanguage.AUTO
    goal: Goal | None = None
    speaks_as: SpeaksAs | None = None
    time_limit_minutes: float | None = Field(None, ge=0.1, le=600, strict=True)
    shows_slides: StrictBool = False


def _text(value: object) -> object:
    """Return the value. Raises ValueError for a number, which pydantic would take for a day."""
    if not isinstance(value, str):
        raise ValueError(_("Write the day as a text: 2026-11-29."))  # noqa: TRY004
    return value


Day = Annotated[date, BeforeValidator(_text)]


class Sending(BaseModel):
    """What goes with a take to the coaches."""

    note: str = Field("", max_length=2000)
    needed_by: Day | None = Field(None, description="The day of the talk.")


def _rows(takes: QuerySet[Rehearsal]) -> QuerySet[Rehearsal]:
    runs = Run.objects.only("rehearsal_id", "state", "created_at")
    released = released_by_now().only("rehearsal_id", "state", "released_at", "version")
    return takes.select_related("owner", "cohort").prefetch_related(
        Prefetch("runs", runs), Prefetch("feedback", released), "grants"
    )


def _take(take: Rehearsal, reader: User) -> Take:
    runs, released = list(take.runs.all()), list(take.feedback.all())
    sent = [each for each in take.grants.all() if each.cohort_id and not each.revoked_at]
    return Take(
        id=take.pk,
        talk_id=take.talk_id,
        title=take.title,
        created_at=take.created_at,
        owner=take.owner.name,
        is_own=take.owner_id == reader.pk,
        group=take.cohort.name if take.cohort else None,
        aim=take.aim,
        audience=take.audience,
        setting=take.setting,
        language=take.language,
        goal=take.goal,
        time_limit=take.time_limit,
        duration=take.duration,
        analysis=runs[0].state if runs else "none",
        is_sent=bool(sent),
        answered_at=released[0].released_at if released else None,
    )


def _shown(user: User, take_id: UUID) -> Take:
    return _take(get_object_or_404(_rows(own_rehearsals_for(user)), pk=take_id), user)


@router.get("/takes", auth=_READ, response=answers(Page[Take], 404))
def list_takes(request: TokenRequest, page: Paged, talk_id: OfTalk = None) -> Page[Take]:
    """List your takes, and those that you can read as a coach."""
    takes = _rows(readable_rehearsals_for(request.user))
    if talk_id is not None:
        takes = takes.filter(talk=talk_id)
    found, cursor = rows_on_page(takes, page, by="created_at", value=lambda take: take.created_at)
    also = {"talk_id": str(talk_id)} if talk_id else {}
    return Page(
        results=[_take(each, request.user) for each in found],
        next=next_url(request, page, cursor, **also),
    )


@router.get("/takes/{uuid:take_id}", auth=_READ, response=answers(Take, 404))
def get_take(request: TokenRequest, take_id: UUID) -> Take:
    """Return a take."""
    readable = _rows(readable_rehearsals_for(request.user))
    return _take(get_object_or_404(readable, pk=take_id), request.user)


def _opened(request: TokenRequest, take_id: UUID) -> tuple[Rehearsal, Run]:
    """Return a take whose report the person can read now, and record that they did.

    Raises Refused before the analysis, and while a coach reads first.
    """
    readable = readable_rehearsals_for(request.user).select_related("owner", "cohort")
    take = get_object_or_404(readable, pk=take_id)
    run = latest_report_run(take)
    if run is None:
        raise Refused(409, "no_report_yet", _("There is no report yet."))
    if take.owner_id == request.user.pk and is_held_back(take):
        raise Refused(409, "coach_reads_first", _("Your coach reads this take first."))
    record_viewing(rehearsal=take, viewer=request.user, what="report")
    return take, run


@router.get(
    "/takes/{uuid:take_id}/report",
    auth=_READ,
    response=answers(dict[str, Any], 404, 409),
)
def get_report(request: TokenRequest, take_id: UUID) -> HttpResponse:
    """Return the report: words, measures and events (docs/reference/report.md)."""
    take, run = _opened(request, take_id)
    feedback = feedback_for_owner(take)
    report = report_for_reading(run, feedback, corrections_for_reading(feedback))
    return HttpResponse(report.as_json(), content_type="application/json")


@router.get("/takes/{uuid:take_id}/cards", auth=_READ, response=answers(Cards, 404, 409))
def get_cards(request: TokenRequest, take_id: UUID) -> Cards:
    """Return the cards of a take, as its owner reads them."""
    take, _run = _opened(request, take_id)
    feedback = feedback_for_owner(take)
    if feedback is None:
        return Cards(version=None, released_at=None, released_by=None, comment="", cards=[])
    is_released = feedback.is_released
    return Cards(
        version=feedback.version,
        released_at=feedback.released_at if is_released else None,
        released_by=feedback.released_by_name if is_released else None,
        comment=feedback.word if is_released else "",
        cards=[_card(each) for each in items_for_reading(feedback)],
    )


def _card(standing: StandingItem) -> Card:
    item, card = standing.item, standing.card
    return Card(
        id=item.pk,
        origin=item.origin,
        rule=item.rule or None,
        rule_version=item.rule_version,
        tone=item.tone,
        quality=item.quality,
        decision=standing.decision,
        label=card.label,
        claim=card.claim,
        figure=card.figure,
        comparison=card.comparison,
        why=card.why,
        suggestion=card.suggestion,
        certainty=card.certainty,
        metric=card.metric,
        value=card.value,
        unit=card.unit,
        clips=[Clip(start=each.start, end=each.end) for each in card.clips],
    )


@router.post("/takes", auth=_WRITE, response=answers(Take, 404, 409, status=201))
@repeatable(status=201)
def make_take(request: TokenRequest, said: NewTake, idempotency_key: str = KEY) -> Take:
    """Make a take from a finished upload, and start its analysis.

    The same upload, and the same file for the same talk, always give the same take.
    """
    user = request.user
    check_role(may=user.can_practise)
    upload = get_object_or_404(uploads_for(user), pk=said.upload_id)
    form = TalkForm(_answers(said, upload))
    if not form.is_valid():
        errors = [
            FieldError(field=f"body.{name}", message=" ".join(map(str, messages)))
            for name, messages in form.errors.items()
        ]
        sentence = _("The request does not match the description of the API.")
        raise Refused(422, "invalid_request", sentence, errors=errors)
    try:
        return _shown(user, _submitted(user, complete_upload(upload=upload), form).pk)
    except UploadGone as error:
        raise Refused(404, "upload_gone", _("This upload no longer exists.")) from error
    except StillArriving as error:
        raise Refused(409, "upload_incomplete", _("The upload is not complete.")) from error


def _answers(said: NewTake, upload: Upload) -> dict[str, Any]:
    given = said.model_dump(exclude={"upload_id", "talk_id"}, exclude_none=True)
    return {
        **{name: getattr(value, "value", value) for name, value in given.items()},
        "title": storable(said.title),
        "talk": str(said.talk_id or ""),
        # One take of an upload, however often it is asked for.
        "token": str(upload.pk),
    }


def _submitted(user: User, upload: Upload, form: TalkForm) -> Rehearsal:
    data = form.cleaned_data
    context = form.context(fallback_title=Path(upload.name).stem[:120] or _("Rehearsal"))
    twin = find_twin(owner=user, sha256=upload.sha256, context=context)
    if twin is not None and twin.form_token != data["token"] and upload.rehearsal != twin:
        discard_upload(upload=upload)
        return twin
    talk = get_object_or_404(own_talks_for(user), pk=data["talk"]) if data["talk"] else None
    return submit_rehearsal(
        owner=user, upload=upload, context=context, form_token=data["token"], talk=talk
    )


@router.post("/takes/{uuid:take_id}/send", auth=_WRITE, response=answers(Take, 404, 409))
@repeatable(status=200)
def send(request: TokenRequest, take_id: UUID, said: Sending, idempotency_key: str = KEY) -> Take:
    """Send your take to the coaches of your group."""
    take = get_object_or_404(own_rehearsals_for(request.user), pk=take_id)
    send_take(rehearsal=take, note=storable(said.note), needed_by=said.needed_by)
    return _shown(request.user, take.pk)


@router.post("/takes/{uuid:take_id}/withdraw", auth=_WRITE, response=answers(Take, 404, 409))
@repeatable(status=200)
def withdraw(request: TokenRequest, take_id: UUID, idempotency_key: str = KEY) -> Take:
    """Withdraw your take: coaches can no longer open it."""
    take = get_object_or_404(own_rehearsals_for(request.user), pk=take_id)
    withdraw_from_coach(rehearsal=take)
    return _shown(request.user, take.pk)

"""The review desk in a browser, on its real template, with a server that keeps decisions."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl
from uuid import UUID

from django.contrib.messages import ERROR, INFO
from django.contrib.messages.storage.base import Message
from django.template.loader import render_to_string
from playwright.sync_api import Locator, Request, Route

from coach.feedback.items import Decision
from coach.review.desk.messages import DeskMessages
from coach.review.desk.notes import NotesPanel
from coach.review.desk.page import AfterRelease, CorrectionsPanel, DeskItem, DeskList, DeskPage
from coach.review.spoken.page import SpokenPanel
from coach.review.threads.page import shown_thread
from tests.browser.front_samples import CARD, PAGE

if TYPE_CHECKING:
    from tests.browser.conftest import Serve

IDS = [f"00000000-0000-4000-8000-00000000000{index}" for index in range(3)]


def _desk(decisions: dict[str, Decision]) -> DeskPage:
    items = tuple(
        DeskItem(
            card=replace(CARD, id=id_, claim=f"Claim {index}"),
            origin="rule",
            decision=decisions.get(id_, "open"),
            decision_words=decisions.get(id_, "open"),
            shown=decisions.get(id_) != "rejected",
            needs_coach=False,
            verdict_url=f"/verdict/{id_}",
            replace_url=f"/verdict/{id_}",
            tone="improvement",
            quality="pauses",
            clips="0:05-0:06",
            can_undo=id_ in decisions,
            can_change=decisions.get(id_) in {"accepted", "edited"},
            form_key=f"{id_}-{decisions.get(id_, 'open')}",
            thread=shown_thread({}, UUID(id_), url=""),
        )
        for index, id_ in enumerate(IDS)
    )
    open_count = len(IDS) - len(decisions)
    desk = DeskList(
        rehearsal_id=PAGE.rehearsal_id,
        trainee="Ana",
        items=items,
        seen=0,
        word="",
        no_room=None,
        shown_count=sum(item.shown for item in items),
        limit_words="At most three.",
        can_release=not open_count,
        why_not=f"{open_count} to decide." if open_count else "",
        released="",
        corrects="",
        lease_words="Yours until 15:00",
        kept_words="",
        reasons=(("wrong", "The measurement is wrong"), ("tone", "I would not say it like this")),
    )
    return DeskPage(
        desk=desk,
        title="A talk",
        messages=DeskMessages(
            newer=None, handed_over="", note="", said=None, wishes=(), key_messages=None
        ),
        facts=(),
        constructed=False,
        player=PAGE.player,
        lanes=PAGE.lanes,
        sentences=PAGE.sentences,
        not_measured=(),
        notes=NotesPanel(
            rehearsal_id=PAGE.rehearsal_id, notes=(), lane=(), can_write=True, tags=()
        ),
        spoken=SpokenPanel(
            rehearsal_id=str(PAGE.rehearsal_id),
            replies=(),
            record_url="",
            most_seconds=60,
            waits=False,
        ),
        corrections=CorrectionsPanel(
            rehearsal_id=PAGE.rehearsal_id, groups=(), corrected=(), can_correct=True
        ),
        rubric=None,
        may_invite=False,
        asked=None,
        after=AfterRelease(leaving="", can_correct=False, can_retract=False),
        held_by_other="",
        colleagues=(),
        qualities=(("pauses", "Pauses"),),
    )


class Desk:
    """The desk in a browser, with a server that keeps the decisions in a dict."""

    def __init__(self, serve: Serve) -> None:
        self.decisions: dict[str, Decision] = {}
        self.posted: list[dict[str, str]] = []
        self.problem = ""
        self.kept: list[dict[str, str]] = []
        user = SimpleNamespace(is_authenticated=True, pk=7, can_practise=False)
        page = _desk({})
        context = {"page": page, "desk": page.desk, "user": user}
        self.page = serve("/desk", render_to_string("review/desk.html", context))
        self.page.route("**/verdict/*", self._verdict)
        self.page.route("**/items/add/", self._add)
        self.page.route("**/undo/", self._undo)
        self.page.route("**/begun/", self._draft)
        self.page.route("**/renew/", lambda route: route.fulfill(status=204))
        self.page.route("**/notes/add/", self._note)

    def _answer(self, route: Route, *, taken_back: str = "") -> None:
        context = {
            "taken_back": taken_back,
            "desk": _desk(self.decisions).desk,
            "request": {"htmx": True},
            "messages": self._messages(taken_back),
        }
        body = render_to_string("review/_items.html", context)
        route.fulfill(body=body, content_type="text/html")

    def _messages(self, taken_back: str) -> list[Message]:
        told = [Message(INFO, "Taken back: the decision.")] if taken_back else []
        return [*told, *([Message(ERROR, self.problem)] if self.problem else [])]

    def _verdict(self, route: Route, request: Request) -> None:
        fields = dict(parse_qsl(request.post_data or ""))
        self.posted.append(fields)
        id_ = request.url.rsplit("/", 1)[1]
        words: dict[str, Decision] = {
            "accept": "accepted",
            "edit": "edited",
            "reject": "rejected",
        }
        self.decisions[id_] = words[fields["action"]]
        self._answer(route)

    def _undo(self, route: Route) -> None:
        id_, _decision = self.decisions.popitem()
        self._answer(route, taken_back=id_)

    def _draft(self, route: Route, request: Request) -> None:
        self.kept.append(dict(parse_qsl(request.post_data or "")))
        route.fulfill(status=204)

    def _add(self, route: Route, request: Request) -> None:
        self.posted.append(dict(parse_qsl(request.post_data or "")))
        self._answer(route)

    def _note(self, route: Route, request: Request) -> None:
        self.posted.append(dict(parse_qsl(request.post_data or "")))
        context = {"notes": _desk({}).notes, "request": {"htmx": True}}
        body = render_to_string("review/_notes.html", context)
        route.fulfill(body=body, content_type="text/html")

    def current(self) -> Locator:
        return self.page.locator("[data-current]")

"""The trainee's home page: the next step, and the talks with their takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.feedback.models import Run
from coach.feedback.pages.about_take import again_url
from coach.feedback.pages.extensions import PagePart, parts_of_home
from coach.feedback.pages.incomplete_uploads import WaitingUpload, waiting_uploads
from coach.feedback.selectors import held_back_among, takes_of, talks_for
from coach.lib.pages.paging import Paging, page_of
from coach.lib.pages.plain_text import storable
from coach.lib.web.http import SignedInRequest
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import within_quotes
from coach.notices.models import Kind, Notice
from coach.notices.selectors import new_for
from coach.notices.words import page_words, place_of
from coach.rehearsals.models import Rehearsal, Talk
from coach.rehearsals.retention import announced_for, day_words

TALKS_ON_A_PAGE = 12
TAKES_OF_A_TALK = 2
"""The number of takes shown per talk; the talk's own page has all."""
TAKES_ON_A_PAGE = 30
SEARCHED_FROM = 5
"""The number of talks from which a search is offered."""

_TOLD_ONE_BY_ONE = 3
_FROM_COACH = (Kind.RELEASED, Kind.CORRECTED, Kind.QUESTION, Kind.ANSWER)

StateTone = Literal["plain", "busy", "done", "attention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeRow:
    """A take on the practice page."""

    id: str
    url: str
    title: str
    when: str
    length: str
    state: str
    state_tone: Literal["plain", "busy", "done", "attention"]
    poster_url: str
    constructed: bool = False
    held_back: bool = False
    """Whether the owner sees no results before a coach has answered."""
    is_sent: bool = False
    is_asked: bool = False
    """Whether a coach's question about the take is unanswered."""
    called: str = ""
    """The number of the take in words, on its talk's page."""
    news: str = ""
    """The news since the owner's last visit in words; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkRow:
    """A talk with its takes, newest first."""

    title: str
    takes: tuple[TakeRow, ...]
    again_url: str
    """The page for its next take."""
    url: str = ""
    """The page with all takes; empty if there is only one."""
    has_more: bool = False
    """Whether that page has more takes than are shown here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkPage:
    """All takes of one talk, page by page."""

    id: str
    talk: TalkRow
    paging: Paging


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """The next thing to do, with its address."""

    words: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakesPage:
    """The trainee's home page."""

    next_step: NextStep | None
    talks: tuple[TalkRow, ...]
    paging: Paging
    uploads: tuple[WaitingUpload, ...] = ()
    announced: tuple[str, ...] = ()
    """Sentences about data that will soon be deleted."""
    wanted: str = ""
    """The search term for titles."""
    can_search: bool = False
    parts: tuple[PagePart, ...] = ()
    """The parts of page extensions, on the first page only."""


def takes_page(request: SignedInRequest) -> TakesPage:
    """Return a page of talks with takes, newest first; the first has unfinished uploads."""
    wanted = storable(request.GET.get("q", "")).strip()[:120]
    talks, paging = page_of(
        request,
        talks_for(request.user, wanted, takes=TAKES_OF_A_TALK + 1),
        size=TALKS_ON_A_PAGE,
    )
    told = _told(request.user, [take for talk in talks for take in _newest(talk)])
    rows = tuple(_talk(talk, told) for talk in talks)
    is_first = not paging.previous and not wanted
    uploads = waiting_uploads(request.user) if is_first else ()
    parts = parts_of_home(request.user) if is_first else ()
    is_led = any(part.leads for part in parts)
    return TakesPage(
        next_step=_next_step(rows, uploads, told.said, is_led=is_led) if is_first else None,
        talks=rows,
        paging=paging,
        uploads=uploads,
        announced=tuple(_announced(request.user)) if is_first else (),
        wanted=wanted,
        can_search=bool(wanted) or paging.is_needed or len(rows) >= SEARCHED_FROM,
        parts=parts,
    )


def talk_page(request: SignedInRequest, talk: Talk) -> TalkPage:
    """Return the takes of one talk, newest first."""
    takes, paging = page_of(request, takes_of(talk), size=TAKES_ON_A_PAGE)
    told = _told(request.user, takes)
    row = TalkRow(
        title=talk.title,
        takes=tuple(replace(_row(take, told), called=_called(take)) for take in takes),
        again_url=again_url(takes[0]) if takes else reverse("feedback:new"),
    )
    return TalkPage(id=str(talk.pk), talk=row, paging=paging)


def _called(take: Rehearsal) -> str:
    """Return the number of the take in words."""
    number: int = take.number_of_talk  # type: ignore[attr-defined]  # annotated by takes_of
    return _("Take %(number)s") % {"number": number}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """Data from other tables about the takes of a page."""

    news: Collection[UUID]
    said: int | None
    """The id of the newest notification of a coach's message about an own take, or None."""
    held_back: Collection[UUID]


def _newest(talk: Talk) -> list[Rehearsal]:
    return talk.newest_takes  # type: ignore[attr-defined, no-any-return]


def _talk(talk: Talk, told: _Told) -> TalkRow:
    takes = _newest(talk)
    return TalkRow(
        title=talk.title,
        takes=tuple(_row(take, told) for take in takes[:TAKES_OF_A_TALK]),
        again_url=again_url(takes[0]) if takes else reverse("feedback:new"),
        url=reverse("feedback:talk", args=[talk.pk]) if len(takes) > 1 else "",
        has_more=len(takes) > TAKES_OF_A_TALK,
    )


def _told(user: User, takes: Iterable[Rehearsal]) -> _Told:
    rows = new_for(user).values_list("rehearsal_id", "pk", "kind", "rehearsal__owner")
    news, said = set(), None
    for take, notice, kind, owner in rows:
        news.add(take)
        if said is None and kind in _FROM_COACH and owner == user.pk:
            said = notice
    return _Told(news=news, said=said, held_back=held_back_among(takes))


def _announced(user: User) -> Iterator[str]:
    """Yield sentences about data to be deleted soon, one by one for the first, else counted."""
    told = [
        (take, day, day != dates.all_of_it)
        for take, dates in announced_for(user)
        if (day := dates.media or dates.all_of_it) is not None
    ]
    for take, day, report_stays in told[:_TOLD_ONE_BY_ONE]:
        values = {
            "title": within_quotes(take.title),
            "taken": day_words(take.created_at),
            "day": day_words(day),
        }
        if report_stays:
            said = _(
                "The recording of “%(title)s” (take of %(taken)s) will be deleted on %(day)s. "
                "The report stays."
            )
        else:
            said = _(
                "“%(title)s” (take of %(taken)s) will be deleted on %(day)s, with its recording "
                "and report."
            )
        yield said % values
    more = Counter(report_stays for _take, _day, report_stays in told[_TOLD_ONE_BY_ONE:])
    if count := more[True]:
        yield ngettext(
            "One more recording will be deleted soon. Its report stays.",
            "%(count)d more recordings will be deleted soon. Their reports stay.",
            count,
        ) % {"count": count}
    if count := more[False]:
        yield ngettext(
            "One more take will be deleted soon.",
            "%(count)d more takes will be deleted soon.",
            count,
        ) % {"count": count}


def _next_step(
    talks: tuple[TalkRow, ...],
    uploads: tuple[WaitingUpload, ...],
    notice: int | None,
    *,
    is_led: bool,
) -> NextStep | None:
    """Return the next step, or None if a part of the page already states it (`is_led`).

    Priorities: a coach's message, an interrupted recording, a take with a problem, the page part,
    the newest take.
    """
    takes = [take for talk in talks for take in talk.takes]
    interrupted = next((upload for upload in uploads if upload.is_interrupted), None)
    if interrupted is not None and notice is None:
        words = _("Your recording was interrupted. Decide what to do with the saved part.")
        return NextStep(words=words, url=interrupted.url)
    if not takes:
        return _begin(uploads)
    # Any take may have a coach's message; newer takes may have been recorded in the meantime.
    said = Notice.objects.filter(pk=notice).select_related("rehearsal").first() if notice else None
    if said is None or said.rehearsal is None:
        can_wait = is_led and _can_wait(takes[0])
        shown = _readable_meanwhile(takes) or takes[0]
        return None if can_wait else _with_newest(shown, again_url=talks[0].again_url)
    if said.kind == Kind.QUESTION:
        return NextStep(words=page_words(said), url=place_of(said))
    words = _("Your coach has replied about “%(title)s”. Read the feedback.")
    title = within_quotes(said.rehearsal.title)
    return NextStep(words=words % {"title": title}, url=place_of(said))


def _begin(uploads: tuple[WaitingUpload, ...]) -> NextStep:
    recorder = reverse("feedback:record")
    waiting = next((each for each in uploads if each.url and each.url != recorder), None)
    if waiting is not None:
        return NextStep(words=_("Tell us about your recording."), url=waiting.url)
    return NextStep(
        words=_(
            "Record two or three minutes of a talk you are preparing. You get up to three "
            "cards: one strength and up to two things to work on."
        )
    )


def _can_wait(take: TakeRow) -> bool:
    """Return whether practice comes first: a coach has the take, or it has no news.

    A coach's feedback says more than the draft.
    """
    if take.state_tone in {"busy", "attention"}:
        return False
    return take.is_sent or not (take.held_back or take.news)


def _readable_meanwhile(takes: Iterable[TakeRow]) -> TakeRow | None:
    """Return an unread report while the newest take is being analysed, or None."""
    newest, *others = takes
    if newest.state_tone != "busy":
        return None
    return next((take for take in others if take.news and not take.held_back), None)


def _with_newest(take: TakeRow, *, again_url: str) -> NextStep:
    url = take.url
    if take.state_tone == "busy":
        words = _("“%(title)s” is being analysed. You can wait or come back later.")
    elif take.state_tone == "attention" and take.is_asked:
        words = _("Answer your coach’s question about “%(title)s”.")
    elif take.state_tone == "attention":
        words = _("We could not analyse “%(title)s”. See why.")
    elif take.held_back and take.is_sent:
        words = _("“%(title)s” is with your coach. You can record another take in the meantime.")
        url = ""
    elif take.held_back:
        words = _("Send “%(title)s” to your coach, who reviews it before you see the feedback.")
    elif take.news:
        words = _("Read your feedback on “%(title)s”.")
    else:
        words = _("Record “%(title)s” again and choose one thing to try.")
        url = again_url
    return NextStep(words=words % {"title": within_quotes(take.title)}, url=url)


def _row(take: Rehearsal, told: _Told) -> TakeRow:
    is_held = take.pk in told.held_back
    words, tone, name = _state(take, is_held=is_held)
    is_new = take.pk in told.news or (
        name == "report" and take.opened_at is None and not (is_held and _is_sent(take))
    )
    has_poster = take.has_poster
    return TakeRow(
        id=str(take.pk),
        url=reverse(f"feedback:{name}", args=[take.pk]),
        title=take.title,
        when=date_words(take.created_at),
        length=clock(take.duration) if take.duration else "",
        state=words,
        state_tone=tone,
        poster_url=reverse("rehearsals:poster", args=[take.pk]) if has_poster else "",
        constructed=take.is_constructed,
        held_back=is_held,
        is_sent=_is_sent(take),
        is_asked=tone == "attention" and name == "report",
        news=_("New") if is_new else "",
    )


def _is_sent(take: Rehearsal) -> bool:
    return any(grant.revoked_at is None for grant in take.grants.all())


def _is_asked_by_coach(take: Rehearsal) -> bool:
    """Return whether a coach's question is open; the owner's own are about cards."""
    return any(question.item_id is None and question.is_open for question in take.questions.all())


def _state(take: Rehearsal, *, is_held: bool) -> tuple[str, StateTone, str]:
    """Return the state in words, its tone, and the page to open."""
    runs = list(take.runs.all())
    if not runs or runs[0].state == Run.State.FAILED:
        return _("Could not be analysed"), "attention", "analysing"
    if runs[0].state == Run.State.RUNNING:
        return _("Being analysed"), "busy", "analysing"
    released = list(take.feedback.all())
    if released:
        return (
            _("Reviewed by %(name)s") % {"name": name_words(released[0].released_by_name)},
            "done",
            "report",
        )
    if _is_sent(take) and _is_asked_by_coach(take):
        return _("Your coach has a question"), "attention", "report"
    if _is_sent(take):
        return _("With your coach"), "plain", "report"
    if is_held:
        return _("Not sent to your coach yet"), "plain", "report"
    return _("Ready to read") if take.opened_at is None else _("Read"), "plain", "report"

"""Content of the guest page and of the page for inviting guests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.feedback.corrected_reports import report_for_reading
from coach.feedback.items import items_for_reading
from coach.feedback.pages.about_take import Fact, Player, facts_of, player_for, player_of
from coach.feedback.pages.cards import Card, ClipLink, cards
from coach.feedback.pages.timeline import Lane, lanes, moments_lane
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.reports import played_in
from coach.feedback.selectors import feedback_for_owner, is_held_back, latest_report_run
from coach.guests.access import Guest
from coach.guests.models import CoachMayInvite, GuestComment, GuestLink
from coach.guests.selectors import guest_visits, links_for, opens
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import pair_words
from coach.rehearsals.models import Rehearsal

CLIP_SECONDS = 6.0
"""Length of a comment's clip (rule of thumb)."""
MOST_LOOKS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A guest's comment at its time."""

    id: str
    clips: tuple[ClipLink, ...]
    text: str
    who: str
    remove_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRow:
    """A link: its recipient, maker and end; never the link itself."""

    meant_for: str
    made_by: str
    state: str
    shows: str
    comments: str
    end_url: str
    """Empty for a link that is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitePage:
    """The links to a take, guests' comments and their visits."""

    rehearsal_id: str
    title: str
    is_owner: bool
    links: tuple[LinkRow, ...]
    fresh: str = ""
    """A new link, which is shown once."""
    fresh_for: str = ""
    fresh_is_clip: bool = False
    coach_may: bool = False
    can_let_coach: bool = False
    can_share: bool = False
    """Whether there is feedback that its owner may share."""
    player: Player | None = None
    comments: tuple[Comment, ...] = ()
    looks: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentsPart:
    """A guest's comments, and the form for more."""

    link_id: str
    comments: tuple[Comment, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestPage:
    """The guest page: the recording, its transcript and the guest's own comments."""

    link_id: str
    title: str
    name: str
    owner: str
    until: str
    facts: tuple[Fact, ...]
    player: Player
    sentences: tuple[TranscriptLine, ...]
    comments: tuple[Comment, ...]
    lanes: tuple[Lane, ...] = ()
    cards: tuple[Card, ...] = ()


def invite_page(
    rehearsal: Rehearsal, *, reader: User, fresh: tuple[GuestLink, str] | None = None
) -> InvitePage:
    """Return the page for the owner, or for a coach who may invite.

    `fresh` is a link just created, with its URL.
    """
    page = InvitePage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        is_owner=rehearsal.owner_id == reader.pk,
        links=tuple(_link_row(each) for each in links_for(reader, rehearsal)),
        fresh=fresh[1] if fresh else "",
        fresh_for=fresh[0].meant_for if fresh else "",
        fresh_is_clip=fresh is not None and fresh[0].kind == GuestLink.Kind.CLIP,
    )
    if not page.is_owner:
        return page
    run = latest_report_run(rehearsal)
    feedback = feedback_for_owner(rehearsal)
    written = GuestComment.objects.filter(link__rehearsal=rehearsal).select_related("link")
    return replace(
        page,
        coach_may=CoachMayInvite.objects.filter(rehearsal=rehearsal).exists(),
        can_let_coach=rehearsal.cohort_id is not None,
        can_share=feedback is not None and not is_held_back(rehearsal),
        player=player_for(rehearsal, played_in(run)) if run else None,
        comments=tuple(
            _comment(each, rehearsal, reverse("guests:remove", args=[rehearsal.pk, each.pk]))
            for each in written
        ),
        looks=tuple(_visit_facts(rehearsal)),
    )


def guest_page(guest: Guest) -> GuestPage | None:
    """Return the page for a guest; None while the take is not analysed."""
    link, take = guest.link, guest.link.rehearsal
    run = latest_report_run(take)
    if run is None:
        return None
    released = feedback_for_owner(take)
    report = report_for_reading(run, released)
    shows = link.shows_findings and not is_held_back(take)
    feedback = released if shows else None
    made = cards(items_for_reading(feedback), feedback) if feedback else ()
    return GuestPage(
        link_id=str(link.pk),
        title=take.title,
        name=guest.name,
        owner=str(take.owner),
        until=date_words(link.expires_at),
        facts=facts_of(take),
        player=guests_player(guest, player_of(take, report)),
        sentences=transcript(report) if shows else _plain(transcript(report)),
        comments=own_comments(guest),
        lanes=(*moments_lane(made, report.media.duration), *lanes(report)) if shows else (),
        cards=made,
    )


def comments_part(guest: Guest, *, problem: str = "") -> CommentsPart:
    """Return the part of the page that is updated after a comment is added or deleted."""
    return CommentsPart(link_id=str(guest.link.pk), comments=own_comments(guest), problem=problem)


def own_comments(guest: Guest) -> tuple[Comment, ...]:
    """Return this guest's comments of this visit, by time."""
    link = guest.link
    return tuple(
        _comment(each, link.rehearsal, reverse("guests:take_back", args=[link.pk, each.pk]))
        for each in link.comments.filter(visit=guest.visit)
    )


def guests_player(guest: Guest, player: Player) -> Player:
    """Return the player with the guest's own URLs."""
    args = [guest.link.pk]
    return replace(
        player,
        media_url=reverse("guests:media", args=args) if player.media_url else "",
        captions_url=reverse("guests:captions", args=args) if player.captions_url else "",
        poster_url=reverse("guests:poster", args=args) if player.poster_url else "",
        may_be_saved=False,
    )


def _plain(sentences: Iterable[TranscriptLine]) -> tuple[TranscriptLine, ...]:
    """Return the transcript without markup of findings, which only the owner may show."""
    return tuple(
        replace(
            line,
            words=tuple(replace(word, kind="word") for word in line.words if word.kind != "pause"),
        )
        for line in sentences
    )


def _comment(written: GuestComment, take: Rehearsal, remove_url: str) -> Comment:
    end = min(written.at_seconds + CLIP_SECONDS, take.duration or written.at_seconds)
    moment = ClipLink(start=written.at_seconds, end=end, label=clock(written.at_seconds))
    who = _("%(name)s, %(date)s") % {"name": written.name, "date": date_words(written.created_at)}
    return Comment(
        id=str(written.pk), clips=(moment,), text=written.text, who=who, remove_url=remove_url
    )


def _link_row(link: GuestLink) -> LinkRow:
    count: int = link.comment_count  # type: ignore[attr-defined]  # annotated by links_for
    comments = ngettext("%(count)s comment", "%(count)s comments", count) % {"count": count}
    return LinkRow(
        meant_for=link.meant_for,
        made_by=name_words(link.made_by_name),
        state=_state(link),
        shows=_shows(link),
        comments=comments if link.kind == GuestLink.Kind.COMMENT else _("Read only"),
        end_url=reverse("guests:end", args=[link.rehearsal_id, link.pk]) if link.is_open() else "",
    )


def _shows(link: GuestLink) -> str:
    """Return what a link shows, in words."""
    if link.kind == GuestLink.Kind.CLIP:
        values = {"start": clock(link.start or 0.0), "end": clock(link.end or 0.0)}
        if link.clip == GuestLink.Clip.FAILED:
            return _("One moment, %(start)s–%(end)s, which cannot be played") % values
        return _("One moment, %(start)s–%(end)s, and its card") % values
    if link.kind == GuestLink.Kind.COMMENT:
        if link.shows_findings:
            return _("Recording, transcript and feedback")
        return _("Recording and transcript")
    if link.shows_recording:
        return _("Full report and recording") if link.shows_all else _("Cards and recording")
    if link.shows_all:
        return _("Full report without recording")
    return _("Cards only")


def _state(link: GuestLink) -> str:
    if link.revoked_at is not None:
        return _("Ended on %(date)s") % {"date": date_words(link.revoked_at)}
    if not link.is_open():
        return _("Expired on %(date)s") % {"date": date_words(link.expires_at)}
    if not opens(link):
        return _("Not working while the take is not with the coach who made the link")
    return _("Open until %(date)s") % {"date": date_words(link.expires_at)}


def _visit_facts(rehearsal: Rehearsal) -> Iterable[Fact]:
    what = {
        "guest": _("opened the page"),
        "recording": _("opened the recording"),
        "clip": _("opened a shared moment"),
    }
    for look in guest_visits(rehearsal)[:MOST_LOOKS]:
        yield Fact(
            label=pair_words(look.guest, what.get(look.what, look.what)),
            value=date_words(look.at),
        )

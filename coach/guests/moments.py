"""One shared moment: the owner's page that makes the link, and the page of its viewer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.urls import reverse

from coach.feedback.corrected_reports import report_for_reading
from coach.feedback.items import StandingItem, items_for_reading
from coach.feedback.models import Item
from coach.feedback.pages.about_take import Player, player_for, player_of
from coach.feedback.pages.cards import Card, ClipLink, cards
from coach.feedback.pages.extensions import PagePart, ReportReading
from coach.feedback.reports import played_in
from coach.feedback.selectors import feedback_for_owner, is_held_back, latest_report_run
from coach.guests.access import Guest
from coach.guests.models import GuestLink
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.rehearsals.models import Rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePage:
    """The card, and its moments to choose from."""

    rehearsal_id: str
    item_id: str
    title: str
    card: Card
    player: Player
    moments: tuple[ClipLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentPage:
    """The card of a shared moment, and the player of its clip."""

    name: str
    owner: str
    until: str
    card: Card
    player: Player | None
    """None while the clip is not cut yet."""
    has_failed: bool


def share_page(rehearsal: Rehearsal, item: Item) -> SharePage | None:
    """Return the owner's page; None if the card or the recording is not there to be shared."""
    run, card = latest_report_run(rehearsal), _card_of(rehearsal, item)
    if run is None or card is None or not card.clips or rehearsal.media_removed_at is not None:
        return None
    return SharePage(
        rehearsal_id=str(rehearsal.pk),
        item_id=str(item.pk),
        title=rehearsal.title,
        card=_alone(card),
        player=player_for(rehearsal, played_in(run)),
        moments=tuple(replace(each, label=_span(each)) for each in card.clips),
    )


def moment_page(guest: Guest) -> MomentPage | None:
    """Return the viewer's page; None while there is no such card to read."""
    link, take = guest.link, guest.link.rehearsal
    run, card = latest_report_run(take), _card_of(take, link.item) if link.item else None
    if run is None or card is None:
        return None
    report = report_for_reading(run, feedback_for_owner(take))
    url = reverse("guests:media", args=[link.pk])
    clip = replace(
        player_of(take, report),
        media_url=url,
        media_type="video/mp4" if take.has_video else "audio/mp4",
        captions_url="",
        poster_url="",
        duration=(link.end or 0.0) - (link.start or 0.0),
        may_be_saved=False,
    )
    return MomentPage(
        name=guest.name,
        owner=str(take.owner),
        until=date_words(link.expires_at),
        card=_alone(card),
        player=clip if link.clip == GuestLink.Clip.READY else None,
        has_failed=link.clip == GuestLink.Clip.FAILED,
    )


def _card_of(take: Rehearsal, item: Item) -> Card | None:
    """Return the card as the owner reads it now, also in a later version; None if it is gone."""
    feedback = feedback_for_owner(take)
    if feedback is None or is_held_back(take):
        return None
    read = items_for_reading(feedback)
    made = zip(read, cards(read, feedback), strict=True)
    return next((card for each, card in made if _is_of(each, item)), None)


def _is_of(standing: StandingItem, item: Item) -> bool:
    version: Item | None = standing.item
    while version is not None:
        if version.pk == item.pk:
            return True
        version = version.former
    return False


def _alone(card: Card) -> Card:
    """Return the card's text alone: without names, rules, other moments and messages."""
    return replace(
        card,
        claim=card.claim_alone,
        clips=(),
        is_about_talk=False,
        author="",
        coach_note="",
        original="",
        explanation=None,
        counterfactual="",
        corrected="",
        badge="",
        thread=None,
    )


def _span(moment: ClipLink) -> str:
    return f"{clock(moment.start)}–{clock(moment.end)}"


def on_report(reading: ReportReading) -> Iterable[PagePart]:
    """Yield the link that shares a moment, on each card of the owner that has one."""
    if not reading.is_owner or reading.rehearsal.media_removed_at is not None:
        return
    for each in reading.items:
        if each.card.clips:
            key = str(each.item.pk)
            url = reverse("guests:share_moment", args=[reading.rehearsal.pk, key])
            yield PagePart(
                place="card", template="guests/_share_moment.html", context={"url": url}, card=key
            )

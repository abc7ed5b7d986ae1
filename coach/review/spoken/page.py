"""Content of spoken replies on the review page, in the report and on the recorder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.results import Note, Word
from coach.feedback.pages.cards import ClipLink
from coach.feedback.pages.coach_feedback import AFTER_SECONDS, BEFORE_SECONDS
from coach.feedback.pages.transcript import webvtt
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.sentences import whole
from coach.rehearsals.models import Rehearsal
from coach.review.spoken.execution import MOST_SECONDS
from coach.review.spoken.models import SpokenReply
from coach.review.spoken.selectors import unreleased_replies
from coach.review.spoken.services import MOST_REPLIES


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardReply:
    """A spoken reply with its player, its words, and the moment of the take."""

    id: str
    clips: tuple[ClipLink, ...]
    by: str
    media_url: str
    """Empty while there is no copy, or once the recording is deleted."""
    media_type: str
    captions_url: str
    """Empty while there are no captions."""
    text: str
    language: str
    state: str
    """The progress or the problem in words; empty if all is there."""
    is_going_on: bool
    again_url: str
    """The URL that processes it again; empty unless it failed."""
    delete_url: str
    """The URL that deletes it; empty once it is released."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenPanel:
    """The spoken replies on the review page."""

    rehearsal_id: str
    replies: tuple[HeardReply, ...]
    record_url: str
    """Empty if no reply can be recorded now."""
    most_seconds: int
    waits: bool
    """Whether a reply does not play yet, so that the list is fetched again."""


def spoken_panel(rehearsal: Rehearsal, *, can_record: bool) -> SpokenPanel:
    """Return the replies to a take for its coaches."""
    rows = list(rehearsal.spoken_replies.all())
    waiting = set(unreleased_replies(rehearsal).values_list("pk", flat=True)) if rows else set()
    may_add = can_record and len(rows) < MOST_REPLIES
    return SpokenPanel(
        rehearsal_id=str(rehearsal.pk),
        replies=tuple(
            heard_reply(each, can_retry=can_record, can_delete=can_record and each.pk in waiting)
            for each in rows
        ),
        record_url=reverse("review:speak", args=[rehearsal.pk]) if may_add else "",
        most_seconds=MOST_SECONDS,
        waits=any(not each.has_copy and each.state in SpokenReply.GOING_ON for each in rows),
    )


def going_out_words(rehearsal: Rehearsal) -> str:
    """Return which spoken replies the next release sends; empty without any."""
    rows = unreleased_replies(rehearsal)
    plays = [each for each in rows if each.has_copy or each.state in SpokenReply.GOING_ON]
    if not plays:
        return ""
    return ngettext(
        "One spoken reply goes out with it, at %(times)s.",
        "%(count)d spoken replies go out with it, at %(times)s.",
        len(plays),
    ) % {"count": len(plays), "times": ", ".join(clock(each.at) for each in plays)}


def heard_replies(replies: Iterable[SpokenReply]) -> tuple[HeardReply, ...]:
    """Return replies for the owner of the take."""
    return tuple(heard_reply(each) for each in replies)


def heard_reply(
    reply: SpokenReply, *, can_retry: bool = False, can_delete: bool = False
) -> HeardReply:
    """Return one reply, with what its coach can do."""
    has_failed = reply.state == SpokenReply.State.FAILED and reply.media_key is not None
    again_url = reverse("review:spoken_again", args=[reply.pk])
    delete_url = reverse("review:delete_spoken", args=[reply.pk])
    return HeardReply(
        id=str(reply.pk),
        clips=(
            ClipLink(
                start=max(reply.at - BEFORE_SECONDS, 0.0),
                end=reply.at + AFTER_SECONDS,
                label=clock(reply.at),
            ),
        ),
        by=_("%(name)s, %(date)s")
        % {"name": name_words(reply.author_name), "date": date_words(reply.created_at)},
        media_url=reverse("review:spoken_media", args=[reply.pk]) if reply.has_copy else "",
        media_type=reply.playback_type,
        captions_url=reverse("review:spoken_captions", args=[reply.pk]) if reply.words else "",
        text=reply.text,
        language=reply.language,
        state=_state_words(reply),
        is_going_on=reply.state in SpokenReply.GOING_ON,
        again_url=again_url if can_retry and has_failed else "",
        delete_url=delete_url if can_delete else "",
    )


def _state_words(reply: SpokenReply) -> str:
    if reply.media_key is None:
        return _("The recording was deleted with the coach’s account. Its words are still here.")
    if reply.state in SpokenReply.GOING_ON:
        return _("Captions will follow in a minute.") if reply.has_copy else _("Being prepared.")
    if reply.state == SpokenReply.State.DONE:
        return ""
    if reply.has_copy:
        return _("There are no captions.")
    problem = whole(Note(**reply.problem)) if reply.problem else ""
    return _("This recording cannot be played, so it is not sent. %(problem)s") % {
        "problem": problem
    }


def captions_of(reply: SpokenReply) -> str:
    """Return the words of a reply as WebVTT."""
    return webvtt([Word(probability=1.0, **word) for word in reply.words])

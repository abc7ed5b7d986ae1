"""The page of a read-only look: recording and transcript, without findings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.models import Run
from coach.feedback.pages.about_take import Fact, Player, facts_of, player_of
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.reports import report_of
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import standing_grant
from coach.review.claim_words import claim_words
from coach.review.rubric.page import plain_words
from coach.review.second.selectors import seconds_waiting_for
from coach.review.selectors import review_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LookPage:
    """A take as a coach sees it before deciding to work on it."""

    rehearsal_id: str
    title: str
    trainee: str
    note: str
    """The trainee's message with the take."""
    facts: tuple[Fact, ...]
    constructed: bool
    player: Player
    sentences: tuple[TranscriptLine, ...]
    state: str
    """Who works on the take, in words; empty after the answer."""
    second: str
    """What working on the take does to a blind second opinion, in words."""


def look_page(rehearsal: Rehearsal, run: Run, *, coach: User) -> LookPage:
    """Return the page of a read-only look."""
    report, grant, review = report_of(run), standing_grant(rehearsal), review_of(rehearsal)
    return LookPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        trainee=str(rehearsal.owner),
        note=grant.note if grant else "",
        facts=facts_of(rehearsal),
        constructed=rehearsal.is_constructed,
        player=player_of(rehearsal, report),
        sentences=plain_words(transcript(report)),
        state=claim_words(review, coach) if review else "",
        second=_second_words(can_give=rehearsal.pk in open_to_second(coach, [rehearsal.pk])),
    )


def open_to_second(coach: User, takes: Collection[UUID]) -> set[UUID]:
    """Return which of these takes the coach could still give a blind second opinion on."""
    found = seconds_waiting_for(coach).filter(rehearsal__in=takes)
    return set(found.order_by().values_list("rehearsal", flat=True))


def _second_words(*, can_give: bool) -> str:
    if can_give:
        return _(
            "You could still give a blind second opinion on this take. This look does not change "
            "that; opening the review page does."
        )
    return _("No blind second opinion on this take is open to you, so you lose none by opening it.")

"""What the trainee will read, exactly, before it is released."""

from __future__ import annotations

from dataclasses import dataclass

from coach.accounts.models import User
from coach.feedback.items import shown, standing_items
from coach.feedback.models import Feedback
from coach.feedback.notes import standing_notes
from coach.feedback.pages.cards import cards
from coach.feedback.pages.notes import read_notes
from coach.feedback.pages.values import Card, ReadNote
from coach.feedback.pages.version_values import FromCoach, WordingChange
from coach.feedback.pages.versions import changes_between
from coach.feedback.releases import TAKE_BACK_FOR, release_obstacle
from coach.rehearsals.models import Rehearsal
from coach.review.desk.drafts import count_drafts
from coach.review.selectors import review_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryPage:
    """The feedback as it would leave."""

    rehearsal_id: str
    title: str
    trainee: str
    cards: tuple[Card, ...]
    from_coach: FromCoach
    notes: tuple[ReadNote, ...]
    changes: tuple[WordingChange, ...]
    """Of a correction: what reads differently from what was released."""
    is_correction: bool
    unsent: int
    """How many texts are saved as drafts only, so would not be released."""
    why_not: str
    can_release: bool
    seconds: int
    """So long it can be taken back."""


def summary_page(rehearsal: Rehearsal, feedback: Feedback, *, coach: User) -> SummaryPage:
    """Items, word and notes in the order in which they are read."""
    why_not = release_obstacle(feedback) if feedback.state == Feedback.State.DRAFT else ""
    former = feedback.corrects
    review = review_of(rehearsal)
    is_ours = review is not None and review.is_held() and review.coach_id == coach.pk
    is_open = feedback.state == Feedback.State.DRAFT and is_ours
    return SummaryPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        trainee=str(rehearsal.owner),
        cards=cards(shown(standing_items(feedback)), feedback),
        from_coach=FromCoach(
            word=feedback.word, by=str(coach), corrected="", changes=(), retracted=""
        ),
        notes=read_notes(standing_notes(feedback)),
        changes=tuple(changes_between(former, feedback)) if former else (),
        is_correction=former is not None,
        unsent=count_drafts(feedback, coach),
        why_not=why_not,
        can_release=is_open and not why_not,
        seconds=int(TAKE_BACK_FOR.total_seconds()),
    )

"""Services for ratings, which are autosaved, and final once finished."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.models import Rehearsal
from coach.review.rubric.models import Judgement, Occasion, Priority, Rating
from coach.review.rubric.words import QUALITIES

MOST_PRIORITIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPriority:
    """A coach's priority in their own words, with the goal that it belongs to."""

    words: str
    goal: str = ""


@transaction.atomic
def save_rating(
    *,
    rehearsal: Rehearsal,
    coach: User,
    occasion: Occasion,
    levels: Mapping[str, int | None],
    priorities: Sequence[OwnPriority] | None = None,
) -> Rating:
    """Save the levels so far; a level of None means that the quality cannot be rated.

    Qualities missing in `levels` stay unchanged: levels cannot be cleared, and a page without
    one may have been loaded before it was chosen. Without `priorities`, these stay too.
    Raises ValidationError once it is finished.
    """
    rating = _open_rating(rehearsal, coach, occasion)
    for quality, level in levels.items():
        Judgement.objects.update_or_create(
            rating=rating, quality=quality, defaults={"level": level}
        )
    if priorities is not None:
        _write_three(rating, priorities)
    rating.save(update_fields=["saved_at"])
    return rating


def _write_three(rating: Rating, priorities: Sequence[OwnPriority]) -> None:
    rating.priorities.all().delete()
    Priority.objects.bulk_create(
        Priority(rating=rating, rank=rank, goal=each.goal, words=each.words)
        for rank, each in enumerate(priorities[:MOST_PRIORITIES], start=1)
    )


@transaction.atomic
def change_three(
    *,
    rehearsal: Rehearsal,
    coach: User,
    occasion: Occasion,
    priorities: Sequence[OwnPriority],
    known: Collection[Sequence[OwnPriority]],
) -> bool:
    """Replace the priorities, if the coach has seen their current state.

    Return False, without saving, if another window changed them: the page loaded first is
    outdated. Raises ValidationError once the rating is finished.
    """
    rating = _open_rating(rehearsal, coach, occasion)
    now = three_of(rating)
    if now != list(priorities):
        if now not in [list(each) for each in known]:
            return False
        _write_three(rating, priorities)
        rating.save(update_fields=["saved_at"])
    return True


def three_of(rating: Rating | None) -> list[OwnPriority]:
    """Return the stored priorities in order."""
    rows = rating.priorities.all() if rating is not None else ()
    return [OwnPriority(words=row.words, goal=row.goal) for row in rows]


def _open_rating(rehearsal: Rehearsal, coach: User, occasion: Occasion) -> Rating:
    rating, _new = Rating.objects.select_for_update().get_or_create(
        rehearsal=rehearsal, coach=coach, occasion=occasion
    )
    if rating.finished_at is not None:
        raise ValidationError(
            _("You have finished rating this talk, so your ratings can no longer be changed here.")
        )
    return rating


@transaction.atomic
def finish_rating(*, rehearsal: Rehearsal, coach: User, occasion: Occasion) -> Rating:
    """Finish a rating. Raises ValidationError while a quality is open."""
    rating = _open_rating(rehearsal, coach, occasion)
    judged = dict(rating.judgements.values_list("quality", "level"))
    open_ones = [str(each.label) for each in QUALITIES if each.code not in judged]
    if open_ones:
        raise ValidationError(
            _("Still open: %(qualities)s. Choose a level, or say that it cannot be judged.")
            % {"qualities": ", ".join(open_ones)}
        )
    rating.finished_at = timezone.now()
    rating.save(update_fields=["finished_at"])
    # Administrators read the audit log, so it contains no levels.
    record_act(
        action="rubric.finished",
        target=rehearsal,
        actor=coach,
        occasion=occasion,
        before="open",
        after="finished",
        not_judged=sum(level is None for level in judged.values()),
    )
    return rating


@transaction.atomic
def reopen_rating(*, rehearsal: Rehearsal, coach: User) -> None:
    """Reopen a coach's rating before the take is answered.

    Raises ValidationError if ratings come before the items: they would no longer be
    independent of them.
    """
    cohort = rehearsal.cohort
    answered = rehearsal.grants.filter(revoked_at=None, answered_at__isnull=False).exists()
    if answered or (cohort is not None and cohort.rubric_first):
        raise ValidationError(
            _("You have finished rating this talk, so your ratings can no longer be changed here.")
        )
    reopened = Rating.objects.filter(
        rehearsal=rehearsal, coach=coach, occasion=Occasion.REVIEW, finished_at__isnull=False
    ).update(finished_at=None)
    if reopened:
        record_act(
            action="rubric.reopened",
            target=rehearsal,
            actor=coach,
            before="finished",
            after="open",
        )

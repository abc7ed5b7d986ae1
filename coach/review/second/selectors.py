"""Queries for opinions: who may give one, and when coaches see each other's."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.utils import timezone

from coach.accounts.models import Purpose, User
from coach.accounts.selectors import consents_that_count
from coach.feedback.models import Feedback, Verdict
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.selectors import active_grant_filter, watchable_rehearsals_for
from coach.review.items.words import clips_words
from coach.review.models import Review
from coach.review.rubric.models import Occasion, Rating
from coach.review.second.models import CalibrationTake, Decision, Opinion, Place
from coach.review.selectors import groups_led_by

BLIND = (Place.SECOND, Place.CALIBRATION)
"""The places of opinions that are given without seeing others' decisions."""
SHOWS_FINDINGS = ("desk", "report")
"""The kinds of viewings after which a coach knows others' findings."""


def blind_to(coach: User) -> QuerySet[Rehearsal]:
    """Return takes that this coach rates without seeing others' decisions yet.

    For a second opinion until both are submitted, for a calibration clip until its submission.
    """
    own = Opinion.objects.filter(
        coach=coach, rehearsal=OuterRef("pk"), place__in=BLIND, given_up_at=None
    )
    waits = own.filter(Q(submitted_at=None) | (Q(place=Place.SECOND) & ~Exists(_first_in())))
    return Rehearsal.objects.filter(Exists(waits))


def _first_in() -> QuerySet[Opinion]:
    return Opinion.objects.filter(
        rehearsal=OuterRef("rehearsal"), place=Place.FIRST, submitted_at__isnull=False
    )


def opinion_for(coach: User, rehearsal_id: UUID) -> Opinion | None:
    """Return this coach's blind opinion on a take that they can watch, or None."""
    return (
        _blind_of(coach)
        .filter(rehearsal=rehearsal_id)
        .select_related("rehearsal__owner", "rehearsal__cohort", "feedback", "rating")
        .first()
    )


def begun_by(coach: User, takes: Collection[UUID]) -> set[UUID]:
    """Return the ids of the takes on which this coach has begun an opinion."""
    return set(_blind_of(coach).filter(rehearsal__in=takes).values_list("rehearsal", flat=True))


def _blind_of(coach: User) -> QuerySet[Opinion]:
    return Opinion.objects.filter(
        coach=coach,
        place__in=BLIND,
        given_up_at=None,
        rehearsal__in=watchable_rehearsals_for(coach),
    )


def seconds_waiting_for(coach: User) -> QuerySet[Review]:
    """Return sampled takes on which this coach could give a second opinion, oldest first.

    Takes that this coach answered, has claimed, or knows findings of are left out.
    """
    now = timezone.now()
    of_take = {"rehearsal": OuterRef("rehearsal")}
    standing = Opinion.objects.filter(place=Place.SECOND, given_up_at=None, **of_take)
    taken = standing.filter(Q(submitted_at__isnull=False) | Q(until__gt=now)).exclude(coach=coach)
    done = standing.filter(coach=coach, submitted_at__isnull=False)
    is_on_it = Q(coach=coach, until__gt=now) | Q(handled_by=coach)
    return (
        Review.objects.filter(active_grant_filter(coach, "grant__"), wants_second=True)
        .filter(rehearsal__media_removed_at=None)
        .exclude(rehearsal__owner=coach)
        .exclude(is_on_it)
        .filter(~Exists(taken), ~Exists(done), *_knows_nothing(coach))
        .select_related("rehearsal__owner", "grant__cohort")
        .order_by("grant__created_at", "pk")
    )


def _knows_nothing(coach: User) -> tuple[Combinable | Q, ...]:
    """Return filters for takes whose findings this coach has neither decided on nor seen."""
    rehearsal = OuterRef("rehearsal")
    verdicts = Verdict.objects.filter(item__feedback__rehearsal=rehearsal, coach=coach)
    released = Feedback.objects.filter(rehearsal=rehearsal, released_by=coach)
    seen = Viewing.objects.filter(rehearsal=rehearsal, viewer=coach, what__in=SHOWS_FINDINGS)
    rated = Rating.objects.filter(rehearsal=rehearsal, coach=coach, occasion=Occasion.REVIEW)
    return tuple(~Exists(each) for each in (verdicts, released, seen, rated))


def both_in(rehearsal: Rehearsal) -> dict[str, Opinion]:
    """Return the first and second opinion by place; empty until both are submitted."""
    found = {
        each.place: each
        for each in _handed_in(rehearsal).filter(place__in=(Place.FIRST, Place.SECOND))
    }
    return found if len(found) == 2 else {}


def authoritative(rehearsal: Rehearsal) -> Opinion | None:
    """Return the opinion that counts, or None if no lead has chosen one."""
    return _handed_in(rehearsal).filter(is_authoritative=True).first()


def _handed_in(rehearsal: Rehearsal) -> QuerySet[Opinion]:
    return (
        Opinion.objects.filter(
            rehearsal=rehearsal, submitted_at__isnull=False, given_up_at__isnull=True
        )
        .select_related("coach", "rating", "feedback")
        .prefetch_related("rating__judgements", "rating__priorities", "decisions__item")
    )


def led_takes(coach: User) -> QuerySet[Rehearsal]:
    """Return takes sent to groups that this coach leads, except the coach's own."""
    return (
        watchable_rehearsals_for(coach)
        .filter(grants__cohort__in=groups_led_by(coach), grants__revoked_at=None)
        .distinct()
    )


def comparable_for(coach: User) -> QuerySet[Rehearsal]:
    """Return takes on which this coach may compare two opinions.

    Coaches of either opinion and group leads may, once both are submitted; on a clip, its
    coach once it is submitted, and group leads for all submitted ones.
    """
    of_take = {"rehearsal": OuterRef("pk"), "submitted_at__isnull": False}
    own = Opinion.objects.filter(coach=coach, **of_take)
    first = Opinion.objects.filter(place=Place.FIRST, **of_take)
    second = Opinion.objects.filter(place=Place.SECOND, given_up_at=None, **of_take)
    counts = Opinion.objects.filter(is_authoritative=True, **of_take)
    leads = Q(pk__in=led_takes(coach).values("pk"))
    two = Exists(first) & Exists(second)
    calibrated = Exists(own.filter(place=Place.CALIBRATION)) & Exists(counts)
    clips = Q(pk__in=clips_for(coach).values("rehearsal"))
    practised = clips & Exists(calibrations().filter(rehearsal=OuterRef("pk"))) & Exists(counts)
    return (
        watchable_rehearsals_for(coach)
        .filter((two & (Exists(own) | leads)) | calibrated | (practised & leads))
        .exclude(pk__in=blind_to(coach).values("pk"))
        .select_related("owner", "cohort")
    )


def calibrations() -> QuerySet[Opinion]:
    """Return coaches' submitted opinions on clips, oldest first."""
    handed_in = Opinion.objects.filter(place=Place.CALIBRATION, submitted_at__isnull=False)
    return handed_in.select_related("coach", "rating").order_by("submitted_at", "pk")


def to_resolve_for(coach: User) -> QuerySet[Rehearsal]:
    """Return takes of led groups with both opinions, neither of them this coach's, and no
    authoritative one.
    """
    counts = Opinion.objects.filter(rehearsal=OuterRef("pk"), is_authoritative=True)
    both = Opinion.objects.filter(
        rehearsal=OuterRef("pk"), place=Place.SECOND, submitted_at__isnull=False, given_up_at=None
    )
    first = Opinion.objects.filter(
        rehearsal=OuterRef("pk"), place=Place.FIRST, submitted_at__isnull=False
    )
    own = Opinion.objects.filter(
        rehearsal=OuterRef("pk"), coach=coach, place__in=(Place.FIRST, Place.SECOND)
    )
    return led_takes(coach).filter(Exists(both), Exists(first), ~Exists(counts), ~Exists(own))


def _consented() -> Exists:
    agrees = consents_that_count(Purpose.COACH_TRAINING)
    return Exists(agrees.filter(user=OuterRef("rehearsal__owner")))


def clips_for(coach: User) -> QuerySet[CalibrationTake]:
    """Return clips of this coach's groups with their owners' consent and a recording."""
    return (
        CalibrationTake.objects.filter(
            _consented(),
            rehearsal__in=watchable_rehearsals_for(coach),
            rehearsal__media_removed_at=None,
        )
        .select_related("rehearsal")
        .order_by("marked_at", "pk")
    )


def clips_to_do_for(coach: User) -> QuerySet[CalibrationTake]:
    """Return the clips that this coach has neither rated nor seen."""
    given = Opinion.objects.filter(rehearsal=OuterRef("rehearsal"), coach=coach)
    finished = given.exclude(place=Place.CALIBRATION, submitted_at=None)
    return clips_for(coach).filter(~Exists(finished), *_knows_nothing(coach))


def clip_candidates_for(coach: User) -> QuerySet[Opinion]:
    """Return opinions on answered takes that could be clips: fully rated, with consent.

    Each is the opinion that would count: the authoritative one, else the first coach's.
    """
    counts = Opinion.objects.filter(rehearsal=OuterRef("rehearsal"), is_authoritative=True)
    return (
        Opinion.objects.filter(
            _consented(),
            Q(is_authoritative=True) | (Q(place=Place.FIRST) & ~Exists(counts)),
            rehearsal__in=led_takes(coach),
            rehearsal__media_removed_at=None,
            rehearsal__calibration_take=None,
            submitted_at__isnull=False,
            rating__finished_at__isnull=False,
        )
        .select_related("rehearsal", "coach")
        .order_by("-submitted_at", "pk")
    )


def marked_on(rehearsal: Rehearsal) -> dict[tuple[str, str], tuple[tuple[float, float], ...]]:
    """Return the exact moments marked in the opinions, by rule and typed form.

    Of two with the same typed form, the first coach's.
    """
    places = (Place.RESOLUTION, Place.SECOND, Place.FIRST)
    marks = Decision.objects.filter(opinion__rehearsal=rehearsal, opinion__place__in=places)
    found = marks.exclude(clips=[]).select_related("item", "opinion")
    return {
        (each.item.rule, clips_words(each.own_moments)): each.own_moments
        for each in sorted(found, key=lambda each: places.index(Place(each.opinion.place)))
    }

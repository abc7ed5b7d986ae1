"""Queries for the review queue."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.utils import timezone
from django_stubs_ext import WithAnnotations

from coach.accounts.away import away_now
from coach.accounts.models import Cohort, Membership, Role, User
from coach.feedback.models import Feedback
from coach.rehearsals.models import AccessGrant, Rehearsal, Talk
from coach.rehearsals.selectors import (
    active_grant_filter,
    grants_to,
    shared_rehearsals_for,
    watchable_rehearsals_for,
)
from coach.review.models import Review
from coach.review.priority import PARTS, PriorityFields, with_priority

SORTS = tuple(part.key for part in PARTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueFilter:
    """A filter and order of the queue."""

    mine: bool = False
    """Only trainees whom this coach answered before, and takes handed over to them."""
    late: bool = False
    """Only takes that are late or due within a day."""
    flagged: bool = False
    """Only flagged takes."""
    cohort: int | None = None
    sort: str = ""
    """The key of a priority factor; empty for their sum."""

    @property
    def is_narrow(self) -> bool:
        """Whether the filter may leave out waiting takes."""
        return self.mine or self.late or self.flagged or self.cohort is not None


class Queued(PriorityFields):
    """The fields of a waiting review."""

    is_kept: bool
    """Whether the take is reserved for the coach who took over."""


QueuedReview: TypeAlias = "WithAnnotations[Review, Queued]"


def takes_to_review_for(coach: User) -> QuerySet[Rehearsal]:
    """Return takes that were sent to this coach and have a draft or released feedback."""
    return (
        shared_rehearsals_for(coach)
        .filter(Exists(Feedback.objects.filter(rehearsal=OuterRef("pk"))))
        .select_related("owner", "cohort", "review__coach")
    )


def takes_to_judge_for(coach: User) -> QuerySet[Rehearsal]:
    """Return takes to review, including those whose findings are hidden from this coach."""
    return (
        watchable_rehearsals_for(coach)
        .filter(Exists(Feedback.objects.filter(rehearsal=OuterRef("pk"))))
        .select_related("owner", "cohort", "review__coach")
    )


def waiting_for(coach: User, wanted: QueueFilter | None = None) -> QuerySet[QueuedReview]:
    """Return unanswered takes sent to this coach, most urgent first, with priority."""
    now, wanted = timezone.now(), wanted or QueueFilter()
    rows = with_priority(_narrowed(_waiting(coach), coach, wanted, now), now)
    rows = rows.annotate(is_kept=ExpressionWrapper(_is_kept(now), output_field=BooleanField()))
    if wanted.late:
        rows = rows.filter(due_at__lt=now + timedelta(days=1))
    # Without a duplicate, for which Django would repeat the whole expression.
    first = (f"-part_{wanted.sort}",) if wanted.sort in SORTS else ()
    return rows.select_related(
        "grant__cohort", "rehearsal__owner", "rehearsal__cohort", "coach", "meant_for"
    ).order_by(*first, "-priority", "grant__created_at", "pk")


def kept_for_colleague(rehearsal: Rehearsal, coach: User) -> User | None:
    """Return the colleague for whom the take is still reserved, or None.

    A reservation ends with the answer: a later correction takes the take from nobody.
    """
    review = getattr(rehearsal, "review", None)  # usually loaded with the take
    if review is None or review.meant_for_id in {None, coach.pk}:
        return None
    row = (
        Review.objects.filter(
            _is_kept(timezone.now()), rehearsal=rehearsal, grant__answered_at=None
        )
        .exclude(meant_for=coach)
        .select_related("meant_for")
        .first()
    )
    return row.meant_for if row else None


def _is_kept(now: datetime) -> Combinable:
    """Return a filter for reserved takes: for a day, while the colleague coaches the group.

    A reservation for a coach who is away does not count.
    """
    coaches = Membership.objects.filter(
        user=OuterRef("meant_for"),
        user__is_active=True,
        user__roles__contains=[Role.COACH],
        role=Role.COACH,
        cohort=OuterRef("grant__cohort"),
    ).exclude(away_now("user__"))
    return Q(meant_for__isnull=False, meant_until__gt=now) & Exists(coaches)


def _waiting(coach: User) -> QuerySet[Review]:
    # A coach has few own takes: one lookup of these replaces a check of each waiting take's owner.
    own = Rehearsal.any_kind.filter(owner=coach)
    return (
        Review.objects.filter(
            active_grant_filter(coach, "grant__"), finished_at=None, grant__answered_at=None
        )
        .exclude(rehearsal__in=own.values("pk"))
        .exclude(pk__in=_as_second(coach))
    )


def _as_second(coach: User) -> Any:
    """Return reviews of takes on which this coach gives the second opinion, not the answer."""
    return Review.objects.filter(
        rehearsal__opinions__coach=coach,
        rehearsal__opinions__place="second",
        rehearsal__opinions__given_up_at=None,
    ).values("pk")


def _narrowed(
    rows: QuerySet[Review], coach: User, wanted: QueueFilter, now: datetime
) -> QuerySet[Review]:
    if wanted.cohort is not None:
        rows = rows.filter(grant__cohort=wanted.cohort)
    if wanted.flagged:
        rows = rows.exclude(flag="")
    if wanted.mine:
        answered = Feedback.objects.filter(
            released_by=coach, rehearsal__owner=OuterRef("rehearsal__owner")
        )
        rows = rows.filter(Exists(answered) | Q(meant_for=coach, meant_until__gt=now))
    return rows


def claimable_for(coach: User, wanted: QueueFilter, now: datetime) -> QuerySet[QueuedReview]:
    """Return the takes this coach can claim: theirs, then reserved ones, returned ones last.

    Takes reserved for a colleague are left out while the reservation lasts; flagged takes are
    offered to nobody, not even to the coach who flagged one and has it open.
    """
    own = Q(coach=coach, until__gt=now)
    free = Q(coach=None) | Q(until__lte=now) | Q(until=None)
    for_another = Q(is_kept=True) & ~Q(meant_for=coach)
    rank = Case(
        When(own, then=Value(0)),
        When(Q(meant_for=coach, meant_until__gt=now), then=Value(1)),
        When(given_back_by=coach, then=Value(3)),
        default=Value(2),
    )
    ordered = waiting_for(coach, wanted)
    return (
        ordered.select_related(None)
        .filter(Q(flag="") & (own | (free & ~for_another & Q(is_paused=False))))
        .annotate(rank=rank)
        .order_by("rank", *ordered.query.order_by)
    )


def answered_for(coach: User) -> QuerySet[AccessGrant]:
    """Return answered takes sent to this coach, latest first, one grant per take."""
    earlier = grants_to(coach).filter(rehearsal=OuterRef("rehearsal"), pk__lt=OuterRef("pk"))
    return (
        grants_to(coach)
        .filter(~Exists(earlier), answered_at__isnull=False)
        .exclude(rehearsal__owner=coach)
        .select_related("rehearsal__owner", "rehearsal__cohort")
        .order_by("-answered_at", "-pk")
    )


def answers_to(coach: User) -> QuerySet[AccessGrant]:
    """Return the grants of answered takes, without related rows, for counting."""
    return grants_to(coach).filter(answered_at__isnull=False)


def held_by_others_for(coach: User) -> QuerySet[Review]:
    """Return waiting takes that colleagues have claimed, earliest expiry first."""
    return (
        _waiting(coach)
        .filter(coach__isnull=False, until__gt=timezone.now())
        .exclude(coach=coach)
        .order_by("until")
    )


def groups_coached_by(coach: User) -> QuerySet[Cohort]:
    """Return the groups that this coach coaches."""
    coached = Membership.objects.filter(user=coach, role=Role.COACH).values("cohort")
    return Cohort.objects.filter(pk__in=coached).order_by("name")


def groups_led_by(coach: User) -> QuerySet[Cohort]:
    """Return the groups that this coach leads."""
    if not coach.can_review:
        return Cohort.objects.none()
    led = Membership.objects.filter(user=coach, role=Role.COACH, leads=True).values("cohort")
    return Cohort.objects.filter(pk__in=led).order_by("name")


def coaches_by_group(groups: QuerySet[Cohort]) -> dict[int, list[User]]:
    """Return the coaches of each of these groups who are not away, by name."""
    members = Membership.objects.filter(
        cohort__in=groups,
        role=Role.COACH,
        user__is_active=True,
        user__roles__contains=[Role.COACH],
    )
    found: dict[int, list[User]] = {}
    members = members.exclude(away_now("user__"))
    for each in members.select_related("user").order_by("user__name", "user__pk"):
        found.setdefault(each.cohort_id, []).append(each.user)
    return found


def led_reviews_for(coach: User) -> QuerySet[Review]:
    """Return the unanswered reviews of the groups that this coach leads."""
    return Review.objects.filter(
        finished_at=None,
        grant__cohort__in=groups_led_by(coach),
        grant__revoked_at=None,
        grant__answered_at=None,
    ).select_related("rehearsal", "grant", "coach")


def colleagues_for(coach: User, review: Review) -> QuerySet[User]:
    """Return the other coaches of the take's group, who can take over."""
    return assignable_for(review).exclude(pk=coach.pk)


def assignable_for(review: Review) -> QuerySet[User]:
    """Return the coaches of the take's group who may answer it and are not away."""
    members = Membership.objects.filter(cohort=review.grant.cohort, role=Role.COACH)
    return (
        User.objects.filter(
            pk__in=members.values("user"), is_active=True, roles__contains=[Role.COACH]
        )
        .exclude(pk=review.rehearsal.owner_id)
        .exclude(away_now())
        .exclude(
            opinions__rehearsal=review.rehearsal,
            opinions__place="second",
            opinions__given_up_at=None,
        )
        .order_by("name", "pk")
    )


def leaving_for(coach: User) -> QuerySet[Feedback]:
    """Return this coach's releases that their owners cannot read yet."""
    leaving = Feedback.objects.filter(
        state=Feedback.State.RELEASED, released_by=coach, released_at__gt=timezone.now()
    )
    # First select these few, so that only their shares are checked.
    takes = list(leaving.values_list("rehearsal", flat=True))
    return (
        leaving.filter(rehearsal__in=shared_rehearsals_for(coach).filter(pk__in=takes))
        .select_related("rehearsal__owner")
        .only("released_at", "rehearsal__title", "rehearsal__owner__name")
        .order_by("-released_at")
    )


@dataclass(frozen=True, slots=True)
class NewestSent:
    """The newest take of a talk that a coach could open."""

    take: UUID
    created_at: datetime
    is_answered: bool


def newest_sent_to(coach: User, talks: Iterable[UUID]) -> dict[UUID, NewestSent]:
    """Return the newest sent take of each talk with several takes, by talk.

    The permission query is expensive and most talks have one take, so those are left out first.
    """
    several = (
        Rehearsal.objects.filter(talk__in=list(talks))
        .order_by()
        .values_list("talk", flat=True)
        .annotate(takes=Count("pk"))
        .filter(takes__gt=1)
    )
    asked = list(several)
    if not asked:
        return {}
    answered = AccessGrant.objects.filter(
        rehearsal=OuterRef("pk"), revoked_at=None, answered_at__isnull=False
    )
    sent = (
        takes_to_judge_for(coach)
        .select_related(None)
        .filter(talk=OuterRef("pk"))
        .exclude(review__in=_as_second(coach))
        .annotate(is_answered=Exists(answered))
        .order_by("-created_at")
    )
    of_newest = {
        name: Subquery(sent.values(name)[:1]) for name in ("pk", "created_at", "is_answered")
    }
    rows = Talk.objects.filter(pk__in=asked).values_list(
        "pk", *(of_newest[name] for name in of_newest)
    )
    return {talk: NewestSent(*newest) for talk, *newest in rows if newest[0]}


def review_of(rehearsal: Rehearsal) -> Review | None:
    """Return the review of a waiting take, or None."""
    return (
        Review.objects.filter(rehearsal=rehearsal, finished_at=None)
        .select_related(
            "coach", "meant_for", "handed_by", "flagged_by", "grant__cohort", "rehearsal"
        )
        .first()
    )


def draft_of(rehearsal: Rehearsal) -> Feedback | None:
    """Return the newest version, on which a coach works, or None."""
    return (
        Feedback.objects.filter(rehearsal=rehearsal)
        .select_related("rule_set", "run", "rehearsal__cohort", "corrects")
        .defer("rule_set__documents", "draft")
        .order_by("-version")
        .first()
    )

"""Services for blind opinions: give, submit, and choose the one that counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.models import Feedback, Item, RejectReason
from coach.feedback.verdicts import checked_clips
from coach.notices.models import Kind, Notice
from coach.notices.services import notify, settle
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import coaches_of
from coach.review.models import Review
from coach.review.rubric.models import Occasion, Rating
from coach.review.rubric.services import finish_rating, save_rating
from coach.review.second.discussion import add_message
from coach.review.second.models import CalibrationTake, Decision, Opinion, Place
from coach.review.second.selectors import (
    authoritative,
    both_in,
    clips_to_do_for,
    seconds_waiting_for,
)
from coach.review.selectors import draft_of

KEPT = timedelta(hours=24)
"""The lease of a second opinion from the coach's last activity (rule of thumb)."""
TOLD_AT_ONCE = 50
TOLD_WITHIN = timedelta(days=30)
"""The time after the first answer for notifications (rule of thumb); notices are kept longer
(`notices.services.KEPT_FOR`)."""

OCCASIONS = {
    Place.FIRST: Occasion.REVIEW,
    Place.SECOND: Occasion.SECOND,
    Place.CALIBRATION: Occasion.CALIBRATION,
    Place.RESOLUTION: Occasion.RESOLUTION,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemVerdict:
    """A coach's decision on an item."""

    kind: str
    reason: str = ""
    moments: tuple[tuple[float, float], ...] = ()
    """This coach's own moments of a kept item; empty for the machine's."""


@transaction.atomic
def take_second(*, rehearsal: Rehearsal, coach: User) -> Opinion:
    """Begin or continue the second opinion on a take. Raises ValidationError if it is gone.

    For concurrent requests, the queue's row is locked, and the database allows one opinion.
    """
    Review.objects.select_for_update().filter(rehearsal=rehearsal).first()
    if not seconds_waiting_for(coach).filter(rehearsal=rehearsal).exists():
        raise ValidationError(_("A colleague has taken this second opinion in the meantime."))
    now = timezone.now()
    others = Opinion.objects.filter(rehearsal=rehearsal, place=Place.SECOND, given_up_at=None)
    others.exclude(coach=coach).update(given_up_at=now)
    settle(about=rehearsal, kind=Kind.SECOND)
    return _begin(rehearsal, coach, Place.SECOND)


@transaction.atomic
def take_clip(*, rehearsal: Rehearsal, coach: User) -> Opinion:
    """Begin or continue a calibration clip. Raises ValidationError without permission."""
    if not clips_to_do_for(coach).filter(rehearsal=rehearsal).exists():
        raise ValidationError(_("You cannot open this clip."))
    return _begin(rehearsal, coach, Place.CALIBRATION)


def _begin(rehearsal: Rehearsal, coach: User, place: Place) -> Opinion:
    version = (
        Feedback.objects.filter(rehearsal=rehearsal, opinions__is_authoritative=True).first()
        if place == Place.CALIBRATION
        else _judged_version(rehearsal)
    )
    if version is None:
        raise ValidationError(_("There is nothing to rate on this take at present."))
    opinion, is_new = Opinion.objects.update_or_create(
        rehearsal=rehearsal,
        coach=coach,
        place=place,
        defaults={"until": timezone.now() + KEPT, "given_up_at": None},
        create_defaults={"feedback": version, "until": timezone.now() + KEPT},
    )
    if is_new:
        record_act(action="second.begun", target=rehearsal, actor=coach, place=place)
    return opinion


def _judged_version(rehearsal: Rehearsal) -> Feedback | None:
    """Return the version that the first coach rates: the first released one, else the draft."""
    released = rehearsal.feedback.filter(state=Feedback.State.RELEASED).order_by("version").first()
    return released or draft_of(rehearsal)


@transaction.atomic
def give_up(*, opinion: Opinion, coach: User) -> None:
    """Return a second opinion or a clip for others; the decisions stay for a later return."""
    if opinion.submitted_at is None:
        opinion.given_up_at = timezone.now()
        opinion.save(update_fields=["given_up_at"])
        record_act(
            action="second.given_up", target=opinion.rehearsal, actor=coach, place=opinion.place
        )
        review = Review.objects.filter(rehearsal=opinion.rehearsal, wants_second=True).first()
        if opinion.place == Place.SECOND and review is not None:
            _tell_of_second(review, but=coach)


def tell_of_seconds() -> int:
    """Notify coaches who could give a second opinion on a claimed take. Return the number of takes.

    Before the claim, all of them are notified of the waiting take. For takes answered long ago
    nobody is notified, even if nobody was before: otherwise the oldest takes would be
    checked every time, and notified again once the notice is deleted.
    """
    lately = timezone.now() - TOLD_WITHIN
    told = Notice.objects.filter(kind=Kind.SECOND, rehearsal=OuterRef("rehearsal"))
    begun = Opinion.objects.filter(place=Place.SECOND, rehearsal=OuterRef("rehearsal"))
    found = list(
        Review.objects.filter(~Exists(told), ~Exists(begun), wants_second=True)
        .filter(Q(coach__isnull=False) | Q(handled_by__isnull=False), grant__revoked_at=None)
        .filter(Q(finished_at=None) | Q(finished_at__gte=lately))
        .select_related("rehearsal")
        .order_by("-pk")[:TOLD_AT_ONCE]
    )
    for review in found:
        _tell_of_second(review)
    return len(found)


def _tell_of_second(review: Review, *, but: User | None = None) -> None:
    """Notify the coaches who have seen no findings and have not claimed the take."""
    take = review.rehearsal
    for coach in coaches_of(take):
        if (
            coach != but
            and not coach.is_away
            and seconds_waiting_for(coach).filter(pk=review.pk).exists()
        ):
            notify(person=coach, kind=Kind.SECOND, rehearsal=take, about=take)


def items_of(opinion: Opinion) -> list[Item]:
    """Return the items to decide on as the rules wrote them, chosen ones first."""
    written = opinion.feedback.items.filter(origin=Item.Origin.RULE)
    return list(written.order_by("-is_chosen", "position", "pk"))


@transaction.atomic
def decide(*, opinion: Opinion, verdicts: Mapping[str, ItemVerdict]) -> Opinion:
    """Save decisions by item; a verdict without a kind removes a decision.

    Raises ValidationError after the submission, and for a moment outside the recording.
    """
    held = _open(opinion)
    of_items = {str(item.pk): item for item in items_of(held)}
    for key, verdict in verdicts.items():
        if key in of_items and not verdict.kind:
            Decision.objects.filter(opinion=held, item=of_items[key]).delete()
        elif key in of_items:
            Decision.objects.update_or_create(
                opinion=held,
                item=of_items[key],
                defaults={
                    "kind": verdict.kind,
                    "reason": verdict.reason if verdict.kind == Decision.Kind.REJECT else "",
                    "clips": checked_clips(
                        verdict.moments if verdict.kind == Decision.Kind.KEEP else (),
                        held.feedback,
                    ),
                    "tells_where": True,
                },
            )
    Opinion.objects.filter(pk=held.pk).update(until=timezone.now() + KEPT)
    return held


def _open(opinion: Opinion) -> Opinion:
    held = Opinion.objects.select_for_update(of=("self",)).get(pk=opinion.pk)
    if held.submitted_at is not None:
        raise ValidationError(_("You have submitted this opinion, so it can no longer be changed."))
    if held.given_up_at is not None:
        raise ValidationError(_("A colleague has taken this second opinion in the meantime."))
    return held


@transaction.atomic
def hand_in(*, opinion: Opinion, coach: User) -> Opinion:
    """Submit an opinion. Raises ValidationError while it is incomplete."""
    held = _open(opinion)
    rating = finished_rating(held, coach)
    if rating is None:
        raise ValidationError(_("Rate the qualities first."))
    decided = {each.item_id: each for each in held.decisions.all()}
    if any(item.is_chosen and item.pk not in decided for item in items_of(held)):
        raise ValidationError(_("Decide for each card whether you would keep it."))
    for each in decided.values():
        if each.kind == Decision.Kind.REJECT and each.reason not in RejectReason.values:
            raise ValidationError(
                _("Choose a reason for rejecting it. It helps to improve the rules.")
            )
    held.submitted_at, held.rating = timezone.now(), rating
    held.save(update_fields=["submitted_at", "rating"])
    record_act(
        action="second.handed_in",
        target=held.rehearsal,
        actor=coach,
        place=held.place,
        before="open",
        after="handed_in",
    )
    return held


def finished_rating(opinion: Opinion, coach: User) -> Rating | None:
    """Return the finished rating of an opinion, or None."""
    return Rating.objects.filter(
        rehearsal=opinion.rehearsal_id,
        coach=coach,
        occasion=OCCASIONS[Place(opinion.place)],
        finished_at__isnull=False,
    ).first()


@transaction.atomic
def choose_opinion(*, rehearsal: Rehearsal, place: Place, leader: User, why: str) -> Opinion:
    """Make the first or second opinion authoritative, with a reason.

    Raises ValidationError before both are in, without a reason, and for a coach of either.
    """
    found = _locked_pair(rehearsal)
    if place not in found:
        raise ValidationError(_("Both opinions must be submitted first."))
    _keep_reason(rehearsal, leader, found, place, why)
    return _make_authoritative(found[place], leader)


def _keep_reason(
    rehearsal: Rehearsal, leader: User, found: Mapping[str, Opinion], place: Place, why: str
) -> None:
    """Keep the reason for what counts. Raises ValidationError without one, or if it is own."""
    _check_is_not_own(found, leader)
    if not why.strip():
        raise ValidationError(_("Write the reason. The two coaches read it."))
    add_message(rehearsal=rehearsal, author=leader, text=why, settled=place)


def _check_is_not_own(found: Mapping[str, Opinion], leader: User) -> None:
    if any(each.coach_id == leader.pk for each in found.values()):
        raise ValidationError(
            _("You gave one of these two opinions, so another lead settles which one counts.")
        )


@transaction.atomic
def resolve(
    *,
    rehearsal: Rehearsal,
    leader: User,
    levels: Mapping[str, int | None],
    verdicts: Mapping[str, ItemVerdict],
    why: str,
) -> Opinion:
    """Write a lead's authoritative opinion, with a reason.

    Raises ValidationError while it is incomplete, without a reason, and for a coach of either.
    """
    found = _locked_pair(rehearsal)
    if not found:
        raise ValidationError(_("Both opinions must be submitted first."))
    _keep_reason(rehearsal, leader, found, Place.RESOLUTION, why)
    # Rewritten each time: the audit log has the former one.
    Rating.objects.filter(rehearsal=rehearsal, coach=leader, occasion=Occasion.RESOLUTION).delete()
    former = _unmark(rehearsal)
    Opinion.objects.filter(rehearsal=rehearsal, place=Place.RESOLUTION, coach=leader).delete()
    own = Opinion.objects.create(
        rehearsal=rehearsal,
        feedback=found[Place.FIRST].feedback,
        coach=leader,
        place=Place.RESOLUTION,
    )
    save_rating(
        rehearsal=rehearsal,
        coach=leader,
        occasion=Occasion.RESOLUTION,
        levels=levels,
        priorities=[],
    )
    finish_rating(rehearsal=rehearsal, coach=leader, occasion=Occasion.RESOLUTION)
    decide(opinion=own, verdicts=verdicts)
    return _make_authoritative(hand_in(opinion=own, coach=leader), leader, former=former)


def _locked_pair(rehearsal: Rehearsal) -> dict[str, Opinion]:
    list(Opinion.objects.select_for_update().filter(rehearsal=rehearsal))
    return both_in(rehearsal)


def _unmark(rehearsal: Rehearsal) -> str:
    former = authoritative(rehearsal)
    Opinion.objects.filter(rehearsal=rehearsal).update(is_authoritative=False)
    return former.place if former else ""


def _make_authoritative(opinion: Opinion, leader: User, *, former: str = "") -> Opinion:
    before = _unmark(opinion.rehearsal) or former
    opinion.is_authoritative = True
    opinion.save(update_fields=["is_authoritative"])
    record_act(
        action="second.resolved",
        target=opinion.rehearsal,
        actor=leader,
        before=before,
        after=opinion.place,
    )
    return opinion


@transaction.atomic
def mark_clip(*, opinion: Opinion, leader: User) -> CalibrationTake:
    """Make this take a calibration clip, with this opinion as the reference.

    Raises ValidationError if that would settle which of two opinions counts, for a coach of either.
    """
    if not opinion.is_authoritative:
        _check_is_not_own(_locked_pair(opinion.rehearsal), leader)
        _make_authoritative(opinion, leader)
    clip, is_new = CalibrationTake.objects.get_or_create(
        rehearsal=opinion.rehearsal, defaults={"marked_by": leader}
    )
    if is_new:
        record_act(action="second.clip_marked", target=opinion.rehearsal, actor=leader)
    return clip


@transaction.atomic
def unmark_clip(*, clip: CalibrationTake, leader: User) -> None:
    """Remove a clip from calibration; keep the opinions on it."""
    record_act(action="second.clip_unmarked", target=clip.rehearsal, actor=leader)
    clip.delete()


def verdicts_of(opinion: Opinion) -> dict[str, ItemVerdict]:
    """Return the verdicts of an opinion by item."""
    return {
        str(each.item_id): ItemVerdict(kind=each.kind, reason=each.reason, moments=each.own_moments)
        for each in opinion.decisions.all()
    }

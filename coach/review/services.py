"""Services of the review queue: one coach at a time claims a take, with a lease."""

from __future__ import annotations

from datetime import datetime, timedelta
from statistics import median

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.messages import LONGEST
from coach.feedback.models import Feedback, Item
from coach.feedback.selectors import released_by_now
from coach.lib.words.dates import written
from coach.notices.models import Kind
from coach.notices.services import News, notify, notify_once, settle
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.selectors import coaches_of
from coach.review.comparing.draw import drawn_cards
from coach.review.models import KEPT_FOR_COLLEAGUE, Review
from coach.review.reply_pause import is_asked
from coach.review.rule_trials import lacks_verdicts
from coach.review.sampling import wants_second_opinion
from coach.review.selectors import (
    QueueFilter,
    assignable_for,
    claimable_for,
    colleagues_for,
    draft_of,
    kept_for_colleague,
)
from coach.rulesets.selectors import rule_names_of

LEAST_LEASE = timedelta(minutes=15)
TIMES_USUAL = 3
"""The length of a lease in median review times, with a minimum of 15 minutes; an open page renews
it. Rules of thumb: nobody who is reading and thinking loses the lease, and one who left returns it
soon."""
HANDLED_LATELY = 50
"""The number of latest reviews from which the median review time is computed."""
ENQUEUED_AT_ONCE = 200


class HeldByOther(Exception):
    """An error: another coach has claimed the take."""

    def __init__(self, review: Review) -> None:
        super().__init__(str(review.coach))
        self.review = review


class KeptForColleague(Exception):
    """An error: the take is reserved for a colleague who has not begun."""

    def __init__(self, review: Review) -> None:
        super().__init__(str(review.meant_for))
        self.review = review


def enqueue_sent() -> int:
    """Add sent takes to the queue. Return the number of new ones.

    Pages of the queue call this first, so sending needs no hook, and a
    take whose analysis ends after it was sent is added automatically.
    """
    standing = Review.objects.filter(
        rehearsal=OuterRef("rehearsal"), grant__revoked_at=None, grant__answered_at=None
    )
    drafts = Feedback.objects.filter(rehearsal=OuterRef("rehearsal"))
    missing = (
        AccessGrant.objects.filter(revoked_at=None, answered_at=None, cohort__isnull=False)
        .filter(Exists(drafts), ~Exists(standing))
        .select_related("rehearsal", "cohort")
        .order_by("created_at", "pk")[:ENQUEUED_AT_ONCE]
    )
    rows = [_new_review(grant) for grant in missing]
    # A concurrent call may have added or claimed the same rows: those stay unchanged.
    Review.objects.bulk_create(rows, ignore_conflicts=True)
    _all_wait_anew(rows)
    # Once each, because a concurrent call may already have notified them.
    notify_once(Kind.WAITING, (each for row in rows for each in _news_of(row.grant)))
    return len(rows)


def _news_of(grant: AccessGrant) -> list[News]:
    """Return a notification of a waiting take for every coach of its group."""
    take = grant.rehearsal
    return [News(person=coach, rehearsal=take, about=grant) for coach in coaches_to_tell(take)]


def coaches_to_tell(take: Rehearsal) -> list[User]:
    """Return the coaches to notify of a take: those who are not away, or all if everyone is."""
    coaches = list(coaches_of(take))
    return [coach for coach in coaches if not coach.is_away] or coaches


def _all_wait_anew(rows: list[Review]) -> None:
    """Reset the reviews of takes that were in the queue by another grant; most are new."""
    here = Review.objects.filter(rehearsal__in=[row.rehearsal_id for row in rows])
    by_others = here.exclude(grant__in=[row.grant_id for row in rows])
    former = set(by_others.values_list("rehearsal", flat=True)) if rows else set()
    for row in rows:
        if row.rehearsal_id in former:
            _wait_anew(row)


def _wait_anew(row: Review) -> None:
    """Reset the review of a take that was withdrawn and sent again, with its new grant.

    The former group's flag is removed, because another group may have the take now.
    """
    former = Review.objects.filter(rehearsal=row.rehearsal_id).exclude(grant=row.grant_id)
    former.update(
        grant=row.grant,
        uncertainty=row.uncertainty,
        is_on_trial=row.is_on_trial,
        is_first=row.is_first,
        wants_second=row.wants_second,
        cards=row.cards,
        cards_shown_at=None,
        own_seconds=None,
        desk_seconds=0,
        coach=None,
        claimed_at=None,
        until=None,
        meant_for=None,
        meant_until=None,
        handed_note="",
        handed_by=None,
        finished_at=None,
        given_back_by=None,
        handled_seconds=None,
        handled_by=None,
        flag="",
        flagged_by=None,
        flagged_at=None,
    )


def _new_review(grant: AccessGrant) -> Review:
    draft = draft_of(grant.rehearsal)
    written = draft.items.filter(origin=Item.Origin.RULE) if draft else Item.objects.none()
    items = list(written.values_list("rule", "rule_version", "document__factors__confidence"))
    names = rule_names_of(draft.rule_set) if draft else {}
    on_trial = {
        (rule, version)
        for rule, version, _sure in items
        if rule in names and names[rule].is_on_trial
    }
    answered = released_by_now().filter(rehearsal__owner=grant.rehearsal.owner_id)
    sure = [float(confidence) for _rule, _version, confidence in items if confidence is not None]
    return Review(
        rehearsal=grant.rehearsal,
        grant=grant,
        uncertainty=1 - min(sure, default=1.0),
        is_on_trial=lacks_verdicts(on_trial),
        is_first=not answered.exists(),
        wants_second=wants_second_opinion(grant),
        cards=drawn_cards(grant),
    )


def lease_length() -> timedelta:
    """Return the length of a claim without activity of its coach."""
    latest = Review.objects.filter(handled_seconds__isnull=False).order_by("-finished_at")
    seconds = list(latest.values_list("handled_seconds", flat=True)[:HANDLED_LATELY])
    half = median(each for each in seconds if each is not None) if seconds else 0.0
    return max(LEAST_LEASE, TIMES_USUAL * timedelta(seconds=half))


@transaction.atomic
def claim_next(*, coach: User, wanted: QueueFilter) -> Review | None:
    """Claim the most urgent free review; the coach's own live claim comes first.

    One SQL statement finds, locks and claims it, and skips reviews that a colleague claims at the
    same moment. Return None if none is free.
    """
    now = timezone.now()
    free = claimable_for(coach, wanted, now).select_for_update(
        skip_locked=True, of=("self",), no_key=True
    )
    chosen, params = free.values("pk")[:1].query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE review_review SET coach_id = %s, until = %s, claimed_at = "  # noqa: S608
            "CASE WHEN coach_id = %s AND until > %s THEN claimed_at ELSE %s END "
            f"WHERE id = ({chosen}) RETURNING id, claimed_at = %s",
            [coach.pk, now + lease_length(), coach.pk, now, now, *params, now],
        )
        row = cursor.fetchone()
    if row is None:
        return None
    key, is_new = row
    review = Review.objects.select_related("rehearsal", "grant").get(pk=key)
    if is_new:
        _settle_news(review.grant)
        record_act(action="review.claimed", target=review.rehearsal, actor=coach)
    return review


@transaction.atomic
def claim_rehearsal(*, rehearsal: Rehearsal, coach: User, takes_over: bool = False) -> Review:
    """Claim this take, or renew the coach's own lease on it.

    Raises HeldByOther, and KeptForColleague if it is reserved for a colleague: only a coach who
    `takes_over` on purpose can claim it then. For concurrent claims, a conditional UPDATE lets
    one of them succeed.
    """
    now = timezone.now()
    row = _waiting_row(rehearsal)
    own = Q(coach=coach)
    free = Q(coach=None) | Q(until=None) | Q(until__lte=now)
    until = now + lease_length()
    if Review.objects.filter(own, pk=row.pk, until__gt=now).update(until=until):
        row.until, row.coach, row.rehearsal = until, coach, rehearsal
        return row
    row.rehearsal = rehearsal  # so that it knows its newest row
    if not takes_over and kept_for_colleague(rehearsal, coach) and not row.is_held():
        raise KeptForColleague(_again(row))
    # Without the colleague's group: concurrent claims then wait for one plain row.
    unchanged = Q() if takes_over else Q(meant_for=row.meant_for_id, meant_until=row.meant_until)
    if not Review.objects.filter(own | free, unchanged, pk=row.pk).update(
        # An answered take is reopened: a newer draft of it waits for a coach.
        coach=coach,
        claimed_at=now,
        until=until,
        finished_at=None,
    ):
        row = _again(row)
        raise HeldByOther(row) if row.is_held() else KeptForColleague(row)
    _settle_news(row.grant)
    record_act(action="review.claimed", target=rehearsal, actor=coach)
    return _again(row)


def _settle_news(grant: AccessGrant) -> None:
    """Settle the notifications of a waiting take, because a coach has claimed it."""
    for kind in (Kind.WAITING, Kind.HANDED, Kind.LATE):
        settle(about=grant, kind=kind)


def _waiting_row(rehearsal: Rehearsal) -> Review:
    """Return the review of a sent take, created here if the queue has not been opened since.

    Only for this take, and also if it was answered before.
    """
    found = Review.objects.filter(rehearsal=rehearsal, grant__revoked_at=None).first()
    if found is not None:
        return found
    grant = rehearsal.grants.filter(revoked_at=None).order_by("created_at", "pk")[:1].get()
    row = _new_review(grant)
    Review.objects.bulk_create([row], ignore_conflicts=True)
    _wait_anew(row)
    return Review.objects.get(rehearsal=rehearsal)


def _again(review: Review) -> Review:
    found = Review.objects.select_related("coach", "rehearsal", "meant_for", "handed_by")
    return found.get(pk=review.pk)


def renew_claim(*, rehearsal: Rehearsal, coach: User) -> Review:
    """Renew the coach's lease while the review page is open.

    Also after its expiry (a laptop slept), if no colleague took over. Raises HeldByOther,
    KeptForColleague, and Review.DoesNotExist if the take no longer waits.
    """
    review = Review.objects.get(rehearsal=rehearsal, finished_at=None)
    until = timezone.now() + lease_length()
    if Review.objects.filter(pk=review.pk, coach=coach).update(until=until):
        return _again(review)
    review = _again(review)
    if review.is_held() or kept_for_colleague(rehearsal, coach) is None:
        raise HeldByOther(review)
    raise KeptForColleague(review)


@transaction.atomic
def give_back(*, rehearsal: Rehearsal, coach: User) -> None:
    """Return a take to the queue; the decisions so far stay.

    The coach, who had a reason (a trainee they know, no time), is offered this one again
    only after all others.
    """
    review = _own(rehearsal, coach).select_related("grant__rehearsal").first()
    free = {"coach": None, "claimed_at": None, "until": None, "given_back_by": coach}
    if review and _own(rehearsal, coach).update(**free):
        if not is_asked(rehearsal):
            for each in coaches_to_tell(rehearsal):
                notify(person=each, kind=Kind.WAITING, rehearsal=rehearsal, about=review.grant)
        record_act(action="review.given_back", target=rehearsal, actor=coach)


@transaction.atomic
def hand_over(*, rehearsal: Rehearsal, coach: User, to: User, note: str) -> None:
    """Hand the coach's claim to a colleague, for whom it stays reserved for a day.

    Raises ValidationError if the coach does not have it, or the colleague could not open it.
    """
    review = _own(rehearsal, coach).select_related("grant", "rehearsal").first()
    if review is None or not review.is_held():
        raise ValidationError(
            _("Another coach is now working on this take, so it was not handed over.")
        )
    _check_is_offered(to, colleagues_for(coach, review))
    now = timezone.now()
    _own(rehearsal, coach).update(
        coach=None,
        claimed_at=None,
        until=None,
        meant_for=to,
        meant_until=now + KEPT_FOR_COLLEAGUE,
        handed_note=note.strip(),
        handed_by=coach,
    )
    notify(person=to, kind=Kind.HANDED, rehearsal=rehearsal, about=review.grant)
    # By id: the audit log outlives both accounts, and contains no names.
    record_act(action="review.handed_over", target=rehearsal, actor=coach, person=to.pk)


@transaction.atomic
def assign(*, review: Review, lead: User, to: User) -> None:
    """Reserve a waiting take for a coach of its group for a day, as the lead decides.

    Raises ValidationError while a coach is working on it, and for a person who cannot answer it.
    """
    held = Review.objects.select_for_update(of=("self",)).select_related("grant", "rehearsal")
    review = held.get(pk=review.pk)
    if review.finished_at is not None or review.is_held():
        raise ValidationError(_("A coach is working on this take now, so it was not assigned."))
    _check_is_offered(to, assignable_for(review))
    review.meant_for, review.handed_by, review.handed_note = to, lead, ""
    review.meant_until = timezone.now() + KEPT_FOR_COLLEAGUE
    review.save(update_fields=["meant_for", "handed_by", "handed_note", "meant_until"])
    if to.pk != lead.pk:
        notify(person=to, kind=Kind.HANDED, rehearsal=review.rehearsal, about=review.grant)
    record_act(action="review.assigned", target=review.rehearsal, actor=lead, person=to.pk)


def _check_is_offered(to: User, coaches: QuerySet[User]) -> None:
    """Raise ValidationError for a person who cannot answer the take, or is away."""
    if coaches.filter(pk=to.pk).exists():
        return
    if to.is_away and to.away_until is not None:
        raise ValidationError(
            _("%(name)s is away until %(day)s. Choose another coach.")
            % {"name": to, "day": written(to.away_until, "j F")}
        )
    raise ValidationError(_("That person is not a coach of the group that this take was sent to."))


def keep_for(*, rehearsal: Rehearsal, coach: User) -> None:
    """Reserve a take for this coach until the trainee's reply, and for a day after it."""
    until = timezone.now() + LONGEST + KEPT_FOR_COLLEAGUE
    _own(rehearsal, coach).update(
        meant_for=coach, meant_until=until, handed_note="", handed_by=None
    )


def finish_review(*, rehearsal: Rehearsal, coach: User) -> None:
    """Remove an answered take from the queue and store the handling time.

    This also removes a flag, because nobody could remove it later.
    """
    now = timezone.now()
    rows = Review.objects.filter(rehearsal=rehearsal, finished_at=None)
    review = rows.select_related("grant").first()
    if review is None:
        return
    if review.coach_id == coach.pk:
        _keep_handling(review, coach, now)
    review.finished_at = now
    review.coach = review.until = review.claimed_at = review.given_back_by = None
    review.flag, review.flagged_by, review.flagged_at = "", None, None
    review.save()
    settle(about=review.grant, kind=Kind.LATE)


def _keep_handling(review: Review, coach: User, now: datetime) -> None:
    """Store the time from claim to answer; a claim after the answer is only a correction."""
    claimed, answered = review.claimed_at, review.grant.answered_at
    if claimed is None or (answered is not None and answered <= claimed):
        return
    # The time up to a cancelled release was already counted.
    before = review.handled_seconds if review.handled_by_id == coach.pk else None
    review.handled_seconds = (before or 0) + (now - claimed).total_seconds()
    review.handled_by = coach


def _own(rehearsal: Rehearsal, coach: User) -> QuerySet[Review]:
    return Review.objects.filter(rehearsal=rehearsal, coach=coach, finished_at=None)

"""Review queue: takes wait, and one coach at a time claims one by a lease that expires."""

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
from coach.notices.models import Kind
from coach.notices.services import News, notify, notify_once, settle
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.selectors import coaches_of
from coach.review.models import KEPT_FOR_COLLEAGUE, Review
from coach.review.reply_pause import is_asked
from coach.review.rule_trials import lacks_verdicts
from coach.review.sampling import wants_second_opinion
from coach.review.selectors import (
    QueueFilter,
    claimable_for,
    colleagues_for,
    draft_of,
    kept_for_colleague,
)
from coach.rulesets.selectors import rule_names_of

LEAST_LEASE = timedelta(minutes=15)
TIMES_USUAL = 3
"""A lease is three times as long as half of the reviews take, and 15 minutes at least; an open desk
renews it. Rules of thumb: nobody who reads and thinks loses it, and who left gives it back soon."""
HANDLED_LATELY = 50
"""So many of the latest reviews say how long one takes."""
ENQUEUED_AT_ONCE = 200


class HeldByOther(Exception):
    """Error: another coach has claimed the take."""

    def __init__(self, review: Review) -> None:
        super().__init__(str(review.coach))
        self.review = review


class KeptForColleague(Exception):
    """A colleague has it by name and has not begun."""

    def __init__(self, review: Review) -> None:
        super().__init__(str(review.meant_for))
        self.review = review


def enqueue_sent() -> int:
    """Let what was sent wait in the queue; returns how many are new there.

    Whoever looks at the queue does this first, so nothing has to be told when a take is sent, and a
    take whose analysis ends only after it was sent comes in by itself.
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
    # Somebody else may look at the same moment: what they put in, or took since, stays as it is.
    Review.objects.bulk_create(rows, ignore_conflicts=True)
    _all_wait_anew(rows)
    # Once each: somebody may be on it by now who looked at the same moment.
    notify_once(Kind.WAITING, (each for row in rows for each in _news_of(row.grant)))
    return len(rows)


def _news_of(grant: AccessGrant) -> list[News]:
    """A take waits: every coach of its group is told, until one of them is on it."""
    take = grant.rehearsal
    return [News(person=coach, rehearsal=take, about=grant) for coach in coaches_of(take)]


def _all_wait_anew(rows: list[Review]) -> None:
    """Those of them that had been in the queue by another grant: most are new."""
    here = Review.objects.filter(rehearsal__in=[row.rehearsal_id for row in rows])
    by_others = here.exclude(grant__in=[row.grant_id for row in rows])
    former = set(by_others.values_list("rehearsal", flat=True)) if rows else set()
    for row in rows:
        if row.rehearsal_id in former:
            _wait_anew(row)


def _wait_anew(row: Review) -> None:
    """A take that was taken back and sent again waits in nobody's hands, by its new grant.

    What the former group flagged is theirs: another group may have it now, who never reads of it.
    """
    former = Review.objects.filter(rehearsal=row.rehearsal_id).exclude(grant=row.grant_id)
    former.update(
        grant=row.grant,
        uncertainty=row.uncertainty,
        is_on_trial=row.is_on_trial,
        is_first=row.is_first,
        wants_second=row.wants_second,
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
    )


def lease_length() -> timedelta:
    """Return how long a claim lasts without activity of its coach."""
    latest = Review.objects.filter(handled_seconds__isnull=False).order_by("-finished_at")
    seconds = list(latest.values_list("handled_seconds", flat=True)[:HANDLED_LATELY])
    half = median(each for each in seconds if each is not None) if seconds else 0.0
    return max(LEAST_LEASE, TIMES_USUAL * timedelta(seconds=half))


@transaction.atomic
def claim_next(*, coach: User, wanted: QueueFilter) -> Review | None:
    """Take the most urgent review that is free; the coach's own live claim comes first.

    One SQL statement finds, locks and takes it, and steps over what a colleague is taking at the
    same moment. None where nothing is free.
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
    """Take this one, or renew one's own lease on it.

    Raises HeldByOther, and KeptForColleague where it was handed to a colleague by name: only who
    `takes_over` on purpose has it then. Two coaches at once: one conditional UPDATE lets one of
    them have it.
    """
    now = timezone.now()
    row = _waiting_row(rehearsal)
    own = Q(coach=coach)
    free = Q(coach=None) | Q(until=None) | Q(until__lte=now)
    until = now + lease_length()
    if Review.objects.filter(own, pk=row.pk, until__gt=now).update(until=until):
        row.until, row.coach, row.rehearsal = until, coach, rehearsal
        return row
    row.rehearsal = rehearsal  # which knows its newest row by this
    if not takes_over and kept_for_colleague(rehearsal, coach) and not row.is_held():
        raise KeptForColleague(_again(row))
    # Not by the group of the colleague: one plain row is what two at once wait for.
    unchanged = Q() if takes_over else Q(meant_for=row.meant_for_id, meant_until=row.meant_until)
    if not Review.objects.filter(own | free, unchanged, pk=row.pk).update(
        # One that was answered is open again: a newer draft of it waits for its coach.
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
    """Somebody is on it: nobody need be told any more that it waits."""
    for kind in (Kind.WAITING, Kind.HANDED):
        settle(about=grant, kind=kind)


def _waiting_row(rehearsal: Rehearsal) -> Review:
    """The row of a take that was sent; made here where nobody has looked at the queue since.

    For this take alone, whatever else is still to come in, and also where it was answered before.
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

    Also where it ran out (a laptop slept) and nobody took over meanwhile. Raises HeldByOther,
    KeptForColleague, and Review.DoesNotExist where it does not wait any more.
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
    """Put a rehearsal back into the queue; what was decided so far stays.

    Whoever had a reason (somebody they know, no time) is given the others first, and this one again
    where none is left.
    """
    review = _own(rehearsal, coach).select_related("grant__rehearsal").first()
    free = {"coach": None, "claimed_at": None, "until": None, "given_back_by": coach}
    if review and _own(rehearsal, coach).update(**free):
        if not is_asked(rehearsal):
            for each in coaches_of(rehearsal):
                notify(person=each, kind=Kind.WAITING, rehearsal=rehearsal, about=review.grant)
        record_act(action="review.given_back", target=rehearsal, actor=coach)


@transaction.atomic
def hand_over(*, rehearsal: Rehearsal, coach: User, to: User, note: str) -> None:
    """Give one's claim to a colleague by name; others leave it to them for a day.

    Raises ValidationError where the coach does not have it, or the colleague could not open it.
    """
    review = _own(rehearsal, coach).select_related("grant", "rehearsal").first()
    if review is None or not review.is_held():
        raise ValidationError(
            _("Another coach is now working on this take, so it was not handed over.")
        )
    if not colleagues_for(coach, review).filter(pk=to.pk).exists():
        raise ValidationError(
            _("That person is not a coach of the group that this take was sent to.")
        )
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
    # By number: the log outlasts both accounts, and names nobody by itself.
    record_act(action="review.handed_over", target=rehearsal, actor=coach, person=to.pk)


def keep_for(*, rehearsal: Rehearsal, coach: User) -> None:
    """Reserve a take for this coach until the trainee's reply, and a day after it."""
    until = timezone.now() + LONGEST + KEPT_FOR_COLLEAGUE
    _own(rehearsal, coach).update(
        meant_for=coach, meant_until=until, handed_note="", handed_by=None
    )


def finish_review(*, rehearsal: Rehearsal, coach: User) -> None:
    """Take an answered take out of the queue and store the time it took.

    A flag ends with it, as nobody could take that away any more.
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


def _keep_handling(review: Review, coach: User, now: datetime) -> None:
    """From the claim to the answer. What was claimed after it only corrects: that is no review."""
    claimed, answered = review.claimed_at, review.grant.answered_at
    if claimed is None or (answered is not None and answered <= claimed):
        return
    # A release that was taken back had been counted up to there.
    before = review.handled_seconds if review.handled_by_id == coach.pk else None
    review.handled_seconds = (before or 0) + (now - claimed).total_seconds()
    review.handled_by = coach


def _own(rehearsal: Rehearsal, coach: User) -> QuerySet[Review]:
    return Review.objects.filter(rehearsal=rehearsal, coach=coach, finished_at=None)

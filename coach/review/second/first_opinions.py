"""First coaches' decisions, stored for comparison with a second opinion."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.items import StandingItem, standing_items
from coach.feedback.models import Feedback, Item
from coach.feedback.releases import release_obstacle
from coach.review.items.words import clips_words
from coach.review.models import Review
from coach.review.rubric.models import Occasion, Rating
from coach.review.second.models import Decision, Opinion, Place
from coach.review.second.services import finished_rating

GATHERED_AT_ONCE = 200


def gather_first_opinions() -> int:
    """Store first coaches' decisions from their releases. Return the number of new ones.

    Pages with comparisons call this first: released versions never change, so the time makes
    no difference. Only takes with a second opinion or a finished rating count.
    """
    theirs = Opinion.objects.filter(rehearsal=OuterRef("rehearsal"))
    judged = Rating.objects.filter(
        rehearsal=OuterRef("rehearsal"),
        coach=OuterRef("released_by"),
        occasion=Occasion.REVIEW,
        finished_at__isnull=False,
    )
    released = (
        Feedback.objects.filter(
            state=Feedback.State.RELEASED,
            released_at__lte=timezone.now(),
            released_by__isnull=False,
        )
        .filter(~Exists(theirs.filter(place=Place.FIRST)))
        .filter(Exists(theirs.filter(place=Place.SECOND)) | Exists(judged))
        .order_by("rehearsal_id", "version")
        .distinct("rehearsal_id")
        .select_related("released_by", "rehearsal")[:GATHERED_AT_ONCE]
    )
    found = list(released)
    for feedback in found:
        if feedback.released_by is not None:
            write_first_opinion(feedback=feedback, coach=feedback.released_by)
    return len(found)


@transaction.atomic
def write_first_opinion(*, feedback: Feedback, coach: User) -> Opinion:
    """Store the first coach's current decisions; once stored they never change.

    For an item held back, the decision before that is stored, if any.
    """
    opinion, is_new = Opinion.objects.get_or_create(
        rehearsal=feedback.rehearsal,
        place=Place.FIRST,
        given_up_at=None,
        defaults={"feedback": feedback, "coach": coach, "submitted_at": timezone.now()},
    )
    if not is_new:
        return opinion
    opinion.rating = finished_rating(opinion, coach)
    opinion.save(update_fields=["rating"])
    Decision.objects.bulk_create(
        Decision(
            opinion=opinion,
            item=each.item,
            kind=Decision.Kind.REJECT if each.is_rejected else Decision.Kind.KEEP,
            reason=each.said.reason if each.is_rejected else "",
            clips=_own_clips(each),
        )
        for each in standing_items(feedback)
        if each.item.origin == Item.Origin.RULE and each.said is not None
    )
    return opinion


def _own_clips(standing: StandingItem) -> list[dict[str, float]]:
    """Return the moments that the first coach changed on a kept item; empty without changes.

    Corrections also move the rule's moments: those still count as the machine's, even
    if they were submitted with other texts, in whole seconds.
    """
    if standing.is_rejected or standing.machines_clips is None:
        return []
    own, machines = (
        [(clip.start, clip.end) for clip in clips]
        for clips in (standing.card.clips, standing.machines_clips)
    )
    if clips_words(own) == clips_words(machines):
        return []
    return [{"start": start, "end": end} for start, end in own]


@transaction.atomic
def second_obstacle(*, feedback: Feedback, coach: User) -> str:
    """Return why a release waits for the second opinion, or an empty string.

    An attempted release submits the first coach's decisions, so that both can be compared.
    """
    rehearsal = feedback.rehearsal
    review = Review.objects.filter(rehearsal=rehearsal, wants_second=True).first()
    cohort = review.grant.cohort if review else None
    if cohort is None or not cohort.second_opinion_first:
        return ""
    if feedback.state != Feedback.State.DRAFT or release_obstacle(feedback):
        return ""
    handed_in = Opinion.objects.filter(
        rehearsal=rehearsal, place=Place.SECOND, submitted_at__isnull=False
    )
    write_first_opinion(feedback=feedback, coach=coach)
    if handed_in.exists():
        return ""
    return _(
        "Your decisions are saved. A second coach is also rating this take, and this "
        "group releases feedback only after that. You can release it here once they "
        "have finished."
    )

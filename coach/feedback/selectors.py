"""Queries for runs and feedback; access follows from the take."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, Exists, OuterRef, Prefetch, Q, QuerySet, When, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from coach.accounts.models import Policy, User
from coach.accounts.selectors import read_by_coaches_first
from coach.feedback.models import Feedback, Item, Question, Run
from coach.rehearsals.models import AccessGrant, Rehearsal, Talk
from coach.rehearsals.selectors import (
    coaches_of,
    own_rehearsals_for,
    own_talks_for,
    shared_rehearsals_for,
    standing_grant,
)


def latest_run(rehearsal: Rehearsal) -> Run | None:
    """Return the newest run of a take, or None."""
    return rehearsal.runs.order_by("-created_at").first()


def latest_report_run(rehearsal: Rehearsal) -> Run | None:
    """Return the newest run with a report and its `later_states`, or None."""
    later = Run.objects.filter(
        rehearsal=OuterRef("rehearsal"), created_at__gt=OuterRef("created_at")
    )
    done = rehearsal.runs.filter(state=Run.State.DONE)
    return (
        # It fills the property of the same name.
        done.annotate(later_states=ArraySubquery(later.values("state")))  # type: ignore[no-redef]
        .order_by("-created_at")
        .first()
    )


def latest_feedback(rehearsal: Rehearsal) -> Feedback | None:
    """Return the newest version, draft or released, or None."""
    return (
        Feedback.objects.filter(rehearsal=rehearsal)
        .select_related("rule_set", "released_by")
        .defer("rule_set__documents")
        .order_by("-version")
        .first()
    )


def released_by_now() -> QuerySet[Feedback]:
    """Return the feedback that owners can read: released, and no longer cancellable."""
    return Feedback.objects.filter(state=Feedback.State.RELEASED, released_at__lte=timezone.now())


def talks_for(user: User, wanted: str = "", *, takes: int) -> QuerySet[Talk]:
    """Return the user's talks, most recent take first, each with its `newest_takes`.

    `wanted`: a text in the title. `takes`: the number of takes to load per talk.
    """
    # One that was begun for an assignment has no take yet.
    recorded = Exists(Rehearsal.objects.filter(owner=user, talk=OuterRef("pk")))
    talks = own_talks_for(user).filter(recorded).order_by("-last_take_at")
    if wanted:
        talks = talks.filter(title__icontains=wanted)
    lines = _with_state(Rehearsal.objects.order_by("-created_at"))[:takes]
    return talks.prefetch_related(Prefetch("takes", lines, to_attr="newest_takes"))


def takes_of(talk: Talk) -> QuerySet[Rehearsal]:
    """Return all takes of a talk, newest first, with `number_of_talk` (1 is the oldest)."""
    number = Window(RowNumber(), order_by="created_at")
    return _with_state(talk.takes.annotate(number_of_talk=number).order_by("-created_at"))


def sent_takes_of(talk_id: UUID, *, only_waiting: bool = False) -> QuerySet[Rehearsal]:
    """Return the takes of a talk that are sent, newest first; all or the waiting ones."""
    sent = AccessGrant.objects.filter(
        rehearsal=OuterRef("pk"), cohort__isnull=False, revoked_at=None
    )
    if only_waiting:
        sent = sent.filter(answered_at=None)
    return Rehearsal.objects.filter(Exists(sent), talk=talk_id).order_by("-created_at")


def _with_state(takes: QuerySet[Rehearsal]) -> QuerySet[Rehearsal]:
    """Return the takes with the related rows that a list needs.

    It loads no report and no draft: reports have their own table, `feedback` is the released one.
    """
    runs = Run.objects.only("rehearsal_id", "state", "created_at")
    released = released_by_now().only("rehearsal_id", "version", "state", "released_by_name")
    return takes.select_related("cohort").prefetch_related(
        Prefetch("runs", runs), Prefetch("feedback", released), "grants", "questions"
    )


def is_waiting_for_coach(rehearsal: Rehearsal) -> bool:
    """Return whether a coach reads first, by the owner's choice or the group's policy."""
    return bool(_waiting_among([rehearsal]))


def _waiting_among(takes: Iterable[Rehearsal]) -> set[UUID]:
    """Return the takes that a coach reads first; queries cohorts only if one has that policy."""
    takes = list(takes)
    asked = {take.pk for take in takes if take.cohort and take.cohort.policy == Policy.COACH_FIRST}
    by_choice = {take.pk for take in takes if take.waits_by_choice}
    if not asked:
        return by_choice
    first = Rehearsal.any_kind.filter(read_by_coaches_first(), pk__in=asked)
    return by_choice | set(first.values_list("pk", flat=True))


def feedback_for_owner(rehearsal: Rehearsal) -> Feedback | None:
    """Return the feedback for the owner: the released version, a draft if allowed, or None."""
    is_read = Q(state=Feedback.State.RELEASED, released_at__lte=timezone.now())
    found = (
        Feedback.objects.filter(rehearsal=rehearsal)
        .annotate(is_read=Case(When(is_read, then=True), default=False))
        .select_related("rule_set", "released_by", "corrects")
        .defer("rule_set__documents")
        .order_by("-is_read", "-version")
        .first()
    )
    if found is None or found.is_read or not is_waiting_for_coach(rehearsal):
        return found
    return None


def latest_retracted(rehearsal: Rehearsal) -> Feedback | None:
    """Return the last retracted feedback, or None."""
    taken = Feedback.objects.filter(rehearsal=rehearsal, state=Feedback.State.RETRACTED)
    return taken.order_by("-version").first()


def is_held_back(rehearsal: Rehearsal) -> bool:
    """Return whether the owner sees nothing yet because a coach reads it first."""
    return is_waiting_for_coach(rehearsal) and feedback_for_owner(rehearsal) is None


def held_back_among(takes: Iterable[Rehearsal]) -> set[UUID]:
    """Return the held-back takes in at most two queries; prefetch their cohorts."""
    waiting = _waiting_among(takes)
    if not waiting:
        return set()
    read = released_by_now().filter(rehearsal__in=waiting)
    return waiting - set(read.values_list("rehearsal_id", flat=True))


def items_for_owner(user: User) -> QuerySet[Item]:
    """Return the items on the user's own takes."""
    return Item.objects.filter(feedback__rehearsal__in=own_rehearsals_for(user))


def drafts_for(coach: User) -> QuerySet[Feedback]:
    """Return the feedback on takes that were sent to this coach."""
    return Feedback.objects.filter(rehearsal__in=shared_rehearsals_for(coach))


def items_for(coach: User) -> QuerySet[Item]:
    """Return the items on takes that were sent to this coach."""
    return Item.objects.filter(feedback__rehearsal__in=shared_rehearsals_for(coach))


def newest_report_runs(takes: Iterable[Rehearsal]) -> dict[UUID, Run]:
    """Return the newest run with a report, by take."""
    runs = (
        Run.objects.filter(rehearsal__in=list(takes), state=Run.State.DONE, report__isnull=False)
        .order_by("rehearsal_id", "-created_at")
        .distinct("rehearsal_id")
    )
    return {run.rehearsal_id: run for run in runs}


def is_sent(rehearsal: Rehearsal) -> bool:
    """Return whether the owner has sent the take to a coach."""
    return standing_grant(rehearsal) is not None


def is_waiting(rehearsal: Rehearsal) -> bool:
    """Return whether the take is sent and no coach has answered it."""
    return sent_takes_of(rehearsal.talk_id, only_waiting=True).filter(pk=rehearsal.pk).exists()


def is_read_by_coaches(rehearsal: Rehearsal) -> bool:
    """Return whether a coach can answer: the take is sent, and its group has a coach."""
    return coaches_of(rehearsal).exists()


def questions_to(user: User) -> QuerySet[Question]:
    """Return coaches' questions to the user about their takes."""
    return Question.objects.filter(item=None, rehearsal__in=own_rehearsals_for(user))


def asked_about(feedback: Feedback) -> Question | None:
    """Return a coach's question to the trainee about this draft, or None."""
    return Question.objects.filter(feedback=feedback, item=None).select_related("feedback").first()


def last_asked_about(rehearsal: Rehearsal) -> Question | None:
    """Return a coach's last question before a release, about any draft of the take, or None."""
    asked = Question.objects.filter(rehearsal=rehearsal, item=None)
    return asked.select_related("feedback").order_by("-at").first()

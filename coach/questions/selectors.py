"""Queries about questions: owners see their own, coaches what goes along with a shared take."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from coach.accounts.models import Cohort, Membership, Role, User
from coach.questions.models import AskedQuestion, QuestionSession, WrittenQuestion
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import shared_rehearsals_for


def sessions_for(user: User) -> QuerySet[QuestionSession]:
    """Return the sessions after the user's own takes, newest first."""
    own = QuestionSession.objects.filter(take__owner=user)
    return own.select_related("take__owner", "take__cohort")


def questions_for(user: User) -> QuerySet[AskedQuestion]:
    """Return the questions asked after the user's own takes."""
    own = AskedQuestion.objects.filter(session__take__owner=user)
    return own.select_related("session__take__owner", "session__take__cohort", "answer")


def shared_questions_for(coach: User) -> QuerySet[AskedQuestion]:
    """Return the questions whose answers go along with a take that the coach may read."""
    # A correlated subquery, so that one question does not require a scan of all shared takes.
    shared = shared_rehearsals_for(coach).filter(pk=OuterRef("session__take"))
    found = AskedQuestion.objects.filter(Exists(shared), session__coach_may_listen=True)
    return found.select_related("session__take__owner", "answer")


def heard_answers_for(user: User) -> QuerySet[Rehearsal]:
    """Return the answers that the user may play: their own, and those that go along."""
    own = Q(answers_question__session__take__owner=user)
    shared = Q(answers_question__in=shared_questions_for(user).values("pk"))
    return Rehearsal.any_kind.filter(own | shared if user.can_review else own)


def written_questions_for(coach: User) -> QuerySet[WrittenQuestion]:
    """Return the questions that this coach wrote, newest first."""
    return WrittenQuestion.objects.filter(author=coach).select_related("talk", "cohort")


def written_for_take(take: Rehearsal) -> QuerySet[WrittenQuestion]:
    """Return the coaches' questions for a take: for its talk first, then for its owner's groups.

    Only those of coaches who still coach one of these groups, and none that is archived.
    """
    member = Membership.objects.filter(user=take.owner, role=Role.TRAINEE)
    groups = Cohort.objects.filter(pk__in=member.values("cohort"))
    coaches = Membership.objects.filter(
        user=OuterRef("author"), role=Role.COACH, cohort__in=groups.values("pk")
    )
    meant = Q(talk=take.talk_id) | Q(cohort__in=groups.values("pk"))
    found = WrittenQuestion.objects.filter(meant, Exists(coaches), archived_at=None)
    return found.exclude(author=take.owner).order_by(
        F("cohort").asc(nulls_first=True), "created_at"
    )


def coached_groups(coach: User) -> QuerySet[Cohort]:
    """Return the groups that this person coaches, by name."""
    coached = Membership.objects.filter(user=coach, role=Role.COACH).values("cohort")
    return Cohort.objects.filter(pk__in=coached).order_by("name")

"""The review queue of a coach."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from ninja import Router, Schema
from pydantic import Field

from coach.accounts.models import User
from coach.api.authentication import TokenRequest
from coach.api.scopes import Scope
from coach.api.v1.paging import Page, Paged, next_url, rows_on_page
from coach.api.v1.permission import AccessToken, check_role
from coach.api.v1.problems import answers
from coach.rehearsals.models import AccessGrant
from coach.review.selectors import QueuedReview, answered_for, waiting_for

router = Router(tags=["Reviews"])


class ReviewState(StrEnum):
    """Which takes of the queue."""

    WAITING = "waiting"
    ANSWERED = "answered"


class ReviewRow(Schema):
    """A take that was sent to you."""

    take_id: UUID
    title: str
    trainee: str
    group: str | None
    sent_at: datetime
    due_at: datetime | None = Field(description="Null if the group has no reply time.")
    claimed_by: str | None
    answered_at: datetime | None


@router.get(
    "/reviews", auth=AccessToken(Scope.REVIEWS_READ), response=answers(Page[ReviewRow], 404)
)
def list_reviews(
    request: TokenRequest, page: Paged, state: ReviewState = ReviewState.WAITING
) -> Page[ReviewRow]:
    """List the takes that wait for you or your colleagues, or that were answered; newest first."""
    check_role(may=request.user.can_review)
    if state == ReviewState.WAITING:
        results, cursor = _waiting(request.user, page)
    else:
        results, cursor = _answered(request.user, page)
    return Page(results=results, next=next_url(request, page, cursor, state=state.value))


def _waiting(user: User, page: Paged) -> tuple[list[ReviewRow], str | None]:
    found, cursor = rows_on_page(
        waiting_for(user),
        page,
        by="grant__created_at",
        value=lambda review: review.grant.created_at,
    )
    return [_review(each) for each in found], cursor


def _review(review: QueuedReview) -> ReviewRow:
    take, grant = review.rehearsal, review.grant
    return ReviewRow(
        take_id=take.pk,
        title=take.title,
        trainee=take.owner.name,
        group=grant.cohort.name if grant.cohort else None,
        sent_at=grant.created_at,
        due_at=review.due_at,
        claimed_by=review.coach.name if review.coach else None,
        answered_at=None,
    )


def _answered(user: User, page: Paged) -> tuple[list[ReviewRow], str | None]:
    found, cursor = rows_on_page(
        answered_for(user), page, by="answered_at", value=lambda grant: grant.answered_at
    )
    return [_grant(each) for each in found], cursor


def _grant(grant: AccessGrant) -> ReviewRow:
    take = grant.rehearsal
    return ReviewRow(
        take_id=take.pk,
        title=take.title,
        trainee=take.owner.name,
        group=take.cohort.name if take.cohort else None,
        sent_at=grant.created_at,
        due_at=None,
        claimed_by=None,
        answered_at=grant.answered_at,
    )

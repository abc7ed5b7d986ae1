"""Queries for research: only takes with current consent, under pseudonyms."""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, Min, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from coach.accounts.models import Cohort, Purpose, User
from coach.accounts.selectors import consents_that_count
from coach.feedback.models import Item, Run, StoredReport
from coach.feedback.selectors import released_by_now
from coach.lib.pages.paging import count_up_to
from coach.rehearsals.models import Rehearsal
from coach.research.exports.models import BundleImport, Download, Export
from coach.research.studies.models import Member, Study
from coach.research.studies.selectors import studies_for

MEASUREMENTS = Purpose.RESEARCH_MEASUREMENTS


def people_who_agree(purpose: Purpose) -> set[int]:
    """Return the keys of the people with valid consent to this purpose."""
    return set(consents_that_count(purpose).values_list("user", flat=True))


def rehearsals_for_research(
    researcher: User, purpose: Purpose = MEASUREMENTS
) -> QuerySet[Rehearsal]:
    """Return the takes of people with valid consent; an empty set for non-researchers."""
    if not researcher.can_research:
        return Rehearsal.objects.none()
    analysed = Run.objects.filter(rehearsal=OuterRef("pk"), state=Run.State.DONE)
    consented = consents_that_count(purpose).filter(user=OuterRef("owner"))
    return (
        Rehearsal.objects.filter(Exists(consented), Exists(analysed))
        .select_related("owner")
        .order_by("created_at", "pk")
    )


def runs_for_research(researcher: User, purpose: Purpose = MEASUREMENTS) -> QuerySet[Run]:
    """Return the newest finished run of each of those takes."""
    takes = rehearsals_for_research(researcher, purpose)
    return (
        Run.objects.filter(rehearsal__in=takes, state=Run.State.DONE)
        .order_by("rehearsal_id", "-created_at")
        .distinct("rehearsal_id")
        .select_related("rehearsal__owner")
        .prefetch_related(
            Prefetch("report", StoredReport.objects.defer("document")), "report__measured"
        )
    )


def items_for_research(researcher: User) -> QuerySet[Item]:
    """Return every item on those takes, in every version of the feedback."""
    return (
        Item.objects.filter(feedback__rehearsal__in=rehearsals_for_research(researcher))
        .select_related("feedback__rehearsal__owner", "feedback__rule_set", "author", "corrected")
        # Otherwise each row would include the whole draft, and every rule of its set.
        .defer("feedback__draft", "feedback__context", "feedback__rule_set__documents")
        .prefetch_related("verdicts__coach", "disputes")
        .order_by("feedback__rehearsal__created_at", "feedback__version", "position", "pk")
    )


def counts_for_research(researcher: User) -> dict[str, int]:
    """Return the current size of an export, each count limited by `count_up_to`."""
    rehearsals = rehearsals_for_research(researcher)
    people = User.objects.filter(Exists(rehearsals.order_by().filter(owner=OuterRef("pk"))))
    released = released_by_now().filter(rehearsal__in=rehearsals)
    return {
        "people": count_up_to(people),
        "rehearsals": count_up_to(rehearsals),
        "items": count_up_to(items_for_research(researcher)),
        "released": count_up_to(released),
    }


def kept_until(researcher: User, purpose: Purpose = MEASUREMENTS) -> datetime | None:
    """Return the deletion date of a copy made now: the shortest period of its cohorts, or None."""
    takes = rehearsals_for_research(researcher, purpose).order_by()
    cohorts = Cohort.objects.filter(rehearsals__in=takes)
    days: int | None = cohorts.aggregate(least=Min("keep_exports_days"))["least"]
    return None if days is None else timezone.now() + timedelta(days=days)


def downloads_for(researcher: User) -> QuerySet[Download]:
    """Return the researcher's downloads, newest first."""
    return Download.objects.filter(researcher=researcher)


def exports_for(researcher: User) -> QuerySet[Export]:
    """Return the bundles of the studies that the researcher may export, newest first."""
    may = (Member.Role.LEAD, Member.Role.ANALYST)
    studies = studies_for(researcher).filter(members__user=researcher, members__role__in=may)
    return Export.objects.filter(study__in=studies).select_related("study", "asked_by")


def last_refused(researcher: User, study: Study) -> dict[str, Any]:
    """Return the form values of the user's newest export if it was refused, for a new request.

    The cause is usually fixed elsewhere, so the rest of the form stays as it was.
    """
    last = exports_for(researcher).filter(study=study, asked_by=researcher).first()
    if last is None or last.state != Export.State.REFUSED:
        return {}
    return {name: getattr(last, name) for name in ("recipient", "purpose", "agreement", "formats")}


def imports_for(researcher: User) -> QuerySet[BundleImport]:
    """Return the imports of the user's studies; documents only for the user who sent them.

    The name of a transcript may be that of a participant.
    """
    mine = Q(kind=BundleImport.Kind.PROJECT) | Q(asked_by=researcher)
    studies = studies_for(researcher)
    return BundleImport.objects.filter(mine, study__in=studies).select_related("study")


def month_of(at: datetime) -> str:
    """Return the month in the site's time zone: YYYY-MM."""
    return f"{timezone.localdate(at):%Y-%m}"


def pseudonym_of(identifier: UUID | int | str) -> str:
    """Return a stable pseudonym of an identifier for all exports, not reversible without
    our key.
    """
    key = settings.PSEUDONYM_KEY.encode()
    return hmac.new(key, f"research:{identifier}".encode(), hashlib.sha256).hexdigest()[:16]

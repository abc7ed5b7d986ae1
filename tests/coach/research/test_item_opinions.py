"""What further coaches would keep of a machine's items leaves in a bundle, of those who agreed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Item
from coach.rehearsals.models import Rehearsal
from coach.research.exports.bundle.scope import last_change
from coach.research.exports.bundle.tables import BY_NAME
from coach.research.studies.models import Scope, Study
from coach.review.second.models import Decision, Opinion, Place
from tests.coach.factories import UserFactory
from tests.coach.research.conftest import included_in
from tests.coach.research.making import agree, bundle_of, rows, take_part

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(study: Study) -> User:
    """Dora takes part as well."""
    dora: User = UserFactory(name="Dora")
    agree(take_part(study, dora, group="coach"), Scope.MEASUREMENTS, Scope.FEEDBACK)
    return dora


def judged(take: Rehearsal, coach: User, place: Place = Place.SECOND, **decided: object) -> Item:
    """A coach says what they make of the first item."""
    feedback = take.feedback.get()
    opinion = Opinion.objects.create(
        rehearsal=take, feedback=feedback, coach=coach, place=place, submitted_at=timezone.now()
    )
    item = feedback.items.get()
    kept = {"kind": Decision.Kind.KEEP, **decided}
    Decision.objects.create(opinion=opinion, item=item, **kept)
    return item


def test_a_second_coachs_rejection_stands_beside_the_first_ones_edit(
    study: Study, sent: Rehearsal, second: User, tmp_path: Path
) -> None:
    Study.objects.update(least_group=1)
    study.refresh_from_db()
    judged(
        sent,
        second,
        kind=Decision.Kind.REJECT,
        reason="wrong_measurement",
        clips=[{"start": 1.5, "end": 4.0}, {"start": 6.0, "end": 7.0}],
    )
    archive = bundle_of(study, tmp_path, "a")
    [opinion] = rows(archive, "item_opinions")
    [first] = rows(archive, "coach_reviews")
    assert opinion["feedback_id"] == first["feedback_id"]
    assert first["action"] == "edited"
    assert opinion["coach_id"] not in {"", first["coach_id"]}
    assert [opinion[name] for name in ("occasion", "decision", "reason_code")] == [
        "second",
        "reject",
        "wrong_measurement",
    ]
    assert [opinion[name] for name in ("start_ms", "end_ms", "own_moments")] == [
        "1500",
        "4000",
        "2",
    ]


def test_of_who_does_not_take_part_it_is_only_counted(study: Study, sent: Rehearsal) -> None:
    judged(sent, UserFactory())
    included = included_in(study)
    assert list(BY_NAME["item_opinions"].rows(included)) == []
    assert included.left_out["item_opinions", "not_consented"] == 1


@pytest.mark.parametrize(
    ("place", "given"),
    [(Place.FIRST, timedelta()), (Place.SECOND, timedelta(days=1))],
    ids=["what the first coach decided, which is a review", "what came after the cut-off"],
)
def test_what_is_no_further_opinion_by_then_is_not_there(
    study: Study, sent: Rehearsal, second: User, place: Place, given: timedelta
) -> None:
    judged(sent, second, place)
    included = included_in(study)
    Opinion.objects.update(submitted_at=timezone.now() + given)
    assert list(BY_NAME["item_opinions"].rows(included)) == []
    assert not included.left_out["item_opinions", "not_consented"]


def test_writing_down_what_the_first_coach_decided_makes_no_other_bundle(
    study: Study, sent: Rehearsal, coach: User
) -> None:
    before = last_change(study)
    judged(sent, coach, Place.FIRST)
    assert last_change(study) == before
    judged(sent, UserFactory())
    assert last_change(study) > before

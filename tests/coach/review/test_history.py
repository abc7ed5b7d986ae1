"""What a coach reads of earlier takes beside the one that waits."""

from __future__ import annotations

from typing import Any

import pytest

from coach.accounts.models import Cohort, User
from coach.feedback.models import Feedback, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.rehearsals.services import send_to_coach
from coach.review.desk.releases import EarlierTake, earlier_takes
from coach.review.services import claim_rehearsal
from tests.coach.factories import RehearsalFactory, finish_analysis

CANNOT = "The two takes cannot be compared"
PLAIN = {"echo_cancellation": False, "noise_suppression": False, "auto_gain_control": False}


def _released(draft: Feedback, coach: User) -> None:
    send_to_coach(rehearsal=draft.rehearsal, note="")
    claim_rehearsal(rehearsal=draft.rehearsal, coach=coach)
    for item in draft.items.filter(is_chosen=True):
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)


def _beside(
    trainee: User, coach: User, cohort: Cohort, then: dict[str, Any], now: dict[str, Any]
) -> EarlierTake:
    first = RehearsalFactory(owner=trainee, cohort=cohort, **then)
    _released(finish_analysis(first), coach)
    second = RehearsalFactory(owner=trainee, cohort=cohort, **now)
    finish_analysis(second)
    send_to_coach(rehearsal=second, note="")
    [earlier] = earlier_takes(second, coach=coach)
    return earlier


def test_the_last_focus_stands_with_what_became_of_it(
    trainee: User, coach: User, cohort: Cohort
) -> None:
    earlier = _beside(trainee, coach, cohort, {}, {"camera_position": "side"})
    assert earlier.focus
    # Ums do not depend on where the camera stood.
    assert earlier.became.startswith("Then about")
    assert CANNOT not in earlier.became


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ({"setting": "stage"}, {}),
        ({"capture": PLAIN}, {"capture": PLAIN | {"noise_suppression": True}}),
    ],
)
def test_two_takes_that_cannot_be_compared_are_said_to_be_so(
    then: dict[str, Any], now: dict[str, Any], trainee: User, coach: User, cohort: Cohort
) -> None:
    assert CANNOT in _beside(trainee, coach, cohort, then, now).became

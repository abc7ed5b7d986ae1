"""What the page says about everything that is not among the cards."""

from __future__ import annotations

import re

from django.urls import reverse

from analysis.results import Event, Measurement, Quality, Reason, Report, Skipped
from coach.accounts.models import Cohort, Role, User
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.rehearsals.models import Rehearsal
from feedback_rules.model import Draft, Outcome
from tests.coach.conftest import SignIn
from tests.coach.factories import (
    RehearsalFactory,
    UserFactory,
    finish_analysis,
    join,
    make_report,
)


def _measure(value: float, unit: str) -> Measurement:
    return Measurement(value=value, unit=unit, n=900, coverage=0.95, quality="good")


def _swaying() -> Report:
    """Ums, a level voice, and a sway that is for a coach alone."""
    return make_report(
        **{
            "posture.sway_shoulder_widths": _measure(0.3, "shoulder widths"),
            "pitch.variation_quotient": _measure(0.08, "ratio"),
            "pauses.boundary_pause_share": _measure(0.5, "share"),
        }
    )


def _page(trainee: User, sign_in: SignIn, take: Rehearsal) -> str:
    return sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()


def _drafted(trainee: User, cohort: Cohort) -> Feedback:
    return finish_analysis(RehearsalFactory(owner=trainee, cohort=cohort), _swaying())


def test_what_was_outranked_is_in_the_drawer_with_its_reason(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    page = _page(trainee, sign_in, _drafted(trainee, cohort).rehearsal)
    assert "No strength was found with certainty, so only one thing is shown." in page


def test_what_is_for_a_coach_is_counted_and_not_told(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    feedback = _drafted(trainee, cohort)
    claim = Item.objects.get(feedback=feedback, rule="POS003").document["claim"]
    page = _page(trainee, sign_in, feedback.rehearsal)
    assert claim not in page
    assert "1 observation needs a coach and is not shown without one." in page
    join(cohort, UserFactory(roles=[Role.COACH]), Role.COACH)
    page = _page(trainee, sign_in, feedback.rehearsal)
    assert "1 observation needs a coach: you will see it if your coach confirms it." in page


def test_where_no_coach_would_come_speech_that_nothing_was_tested_on_is_not_measured(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    """Blocks are silences: a coach may raise them, and a group without one promises nobody."""
    per_minute = _measure(1.5, "per minute").model_copy(update={"interval": (0.8, 2.6)})
    report = make_report(**{"pauses.long_mid_clause_per_minute": per_minute})
    block = Event(
        kind="silent_pause", start=30, end=32.5, label="long", detail={"place": "mid_clause"}
    )
    blocks = (block.model_copy(update={"start": at, "end": at + 2.5}) for at in (30, 60, 90))
    skipped = Skipped.because(Reason.OUTSIDE_TESTED_SPEECH, "in_words", words="Made for a test.")
    measured = dict(report.measurements)
    filled = measured.pop("fillers.filled_pauses_per_minute")
    assert filled
    report = report.model_copy(
        update={
            "events": tuple(blocks),
            "measurements": measured,
            "skipped": report.skipped | {"fillers.filled_pauses_per_minute": skipped},
        }
    )
    feedback = finish_analysis(RehearsalFactory(owner=trainee, cohort=cohort), report)
    assert Item.objects.get(feedback=feedback).rule == "PAU001"
    page = _page(trainee, sign_in, feedback.rehearsal)
    assert "needs a coach" not in page
    untested = page.partition("The measure was not tested on speech like this.")[2]
    assert "Silences inside sentences" in untested.partition("</div>")[0]
    join(cohort, UserFactory(roles=[Role.COACH]), Role.COACH)
    page = _page(trainee, sign_in, feedback.rehearsal)
    assert "1 observation needs a coach: you will see it if your coach confirms it." in page


def test_what_a_coach_let_through_no_longer_waits(
    trainee: User, cohort: Cohort, coach: User, sign_in: SignIn
) -> None:
    feedback = _drafted(trainee, cohort)
    item = Item.objects.get(feedback=feedback, rule="POS003")
    for each in feedback.items.all():
        decide_on_item(item=each, coach=coach, kind=Verdict.Kind.ACCEPT)
    assert item.document["claim"] not in _page(trainee, sign_in, feedback.rehearsal)
    release_feedback(feedback=feedback, coach=coach)
    page = _page(trainee, sign_in, feedback.rehearsal)
    assert item.document["claim"] in page
    assert "needs a coach" not in page


def test_every_rule_that_stayed_silent_stands_under_its_first_reason(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    page = _page(trainee, sign_in, _drafted(trainee, cohort).rehearsal)
    assert "Rules that gave no card, and why" in page
    silent = page[page.index("Rules that gave no card") : page.index("All measures")]
    assert "Measured, and nothing that we would raise." in silent
    assert "The sound or the picture was not clear enough." in silent
    assert "Sway" not in silent
    # Several rules are about one thing; it is named once.
    named = [each for line in re.findall("<dd>(.*?)</dd>", silent) for each in line.split(" · ")]
    assert len(named) == len(set(named)) > 3


def test_what_was_judged_is_not_called_unclear_and_what_is_said_is_not_left_out(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    """A strength wants a surer measurement of the same thing, or is held back itself."""
    fair = _measure(3.0, "per minute").model_copy(
        update={"quality": Quality.FAIR, "interval": (2.0, 4.0)}
    )
    facing = _measure(0.9, "share")
    report = make_report(
        **{"fillers.filled_pauses_per_minute": fair, "gaze.camera_facing_share": facing}
    )
    feedback = finish_analysis(RehearsalFactory(owner=trainee, cohort=cohort), report)
    outcomes = {
        each.rule: each.outcome for each in Draft.model_validate_json(feedback.draft).findings
    }
    judged = [outcomes[rule] for rule in ("FIL001", "GAZ001", "GAZ011")]
    assert judged == [Outcome.IN_BAND, Outcome.IN_BAND, Outcome.FIRED]
    assert outcomes["FIL010"] not in {Outcome.IN_BAND, Outcome.FIRED}
    page = _page(trainee, sign_in, feedback.rehearsal)
    silent = page[page.index("Rules that gave no card") : page.index("All measures")]
    said = dict(re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", silent, re.DOTALL))
    assert "Um and uh" in said["Measured, and nothing that we would raise."]
    assert silent.count("Um and uh") == 1
    assert "Facing the camera" not in silent


def test_slides_that_are_said_to_be_shown_reach_the_rules(trainee: User, cohort: Cohort) -> None:
    turned = make_report(**{"gaze.camera_facing_share": _measure(0.3, "share")})
    outcomes = []
    for shows_slides in (False, True):
        take = RehearsalFactory(owner=trainee, cohort=cohort, shows_slides=shows_slides)
        draft = finish_analysis(take, turned).draft
        outcomes.append('"detail": "slides"' in draft)
    assert outcomes == [False, True]

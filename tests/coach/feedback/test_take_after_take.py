"""Advice over several takes of one person: it stays, is worded as change, and makes room."""

from __future__ import annotations

from analysis.results import Measurement, Report
from coach.accounts.models import Cohort, User
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.services import decide_on_item
from feedback_rules.model import Draft
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report


def _report(rate: float) -> Report:
    """Ums at this rate, which are the only thing to work on."""
    measured = Measurement(
        value=rate,
        unit="per minute",
        n=round(rate * 3),
        coverage=0.95,
        quality="good",
        interval=(rate * 0.75, rate * 1.3),
    )
    return make_report(**{"fillers.filled_pauses_per_minute": measured})


def _take(owner: User, rate: float) -> Feedback:
    return finish_analysis(RehearsalFactory(owner=owner), _report(rate))


def _draft(feedback: Feedback) -> Draft:
    return Draft.model_validate_json(feedback.draft)


def test_a_focus_that_is_still_out_of_its_band_stays_and_is_worded_as_change(
    trainee: User,
) -> None:
    first, second = _draft(_take(trainee, 8)), _draft(_take(trainee, 6))
    assert not first.items[0].held_focus
    # The lower end is 4.5 now: new advice would not begin there, the focus goes on.
    assert second.items[0].held_focus
    assert second.items[0].figure.startswith("Last time this was about 8 a minute, now about 6")


def test_after_three_takes_or_in_its_band_it_makes_room(trainee: User) -> None:
    drafts = [_draft(_take(trainee, rate)) for rate in (8, 6, 6, 6)]
    assert [bool(made.items) for made in drafts] == [True, True, True, False]


def test_it_is_let_go_once_it_is_in_its_band(trainee: User) -> None:
    drafts = [_draft(_take(trainee, rate)) for rate in (8, 4.5, 6)]
    assert [bool(made.items) for made in drafts] == [True, False, False]


def test_the_focus_of_somebody_else_is_nobodys(trainee: User, stranger: User) -> None:
    _take(stranger, 8)
    assert _draft(_take(trainee, 6)).items == ()


def test_what_a_coach_rejected_is_no_focus(trainee: User, coach: User, cohort: Cohort) -> None:
    item = Item.objects.get(feedback=_take(trainee, 8))
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="wrong_measurement")
    assert _draft(_take(trainee, 6)).items == ()


def test_an_old_report_with_a_measure_that_is_gone_still_makes_a_usual(trainee: User) -> None:
    for _ in range(3):
        run = _take(trainee, 3).run
        measured = run.report["measurements"]
        measured["pace.of_another_age"] = measured["fillers.filled_pauses_per_minute"]
        run.save()
    usual = _take(trainee, 6).context["baseline"]
    assert usual["fillers.filled_pauses_per_minute"] == {"value": 3.0, "takes": 3}
    assert "pace.of_another_age" not in usual

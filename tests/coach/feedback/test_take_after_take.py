"""Advice over several takes of one person: it stays, is worded as change, and makes room."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from analysis.results import Language, Measurement, Report
from coach.accounts.models import Cohort, Policy, User
from coach.accounts.services import Preferences, set_preferences
from coach.feedback.models import Feedback, Item, Lent, Verdict
from coach.feedback.releases import begin_correction, release_feedback
from coach.feedback.reports import report_of
from coach.feedback.runs import drafting
from coach.feedback.runs.drafting import stored_context
from coach.feedback.verdicts import add_coach_item, decide_on_item
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import delete_rehearsal, lock_rehearsal
from coach.rulesets.selectors import rule_set_of
from feedback_rules.model import Draft
from feedback_rules.select import draft
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report
from tests.coach.review.deciding import own


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


def _take(owner: User, rate: float, **more: Any) -> Feedback:
    take = RehearsalFactory(owner=owner, **more)
    language = Language(code=take.language, source="given")
    return finish_analysis(take, _report(rate).model_copy(update={"language": language}))


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


def test_it_is_let_go_once_it_is_in_its_band_and_the_report_says_so(
    trainee: User, sign_in: SignIn
) -> None:
    takes = [_take(trainee, rate) for rate in (8, 4.5, 6)]
    drafts = [_draft(each) for each in takes]
    assert [bool(made.items) for made in drafts] == [True, False, False]
    said = "What you worked on (um and uh): nothing to raise this time."
    change = drafts[1].reached[0].change
    assert change.startswith("Last time this was about 8 a minute, now about ")

    def page(take: Feedback) -> str:
        url = reverse("feedback:report", args=[take.rehearsal_id])
        return sign_in(trainee).get(url).content.decode()

    assert said in page(takes[1])
    assert change in page(takes[1])
    set_preferences(user=trainee, preferences=Preferences(coach_first=True))
    assert said in page(takes[1])
    assert change not in page(takes[1])
    assert [said in page(each) for each in (takes[0], takes[2])] == [False, False]
    # Once the owner has read the first report, the headline says it, and nothing says it twice.
    assert 'id="last-time-title"' in page(takes[1])
    assert said not in page(takes[1])


def test_the_focus_of_somebody_else_is_nobodys(trainee: User, stranger: User) -> None:
    _take(stranger, 8)
    assert _draft(_take(trainee, 6)).items == ()


WORKED_ON = {"echo_cancellation": False, "noise_suppression": True, "auto_gain_control": False}


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ({"setting": "stage"}, {}),
        ({"speaks_as": "first"}, {"speaks_as": "second"}),
        ({"capture": WORKED_ON}, {"capture": {**WORKED_ON, "noise_suppression": False}}),
    ],
)
def test_a_figure_of_a_take_that_cannot_be_compared_is_not_told_as_last_time(
    before: dict[str, Any], now: dict[str, Any], trainee: User
) -> None:
    _take(trainee, 8, **before)
    [item] = _draft(_take(trainee, 6.5, **now)).items
    # The focus goes on; what it came to there says nothing about here.
    assert item.held_focus
    assert "ast time" not in item.figure


@pytest.mark.usefixtures("coach")
def test_what_waits_for_a_coach_is_not_told_on_the_next_take(trainee: User, cohort: Cohort) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    cohort.refresh_from_db()
    _take(trainee, 9)
    waiting = _take(trainee, 8, cohort=cohort)
    after = _take(trainee, 6)
    assert _draft(after).items[0].figure.startswith("Last time this was about 9 a minute")
    assert not Lent.objects.filter(take=waiting.rehearsal).exists()


def test_nor_is_a_draft_that_waits_behind_a_version_that_was_released(
    trainee: User, coach: User, cohort: Cohort
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    cohort.refresh_from_db()
    read = _take(trainee, 8, cohort=cohort)
    Feedback.objects.filter(pk=read.pk).update(
        state=Feedback.State.RELEASED, released_at=timezone.now(), released_by_name=str(coach)
    )
    finish_analysis(read.rehearsal, _report(12))
    after = _draft(_take(trainee, 6))
    assert after.items[0].figure.startswith("Last time this was about 8 a minute")


def _facing(share: float) -> Report:
    measured = Measurement(
        value=share,
        unit="share",
        n=900,
        coverage=0.95,
        quality="good",
        interval=(share - 0.05, share + 0.05),
    )
    return make_report(**{"gaze.camera_facing_share": measured})


def _rules_that_spoke(feedback: Feedback) -> set[str]:
    return set(feedback.firings.values_list("rule", flat=True))


def test_a_camera_moved_in_front_of_one_is_not_praised_as_more_contact(trainee: User) -> None:
    for _ in range(3):
        take = RehearsalFactory(owner=trainee, camera_position="side")
        finish_analysis(take, _facing(0.3))
    moved = RehearsalFactory(owner=trainee, camera_position="level")
    assert "PRG012" not in _rules_that_spoke(finish_analysis(moved, _facing(0.7)))
    stayed = RehearsalFactory(owner=trainee, camera_position="side")
    assert "PRG012" in _rules_that_spoke(finish_analysis(stayed, _facing(0.7)))


def test_what_a_coach_rejected_is_no_focus(trainee: User, coach: User, cohort: Cohort) -> None:
    item = Item.objects.get(feedback=_take(trainee, 8))
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="wrong_measurement")
    assert _draft(_take(trainee, 6)).items == ()


def test_an_old_report_with_a_measure_that_is_gone_still_makes_a_usual(trainee: User) -> None:
    for _ in range(3):
        run = _take(trainee, 3).run
        measured = run.report.document["measurements"]
        measured["pace.of_another_age"] = measured["fillers.filled_pauses_per_minute"]
        run.save()
    usual = _take(trainee, 6).context["baseline"]
    assert usual["fillers.filled_pauses_per_minute"] == {"value": 3.0, "takes": 3}
    assert "pace.of_another_age" not in usual


def _all_that_is_stored(feedback: Feedback) -> str:
    """What is kept of a draft as data; its cards are what the person has read."""
    stored = Feedback.objects.get(pk=feedback.pk)
    lent = [each.items for each in Lent.objects.filter(feedback=stored)]
    numbers = [item.document.get("previous_value") for item in stored.items.all()]
    return json.dumps([stored.context, lent, numbers]) + stored.draft.replace(" ", "")


def test_what_a_deleted_take_lent_goes_with_it_and_what_was_read_stays(trainee: User) -> None:
    first, second = _take(trainee, 8.125), _take(trainee, 6)
    assert '"value": 8.125' in _all_that_is_stored(second)
    said = [item.document for item in second.items.all()]
    assert stored_context(second).previous_items[0].value == 8.125
    delete_rehearsal(rehearsal=first.rehearsal)
    assert "8.125" not in _all_that_is_stored(second)
    assert "8.125" not in json.dumps(own_data(trainee), default=str)
    second.refresh_from_db()
    assert stored_context(second).previous_items == ()
    assert [item.document for item in second.items.all()] == said


def test_the_take_before_is_looked_for_once(trainee: User, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _take(trainee, 8)
    look, found = drafting._feedback_before, []

    def counted(rehearsal: Rehearsal) -> Feedback | None:
        found.append(look(rehearsal))
        return found[-1]

    monkeypatch.setattr(drafting, "_feedback_before", counted)
    second = _take(trainee, 6)
    assert found == [first]
    assert [each.value for each in stored_context(second).previous_items] == [8]


@pytest.mark.django_db(transaction=True)
def test_a_take_that_is_being_deleted_lends_nothing_and_is_not_waited_for(trainee: User) -> None:
    first = _take(trainee, 8)
    with ThreadPoolExecutor(max_workers=1) as elsewhere, transaction.atomic():
        assert lock_rehearsal(first.rehearsal_id)
        second = elsewhere.submit(_take_elsewhere, trainee).result(timeout=30)
    assert stored_context(second).previous_items == ()
    assert not Lent.objects.filter(feedback=second).exists()


def _take_elsewhere(owner: User) -> Feedback:
    try:
        return transaction.atomic(_take)(owner, 6)
    finally:
        connection.close()


def test_numbers_of_before_move_to_where_they_go_with_their_take(trainee: User) -> None:
    move = import_module("coach.feedback.migrations.0007_forget_what_deleted_takes_lent").move
    first, second, third = _take(trainee, 8), _take(trainee, 6.5), _take(trainee, 6)
    _as_before(second)
    _as_before(third)
    delete_rehearsal(rehearsal=second.rehearsal)
    _as_before(other := _take(trainee, 6.25))
    move(apps, None)
    # Its lender is gone, and the take before that one held another number.
    assert "6.5" not in _all_that_is_stored(third)
    assert not Lent.objects.filter(feedback=third).exists()
    assert Lent.objects.get(feedback=other).take == third.rehearsal
    assert stored_context(other).previous_items[0].value == 6
    assert "previous" not in _all_that_is_stored(other)
    assert first.rehearsal.runs.exists()


def _as_before(feedback: Feedback) -> None:
    """As it was stored until the take before got a row of its own."""
    lent = Lent.objects.get(feedback=feedback)
    feedback.context["previous_items"] = lent.items
    document = json.loads(feedback.draft)
    for item in document["items"]:
        item["previous_value"] = lent.items[0]["value"]
    feedback.draft = json.dumps(document, sort_keys=True, ensure_ascii=False, indent=2)
    feedback.save(update_fields=["context", "draft"])
    lent.delete()


def _near_report() -> Report:
    """Nothing stands out; ums come nearest to their line, then the melody."""
    return make_report(
        **{
            "fillers.filled_pauses_per_minute": Measurement(
                value=4.3, unit="per minute", n=13, coverage=1, quality="good", interval=(3.2, 6.1)
            ),
            "pitch.variation_quotient": Measurement(
                value=0.18, unit="ratio", n=18, coverage=1, quality="good", interval=(0.17, 0.19)
            ),
        }
    )


def _offered(owner: User, **more: Any) -> str:
    take = RehearsalFactory(owner=owner, **more)
    made = _draft(finish_analysis(take, _near_report()))
    assert made.items == ()
    return made.worth_trying.rule if made.worth_trying else ""


def test_what_is_worth_trying_is_not_the_same_for_ever(trainee: User) -> None:
    offered = [_offered(trainee) for _take in range(9)]
    assert offered == ["FIL001"] * 3 + ["PIT001"] * 3 + ["FIL001"] * 3


def test_a_draft_with_an_offer_is_made_again_to_the_byte(trainee: User) -> None:
    for _take in range(3):
        _offered(trainee)
    feedback = finish_analysis(RehearsalFactory(owner=trainee), _near_report())
    context = stored_context(feedback)
    assert [each.takes for each in context.previous_offers] == [3]
    assert "previous_offers" not in feedback.context
    again = draft(report_of(feedback.run), rule_set_of(feedback.rule_set), context)
    assert again.as_json() == feedback.draft


def test_what_a_coach_corrects_knows_the_takes_before_as_well(trainee: User, coach: User) -> None:
    for _take in range(2):
        _offered(trainee)
    third = finish_analysis(RehearsalFactory(owner=trainee), _near_report())
    release_feedback(feedback=third, coach=coach)
    Feedback.objects.update(released_at=timezone.now() - timedelta(hours=1))
    third.refresh_from_db()
    corrected = begin_correction(feedback=third, coach=coach)
    assert stored_context(corrected).previous_offers == stored_context(third).previous_offers != ()
    release_feedback(feedback=corrected, coach=coach)
    Feedback.objects.update(released_at=timezone.now() - timedelta(hours=1))
    assert _offered(trainee) == "PIT001"


def test_a_draft_that_cannot_be_read_any_more_ends_no_later_analysis(trainee: User) -> None:
    first = finish_analysis(RehearsalFactory(owner=trainee), _near_report())
    former = {**json.loads(first.draft), "findings": [{"of": "a former version"}]}
    Feedback.objects.update(draft=json.dumps(former))
    second = finish_analysis(RehearsalFactory(owner=trainee), _near_report())
    assert [each.rule for each in stored_context(second).previous_offers] == ["FIL001"]


def test_what_was_offered_goes_with_the_take_that_lent_it(trainee: User) -> None:
    for _take in range(3):
        _offered(trainee)
    feedback = finish_analysis(RehearsalFactory(owner=trainee), _near_report())
    delete_rehearsal(rehearsal=Lent.objects.get(feedback=feedback).take)
    feedback.refresh_from_db()
    assert stored_context(feedback).previous_offers == ()


def test_an_offer_goes_with_the_take_that_made_it_however_long_ago(trainee: User) -> None:
    for _take in range(4):
        _offered(trainee)
    fifth = finish_analysis(RehearsalFactory(owner=trainee), _near_report())
    offers = stored_context(fifth).previous_offers
    assert [(each.rule, each.takes, each.ago) for each in offers] == [
        ("PIT001", 1, 1),
        ("FIL001", 3, 2),
    ]
    third = Lent.objects.get(feedback=fifth, offers__0__rule="FIL001").take
    delete_rehearsal(rehearsal=third)
    assert [each.rule for each in stored_context(fifth).previous_offers] == ["PIT001"]
    assert _offered(trainee) == "PIT001"


def test_an_offer_that_nobody_read_beside_a_coachs_advice_does_not_count(
    trainee: User, coach: User
) -> None:
    first = finish_analysis(RehearsalFactory(owner=trainee), _near_report())
    add_coach_item(feedback=first, coach=coach, words=own())
    second = finish_analysis(RehearsalFactory(owner=trainee), _near_report())
    assert stored_context(second).previous_offers == ()


def test_what_was_offered_to_somebody_else_is_nobodys(trainee: User, stranger: User) -> None:
    for _take in range(3):
        _offered(stranger)
    assert _offered(trainee) == "FIL001"

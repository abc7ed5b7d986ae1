"""A plan follows its person's takes: harder where they meet a step, easier where they do not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.audit.models import Entry
from coach.feedback.models import MeasuredValue
from coach.notices.models import Kind
from coach.notices.selectors import new_for
from coach.notices.services import choose_mails, notify
from coach.practice.change import Value
from coach.practice.exercises.catalogue import exercise_for
from coach.practice.models import ExerciseDone, FocusArea
from coach.practice.personal_data import PERSONAL_DATA
from coach.practice.plan.ladders import LADDERS, STEPS, ladder_for
from coach.practice.plan.page import own_plan
from coach.practice.plan.progress_state import FocusProgress, progress_after
from coach.practice.plan.schedule import next_practice, plan_now
from coach.practice.plan.services import choose_focus, end_focus, remind_all, set_step
from coach.practice.progress import comparable_takes
from coach.practice.progress.comparable_takes import MeasuredTake
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach, withdraw_from_coach
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.practice.takes import UMS, rate, take_with

LADDER = LADDERS[UMS]


def after(*values: tuple[float, float], first: int = 1) -> FocusProgress:
    """Where takes with these values and half widths lead."""
    takes = [
        MeasuredTake(
            take=Rehearsal(),
            rows={
                UMS: MeasuredValue(
                    value=value,
                    unit="per minute",
                    n=20,
                    coverage=0.9,
                    quality="good",
                    low=value - half,
                    high=value + half,
                )
            },
        )
        for value, half in values
    ]
    return progress_after(LADDER, first, takes)


def test_steps_get_harder_and_each_has_an_exercise() -> None:
    for ladder in LADDERS.values():
        harder = sorted(ladder.steps, reverse=ladder.side == "at_most")
        assert list(ladder.steps) == harder
        assert exercise_for(rule=ladder.rule, quality="") is not None


@pytest.mark.parametrize(
    ("value", "half", "outcome"),
    [(7, 0.5, "clearly_met"), (7, 2, "met"), (9, 2, "missed"), (11, 2, "clearly_missed")],
)
def test_a_take_is_judged_with_its_range(value: float, half: float, outcome: str) -> None:
    assert LADDER.judge(Value(value=value, low=value - half, high=value + half), 1) == outcome


def test_one_clear_take_or_two_in_a_row_make_it_harder() -> None:
    assert after((7, 0.5)).step == 2
    assert after((7, 2)).step == 1
    assert after((7, 2), (7, 2)).step == 2


def test_two_that_do_not_meet_it_make_it_easier_and_one_leaves_it() -> None:
    assert after((9, 1), first=3).step == 3
    assert after((9, 1), (9, 1), first=3).step == 2
    assert after((9, 2), (7, 2), (9, 2), first=1).step == 1


def test_the_last_step_is_reached_and_can_be_lost_again() -> None:
    reached = after((3, 0.5), first=STEPS)
    assert reached.is_reached
    lost = after((3, 0.5), (9, 1), (9, 1), first=STEPS)
    assert (lost.is_reached, lost.step) == (False, 2)


def test_one_begins_at_the_first_step_that_the_newest_take_does_not_meet(trainee: User) -> None:
    assert choose_focus(person=trainee, metric=UMS, actor=trainee).step == 1
    end_focus(area=FocusArea.objects.get(), actor=trainee)
    take_with(trainee, rate(7))
    assert choose_focus(person=trainee, metric=UMS, actor=trainee).step == 2


def test_takes_since_then_move_it_and_the_page_says_which(trainee: User, sign_in: SignIn) -> None:
    take_with(trainee, rate(9))
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    take_with(trainee, rate(6.5))
    [area] = own_plan(trainee).areas
    assert area.words == "Step 2 of 3: at most 6 per minute."
    [counted] = area.counted
    assert counted.outcome == "step 1 met"
    page = sign_in(trainee).get(reverse("practice:plan")).content.decode()
    assert "about 6.5 per minute" in page
    assert "two takes in a row do not meet it" in page


def test_what_the_newest_report_says_stands_first_and_before_one_nothing_is_said_of_it(
    trainee: User, sign_in: SignIn
) -> None:
    client, plan = sign_in(trainee), reverse("practice:plan")
    assert "your newest report" not in client.get(plan).content.decode()
    take_with(trainee, rate(9))
    assert "your newest report" in client.get(plan).content.decode()
    assert own_plan(trainee).choices[0][0] == UMS
    assert ladder_for("pace.end_rush_ratio") is None
    assert ladder_for("pitch.variation_quotient") == LADDERS["pitch.sd_semitones"]


def test_two_things_at_a_time_are_enough(trainee: User) -> None:
    one, two, three = list(LADDERS)[:3]
    choose_focus(person=trainee, metric=one, actor=trainee)
    choose_focus(person=trainee, metric=one, actor=trainee)
    choose_focus(person=trainee, metric=two, actor=trainee)
    assert FocusArea.objects.count() == 2
    with pytest.raises(ValidationError, match="two focuses"):
        choose_focus(person=trainee, metric=three, actor=trainee)
    with pytest.raises(ValidationError, match="no steps"):
        choose_focus(person=trainee, metric="pace.end_rush_ratio", actor=trainee)
    assert own_plan(trainee).choices == ()


@pytest.mark.parametrize(("value", "days"), [(None, 2), (9.5, 1), (7.5, 3)])
def test_the_next_practice_is_in_one_to_three_days(
    value: float | None, days: int, trainee: User
) -> None:
    take_with(trainee, rate(9))
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    if value is not None:
        take_with(trainee, rate(value, half=1))
    due = next_practice(trainee)
    assert due is not None
    assert due.days == days
    newest = Rehearsal.objects.latest("created_at")
    assert due.at == newest.created_at + timedelta(days=days)


def test_home_says_what_comes_next_and_nothing_without_a_plan(
    trainee: User, sign_in: SignIn
) -> None:
    client, home = sign_in(trainee), reverse("feedback:takes")
    take = take_with(trainee, rate(9))
    assert "upcoming" not in client.get(home).content.decode()
    client.post(reverse("practice:change_plan"), {"choose": UMS})
    page = client.get(home).content.decode()
    assert "Um and uh: at most 8 per minute." in page
    again = f"{reverse('practice:choose_span', args=[take.pk])}?measure={UMS}"
    assert again in page
    assert f'value="{UMS}" selected' in client.get(again).content.decode()
    Rehearsal.objects.update(created_at=timezone.now() - timedelta(days=5))
    assert "Practise today" in client.get(home).content.decode()


def away_for_three_weeks(trainee: User, cohort: Cohort) -> Rehearsal:
    """Whose newest take nobody opened, and whose plan is due."""
    take = take_with(trainee, rate(9))
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    practised_days_ago(21)
    Rehearsal.objects.update(cohort=cohort, opened_at=None)
    take.refresh_from_db()
    return take


def test_what_is_due_today_comes_before_a_draft_of_a_take_that_is_with_the_coach(
    trainee: User, cohort: Cohort, coach: User, sign_in: SignIn
) -> None:
    take = away_for_three_weeks(trainee, cohort)
    client, home = sign_in(trainee), reverse("feedback:takes")
    page = client.get(home).content.decode()
    assert f"Read your feedback on “{take.title}”." in page
    assert page.index("Read your feedback on") < page.index("Practise today")
    send_to_coach(rehearsal=take, note="")
    page = client.get(home).content.decode()
    assert page.count("Practise today") == 1
    assert "Read your feedback on" not in page
    assert page.index("Practise today") < page.index('class="talks"')
    assert ">New</" in page  # and the draft can still be read


def test_what_the_coach_says_comes_before_what_is_due_today(
    trainee: User, cohort: Cohort, coach: User, sign_in: SignIn
) -> None:
    take = away_for_three_weeks(trainee, cohort)
    send_to_coach(rehearsal=take, note="")
    notify(person=trainee, kind=Kind.QUESTION, rehearsal=take, about=take)
    page = sign_in(trainee).get(reverse("feedback:takes")).content.decode()
    lead = page.partition('<p class="lead">')[2].partition("</p>")[0]
    assert take.title in lead
    assert page.index('class="lead"') < page.index("Practise today")


def practised_days_ago(days: int) -> None:
    Rehearsal.objects.update(created_at=timezone.now() - timedelta(days=days))


def test_one_is_told_once_until_one_has_practised(trainee: User) -> None:
    take_with(trainee, rate(9))
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    assert remind_all() == 0
    practised_days_ago(5)
    assert remind_all() == 1
    assert remind_all() == 0
    [notice] = new_for(trainee)
    assert notice.kind == Kind.PRACTICE
    ExerciseDone.objects.create(user=trainee, exercise="breathe_instead")
    assert remind_all() == 0
    assert not new_for(trainee).exists()
    ExerciseDone.objects.update(at=timezone.now() - timedelta(days=4))
    assert remind_all() == 1


def test_who_was_told_and_stopped_is_not_looked_through_every_hour(trainee: User) -> None:
    take_with(trainee, rate(9))
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    practised_days_ago(5)
    assert remind_all() == 1
    with CaptureQueriesContext(connection) as captured:
        assert remind_all() == 0
    assert not any("feedback_measuredvalue" in each["sql"] for each in captured)


def test_who_muted_it_is_told_nothing(trainee: User) -> None:
    take_with(trainee, rate(9))
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    practised_days_ago(5)
    choose_mails(person=trainee, wanted=[], offered=[Kind.PRACTICE])
    assert remind_all() == 0
    assert not new_for(trainee).exists()


def test_a_coach_to_whom_a_take_was_sent_changes_a_step_and_says_why(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    area = choose_focus(person=trainee, metric=UMS, actor=trainee)
    url = reverse("practice:plan_of", args=[sent.pk])
    client = sign_in(coach)
    assert url in client.get(reverse("feedback:report", args=[sent.pk])).content.decode()
    assert "One step harder" in client.get(url).content.decode()
    client.post(url, {"area": str(area.pk), "step": "3", "why": "You can do more."})
    area.refresh_from_db()
    assert (area.step, area.set_by_name, area.why) == (3, "Bea", "You can do more.")
    entry = Entry.objects.get(action="practice.step_set")
    assert (entry.actor, entry.detail["after"]) == (coach, 3)
    page = sign_in(trainee).get(reverse("practice:plan")).content.decode()
    assert "Chosen by Bea" in page
    assert "You can do more." in page
    assert PERSONAL_DATA.erase(coach) == 1
    area.refresh_from_db()
    assert area.set_by_name == "A former coach"


def test_a_coach_sees_no_take_that_was_kept_private(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    private = take_with(trainee, rate(6.5))
    page = sign_in(coach).get(reverse("practice:plan_of", args=[sent.pk])).content.decode()
    assert str(private.pk) not in page
    assert "6.5" not in page


def test_a_take_that_was_taken_back_closes_the_plan(
    sent: Rehearsal, trainee: User, coach: User, stranger: User, sign_in: SignIn
) -> None:
    area = choose_focus(person=trainee, metric=UMS, actor=trainee)
    url = reverse("practice:plan_of", args=[sent.pk])
    withdraw_from_coach(rehearsal=sent)
    assert sign_in(coach).get(url).status_code == 404
    assert sign_in(trainee).get(url).status_code == 404
    assert Client().get(url).headers["Location"].startswith("/accounts/login/")
    act = {"area": str(area.pk), "end": "yes"}
    assert sign_in(stranger).post(reverse("practice:change_plan"), act).status_code == 404
    assert FocusArea.objects.get().ended_at is None


def test_a_coach_cannot_reach_the_plan_of_another_through_a_take(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    other = UserFactory(email="gil@example.org", name="Gil", roles=[Role.TRAINEE])
    area = choose_focus(person=other, metric=UMS, actor=other)
    url = reverse("practice:plan_of", args=[sent.pk])
    answer = sign_in(coach).post(url, {"area": str(area.pk), "step": "3"})
    assert answer.status_code == 404
    area.refresh_from_db()
    assert area.step == 1


def test_its_person_moves_a_step_and_ends_it(trainee: User, sign_in: SignIn) -> None:
    area = choose_focus(person=trainee, metric=UMS, actor=trainee)
    client, url = sign_in(trainee), reverse("practice:change_plan")
    client.post(url, {"area": str(area.pk), "step": "2"})
    area.refresh_from_db()
    assert (area.step, area.set_by_name) == (2, "")
    client.post(url, {"area": str(area.pk), "step": "9"})
    area.refresh_from_db()
    assert area.step == 2
    client.post(url, {"area": str(area.pk), "end": "yes"})
    assert plan_now(trainee).areas == ()
    with pytest.raises(ValidationError):
        set_step(area=area, step=0, actor=trainee)


def test_sending_again_lets_the_coach_in_again(
    take: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    url = reverse("practice:plan_of", args=[take.pk])
    assert sign_in(coach).get(url).status_code == 404
    send_to_coach(rehearsal=take, note="")
    assert sign_in(coach).get(url).status_code == 200


def test_every_take_since_the_focus_was_chosen_counts_however_many_there_are(
    trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparable_takes, "MOST_TAKES", 2)
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    for value in (4, 4, 4, 4.5):
        take_with(trainee, rate(value))
    [area] = own_plan(trainee).areas
    assert len(area.counted) == 4
    # By the newest two alone it would not be.
    assert plan_now(trainee).areas[0].standing.is_reached


def test_the_plan_says_whose_takes_count_where_the_newest_is_in_another_language(
    sign_in: SignIn, trainee: User
) -> None:
    choose_focus(person=trainee, metric=UMS, actor=trainee)
    take_with(trainee, rate(4))
    assert own_plan(trainee).situation == ""
    take_with(trainee, rate(9), language="fr")
    assert own_plan(trainee).situation == "In front of a camera · French"
    shown = sign_in(trainee).get(reverse("practice:plan")).content.decode()
    assert "takes like your newest one count here: In front of a camera · French." in shown

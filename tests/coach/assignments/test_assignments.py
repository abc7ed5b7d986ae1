"""Assignments: set for a group, worked on, handed in once, and seen by coaches without scores."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Membership, Purpose, Role, User
from coach.assignments.calendar_file import calendar_file
from coach.assignments.coach_pages import csv_rows
from coach.assignments.models import Assignment, AssignmentPartner, AssignmentWork
from coach.assignments.progress import WorkState
from coach.assignments.reminders import remind_all
from coach.assignments.selectors import own_progress_for
from coach.assignments.services import (
    agree_to_partner,
    ask_partner,
    change_assignment,
    extend,
    hand_in,
    set_archived,
    take_back,
    write_assignment,
)
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.lib.words.dates import read_in
from coach.notices.mailing import mail_round
from coach.notices.models import Kind, Mute, Notice
from coach.portal.personal.consents import take_back_consent
from coach.rehearsals.models import Goal
from coach.rehearsals.selectors import rehearsals_for
from coach.rehearsals.services import delete_rehearsal, withdraw_from_coach
from tests.coach.assignments.making import DUE, a_brief, a_take
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, join


@pytest.fixture
def assignment(cohort: Cohort, coach: User) -> Assignment:
    return write_assignment(cohort=cohort, brief=a_brief(), is_published=True, actor=coach)


def state_of(person: User, assignment: Assignment) -> WorkState:
    fresh = Assignment.objects.select_related("cohort").get(pk=assignment.pk)
    [progress] = own_progress_for(person, [fresh])
    return progress.state


def make_due(assignment: Assignment, hours: float) -> None:
    """Let it be due in so many hours; a negative number is in the past."""
    Assignment.objects.update(due_at=timezone.now() + timedelta(hours=hours))
    assignment.refresh_from_db()


def form_of(**more: str) -> dict[str, str]:
    return {
        "title": "Pitch your idea",
        "instructions": "",
        "due_at": "2031-12-04T18:00",
        "grace_hours": "0",
        "aim": "pitch",
        "audience": "mixed",
        "setting": "camera",
        "takes_wanted": "1",
        "most_together": "1",
        "peers_wanted": "0",
        **more,
    }


def test_a_coach_writes_a_draft_and_publishes_it_in_the_zone_of_the_group(
    cohort: Cohort, coach: User, trainee: User, sign_in: SignIn
) -> None:
    cohort.time_zone = "America/New_York"
    cohort.save()
    browser = sign_in(coach)
    browser.cookies["rostrum_zone"] = "Asia/Tokyo"
    new = reverse("review:new_assignment", args=[cohort.pk])
    assert browser.get(new).status_code == 200
    assert browser.post(new, form_of(due_at="soon")).status_code == 422
    browser.post(new, form_of())
    made = Assignment.objects.get()
    assert made.due_at == datetime(2031, 12, 4, 23, 0, tzinfo=UTC)
    own = sign_in(trainee)
    page = reverse("assignments:assignment", args=[made.pk])
    assert own.get(page).status_code == 404
    browser.post(reverse("review:edit_assignment", args=[made.pk]), form_of(publish="yes"))
    assert own.get(page).status_code == 200
    assert made.title in own.get(reverse("feedback:takes")).content.decode()


def test_an_hour_that_a_change_of_clocks_skips_is_refused(
    cohort: Cohort, coach: User, sign_in: SignIn
) -> None:
    cohort.time_zone = "Europe/Paris"
    cohort.save()
    new = reverse("review:new_assignment", args=[cohort.pk])
    skipped = form_of(due_at="2031-03-30T02:30")
    assert sign_in(coach).post(new, skipped).status_code == 422
    assert not Assignment.objects.exists()


def test_a_take_begins_with_the_plan_and_the_talk_of_the_assignment(
    trainee: User, assignment: Assignment, sign_in: SignIn
) -> None:
    browser = sign_in(trainee)
    begin = reverse("assignments:begin", args=[assignment.pk])
    answer = browser.post(begin, {"way": "upload"})
    assert browser.post(begin, {"way": "upload"}).url == answer.url  # type: ignore[attr-defined]
    form = browser.get(answer.url).context["form"]  # type: ignore[attr-defined]
    work = AssignmentWork.objects.get(person=trainee)
    assert form["talk"].value() == str(work.talk_id)
    assert [form[name].value() for name in ("aim", "audience", "setting")] == [
        "teach",
        "students",
        "stage",
    ]
    assert form["time_limit_minutes"].value() == 5
    # A talk without a take is in no list.
    assert not browser.get(reverse("feedback:takes")).context["page"].talks


def test_the_states_of_a_person_follow_what_they_do(
    trainee: User, coach: User, assignment: Assignment
) -> None:
    assert state_of(trainee, assignment) == WorkState.NOT_STARTED
    take = a_take(trainee, assignment)
    assert state_of(trainee, assignment) == WorkState.PRACTISING
    assert not rehearsals_for(coach).filter(pk=take.pk).exists()
    hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    assert state_of(trainee, assignment) == WorkState.HANDED_IN
    assert rehearsals_for(coach).filter(pk=take.pk).exists()
    make_due(assignment, -1)
    AssignmentWork.objects.update(handed_in_at=timezone.now())
    assert state_of(trainee, assignment) == WorkState.HANDED_IN_LATE
    for item in Item.objects.all():
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=take.feedback.get(), coach=coach)
    Feedback.objects.update(released_at=timezone.now() - timedelta(hours=1))
    assert state_of(trainee, assignment) == WorkState.REVIEWED


def test_a_take_handed_in_is_exchanged_only_until_the_assignment_closes(
    trainee: User, coach: User, assignment: Assignment
) -> None:
    first, second = a_take(trainee, assignment), a_take(trainee, assignment)
    hand_in(assignment=assignment, person=trainee, take_id=first.pk)
    with pytest.raises(ValidationError):
        hand_in(assignment=assignment, person=trainee, take_id=second.pk)
    take_back(assignment=assignment, person=trainee)
    assert not rehearsals_for(coach).filter(pk=first.pk).exists()
    work = hand_in(assignment=assignment, person=trainee, take_id=second.pk)
    assert (work.take, work.take_number) == (second, 2)
    make_due(assignment, -2.1)
    with pytest.raises(ValidationError):
        take_back(assignment=assignment, person=trainee)
    assert AssignmentWork.objects.get().take == second
    # A second click after the end changes nothing, and is no error.
    at = AssignmentWork.objects.get().handed_in_at
    hand_in(assignment=assignment, person=trainee, take_id=second.pk)
    assert AssignmentWork.objects.get().handed_in_at == at


def test_who_missed_it_hands_in_after_an_extension(
    trainee: User, coach: User, assignment: Assignment
) -> None:
    take = a_take(trainee, assignment)
    make_due(assignment, -2.1)
    assert state_of(trainee, assignment) == WorkState.MISSED
    with pytest.raises(ValidationError):
        hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    more = {"assignment": assignment, "person": trainee, "actor": coach}
    with pytest.raises(ValidationError):
        extend(**more, due_at=timezone.now() + DUE, reason="")
    extend(**more, due_at=timezone.now() + DUE, reason="Ill that week")
    hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    assert state_of(trainee, assignment) == WorkState.HANDED_IN


@pytest.mark.parametrize("how", ["withdrawn", "consent", "deleted"])
def test_a_take_that_is_gone_is_not_handed_in_any_more(
    how: str, trainee: User, coach: User, assignment: Assignment, sign_in: SignIn
) -> None:
    take = a_take(trainee, assignment)
    hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    if how == "withdrawn":
        withdraw_from_coach(rehearsal=take)
    elif how == "consent":
        take_back_consent(user=trainee, purpose=Purpose.COACH)
    else:
        delete_rehearsal(rehearsal=take)
    assert state_of(trainee, assignment) == WorkState.WITHDRAWN
    page = sign_in(coach).get(reverse("review:assignment", args=[assignment.pk]))
    assert not page.context["page"].rows[0].desk_url
    own = sign_in(trainee).get(reverse("assignments:assignment", args=[assignment.pk]))
    assert own.context["page"].handed_in


def test_somebody_elses_take_cannot_be_handed_in(
    trainee: User, stranger: User, assignment: Assignment, sign_in: SignIn
) -> None:
    a_take(trainee, assignment)
    theirs = RehearsalFactory(owner=stranger)
    url = reverse("assignments:hand_in", args=[assignment.pk])
    for take in (theirs.pk, uuid.uuid4(), "nothing"):
        assert sign_in(trainee).post(url, {"take": take}).status_code == 404
    assert AssignmentWork.objects.get().handed_in_at is None


def test_leaving_the_group_and_archiving_it_close_the_assignment(
    trainee: User, coach: User, cohort: Cohort, assignment: Assignment, sign_in: SignIn
) -> None:
    take = a_take(trainee, assignment)
    cohort.archived_at = timezone.now()
    cohort.save()
    with pytest.raises(ValidationError):
        hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    cohort.archived_at = None
    cohort.save()
    hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    Membership.objects.filter(user=trainee).delete()
    # What was handed in stays in both lists; nothing more can be done.
    own = sign_in(trainee).get(reverse("assignments:assignment", args=[assignment.pk]))
    assert not own.context["page"].can_work
    with pytest.raises(ValidationError):
        take_back(assignment=assignment, person=trainee)
    [row] = csv_rows(assignment)
    assert (row["state"], row["in_group"]) == ("handed_in", False)
    Membership.objects.filter(user=coach).delete()
    page = reverse("review:assignment", args=[assignment.pk])
    assert sign_in(coach).get(page).status_code == 404


def test_a_withdrawn_assignment_keeps_what_was_handed_in(
    trainee: User, coach: User, assignment: Assignment
) -> None:
    take = a_take(trainee, assignment)
    hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    set_archived(assignment=assignment, is_archived=True, actor=coach)
    assert state_of(trainee, assignment) == WorkState.HANDED_IN
    change_assignment(assignment=assignment, brief=a_brief(title="Another"), actor=coach)
    assert AssignmentWork.objects.get().take == take


def test_the_table_counts_takes_and_runs_no_formula(
    trainee: User, coach: User, assignment: Assignment, sign_in: SignIn
) -> None:
    User.objects.filter(pk=trainee.pk).update(name="=1+1")
    a_take(trainee, assignment)
    answer = sign_in(coach).get(reverse("review:assignment_table", args=[assignment.pk]))
    lines = answer.content.decode().splitlines()
    assert "'=1+1" in lines[1]
    assert "practising,1,2" in lines[1]


def test_each_is_reminded_once_unless_they_handed_in_or_do_not_want_it(
    trainee: User, stranger: User, assignment: Assignment, mailoutbox: list[Any]
) -> None:
    remind_all()
    assert not Notice.objects.exists()
    make_due(assignment, 20)
    remind_all()
    remind_all()
    notice = Notice.objects.get()
    assert (notice.person, notice.kind) == (trainee, Kind.DUE)
    Notice.objects.update(not_before=timezone.now() - timedelta(days=1))
    Mute.objects.create(person=trainee, kind=Kind.DUE)
    assert mail_round() == 0
    Mute.objects.all().delete()
    assert mail_round() == 1
    page = reverse("assignments:assignment", args=[assignment.pk])
    assert page in mailoutbox[0].body
    assert assignment.title not in mailoutbox[0].body
    hand_in(assignment=assignment, person=trainee, take_id=a_take(trainee, assignment).pk)
    notice.refresh_from_db()
    assert notice.settled_at is not None


def test_who_handed_in_gets_no_reminder(trainee: User, assignment: Assignment) -> None:
    hand_in(assignment=assignment, person=trainee, take_id=a_take(trainee, assignment).pk)
    make_due(assignment, 20)
    remind_all()
    assert not Notice.objects.filter(kind=Kind.DUE).exists()


def test_the_calendar_has_the_persons_own_due_date(
    trainee: User, coach: User, cohort: Cohort, stranger: User
) -> None:
    # The clocks change on 26 October 2031 in Paris: 18:00 is 16:00 before, and 17:00 after.
    due = datetime(2031, 10, 26, 17, 0, tzinfo=UTC)
    brief = a_brief(title="A; b, c \\ " + "é" * 60, due_at=due)
    write_assignment(cohort=cohort, brief=brief, is_published=True, actor=coach)
    with read_in("Asia/Tokyo"):
        content = calendar_file(trainee, timezone.now())
    assert b"DTSTART:20311026T170000Z\r\n" in content
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    assert "A\\; b\\, c \\\\ " in content.replace(b"\r\n ", b"").decode()
    assert b"VEVENT" not in calendar_file(stranger, timezone.now())


def set_views(assignment: Assignment, cohort: Cohort, person: User) -> list[tuple[str, str]]:
    one = [assignment.pk]
    return [
        ("get", reverse("review:new_assignment", args=[cohort.pk])),
        ("get", reverse("review:assignment", args=one)),
        ("get", reverse("review:edit_assignment", args=one)),
        ("post", reverse("review:assignment_state", args=one)),
        ("get", reverse("review:extend_assignment", args=[*one, person.pk])),
        ("get", reverse("review:assignment_table", args=one)),
    ]


def own_views(assignment: Assignment) -> list[tuple[str, str]]:
    one = [assignment.pk]
    return [
        ("get", reverse("assignments:assignment", args=one)),
        ("post", reverse("assignments:begin", args=one)),
        ("post", reverse("assignments:hand_in", args=one)),
        ("post", reverse("assignments:take_back", args=one)),
        ("post", reverse("assignments:ask_partner", args=one)),
    ]


def test_a_stranger_is_told_that_there_is_no_such_assignment(
    assignment: Assignment,
    cohort: Cohort,
    trainee: User,
    coach: User,
    stranger: User,
    administrator: User,
    sign_in: SignIn,
) -> None:
    for method, url in set_views(assignment, cohort, trainee):
        assert getattr(sign_in(stranger), method)(url).status_code == 404, url
        assert getattr(sign_in(trainee), method)(url).status_code == 404, url
        assert getattr(sign_in(coach), method)(url).status_code in {200, 302}, url
        assert getattr(sign_in(administrator), method)(url).status_code in {200, 302}, url
    for method, url in own_views(assignment):
        assert getattr(sign_in(stranger), method)(url).status_code == 404, url
    for method, url in [*set_views(assignment, cohort, trainee), *own_views(assignment)]:
        answer = getattr(Client(), method)(url)
        assert answer.headers["Location"].startswith("/accounts/login/"), url


def test_an_administrator_sets_the_time_zone_of_a_group(
    cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    browser, url = sign_in(administrator), reverse("portal:group_term", args=[cohort.pk])
    assert browser.post(url, {"term-time_zone": "Mars/Olympus"}).status_code == 422
    browser.post(url, {"term-time_zone": "America/New_York"})
    cohort.refresh_from_db()
    assert cohort.time_zone == "America/New_York"


def test_several_hand_in_one_take_once_each_has_agreed(
    trainee: User, coach: User, cohort: Cohort, stranger: User, sign_in: SignIn
) -> None:
    friend = UserFactory(email="dov@example.org", name="Dov")
    join(cohort, friend, Role.TRAINEE)
    brief = a_brief(most_together=2)
    shared = write_assignment(cohort=cohort, brief=brief, is_published=True, actor=coach)
    take = a_take(trainee, shared)
    browser, url = sign_in(trainee), reverse("assignments:ask_partner", args=[shared.pk])
    for address in (stranger.email, "nobody@example.org", friend.email, coach.email):
        browser.post(url, {"address": address})
    partner = AssignmentPartner.objects.get()
    assert partner.person == friend
    hand_in(assignment=shared, person=trainee, take_id=take.pk)
    assert state_of(friend, shared) == WorkState.NOT_STARTED
    answer = reverse("assignments:partner", args=[partner.pk])
    assert sign_in(stranger).post(answer, {"wish": "agree"}).status_code == 404
    # Nobody agrees for another.
    page = reverse("assignments:assignment", args=[shared.pk])
    assert "Dov" in browser.get(page).content.decode()
    sign_in(friend).post(answer, {"wish": "agree"})
    assert state_of(friend, shared) == WorkState.HANDED_IN
    own = a_take(friend, shared)
    with pytest.raises(ValidationError):
        hand_in(assignment=shared, person=friend, take_id=own.pk)
    rows = {row["name"]: row["together_with"] for row in csv_rows(shared)}
    assert rows == {"Ana": "Dov", "Dov": "Ana"}
    take_back(assignment=shared, person=trainee)
    assert state_of(friend, shared) == WorkState.PRACTISING
    sign_in(friend).post(answer, {"wish": "end"})
    hand_in(assignment=shared, person=friend, take_id=own.pk)
    assert state_of(friend, shared) == WorkState.HANDED_IN
    assert state_of(trainee, shared) == WorkState.PRACTISING


def test_a_brief_names_what_coaches_look_at_and_whom_to_ask_for_comments(
    trainee: User, coach: User, cohort: Cohort, sign_in: SignIn
) -> None:
    brief = a_brief(goals=["structure"], peers_wanted=1)
    assignment = write_assignment(cohort=cohort, brief=brief, is_published=True, actor=coach)
    browser, page = sign_in(trainee), reverse("assignments:assignment", args=[assignment.pk])
    before = browser.get(page).content.decode()
    assert str(Goal.STRUCTURE.label) in before
    assert "/guests/" not in before, "there is no take to comment on yet"
    take = a_take(trainee, assignment)
    assert reverse("guests:invite", args=[take.pk]) in browser.get(page).content.decode()


def test_who_leads_joins_no_other_before_they_end_it(
    trainee: User, coach: User, cohort: Cohort
) -> None:
    friend = UserFactory(email="dov@example.org", name="Dov")
    join(cohort, friend, Role.TRAINEE)
    brief = a_brief(most_together=3)
    shared = write_assignment(cohort=cohort, brief=brief, is_published=True, actor=coach)
    ask_partner(assignment=shared, person=trainee, address=friend.email)
    ask_partner(assignment=shared, person=friend, address=trainee.email)
    to_friend = AssignmentPartner.objects.get(person=friend)
    to_trainee = AssignmentPartner.objects.get(person=trainee)
    agree_to_partner(partner=to_friend)
    # Their own question is gone with their agreement, so that none waits for the other.
    assert not AssignmentPartner.objects.filter(pk=to_trainee.pk).exists()
    with pytest.raises(ValidationError):
        ask_partner(assignment=shared, person=friend, address=trainee.email)

"""Deep links, members of a course, and progress passed back without a score."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.departments import Department
from coach.accounts.models import Cohort, Role, User
from coach.assignments.models import Assignment
from coach.assignments.services import hand_in, take_back, write_assignment
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.lti.completion import report_progress
from coach.lti.models import Completion, Course, PlatformAccount
from coach.portal.departments.services import move_group, name_administrator
from coach.portal.personal.erasure import erase_person
from coach.portal.personal.own_data import own_data
from coach.webhooks import public_requests
from coach.webhooks.addresses import NotPublic
from coach.webhooks.services import WAITS
from tests.coach.assignments.making import a_brief, a_take
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join
from tests.coach.lti import platform as learning
from tests.coach.lti.platform import MEMBERSHIP


def connected(course: Course, person: User, subject: str = "u-17") -> PlatformAccount:
    return PlatformAccount.objects.create(platform=course.platform, subject=subject, person=person)


# --- deep links


def test_an_instructor_links_to_an_assignment_of_the_group_that_they_coach(
    uni: learning.Platform, course: Course, assignment: Assignment, coach: User, client: Client
) -> None:
    connected(course, coach)
    elsewhere = Cohort.objects.create(name="Elsewhere")
    join(elsewhere, coach, Role.COACH)
    for group, is_published in ((elsewhere, True), (course.cohort, False)):
        other = a_brief(title="Not here")
        assert group is not None
        write_assignment(cohort=group, brief=other, is_published=is_published, actor=coach)
    page = uni.launch(client, deep_link=True, role="Instructor")
    text = page.content.decode()
    assert "Not here" not in text
    assert f'action="{uni.url}/return"' in text
    assert f"form-action 'self' {uni.url};" in f"{page.headers['Content-Security-Policy']};"
    [token] = re.findall(r'name="JWT" value="([^"]+)"', text)
    # The platform's own code checks the signature and reads it.
    [item] = uni.config.validate_deeplinking_resp({"JWT": unescape(token)})
    assert (item["type"], item["custom"]) == (
        "ltiResourceLink",
        {"assignment": str(assignment.pk)},
    )
    assert item["url"] == f"{learning.TOOL}/lti/launch/"
    said = uni.config.tool_validate_and_decode(unescape(token))
    assert said["https://purl.imsglobal.org/spec/lti-dl/claim/data"] == learning.DATA
    assert (said["iss"], said["aud"]) == ("rostrum-1", [learning.ISSUER])
    # It opens no session.
    assert client.get(reverse("portal:privacy")).status_code == 302


def test_others_are_offered_no_assignment(
    uni: learning.Platform, course: Course, assignment: Assignment, trainee: User, coach: User
) -> None:
    def choices(**said: Any) -> Any:
        page = uni.launch(Client(), deep_link=True, role="Instructor", **said)
        assert page.status_code == 200
        return page.context.get("choices")  # type: ignore[attr-defined]

    assert not choices()  # nobody is connected
    connected(course, trainee)
    assert not choices()
    connected(course, UserFactory(roles=[Role.COACH]), "u-2")
    assert not choices(subject="u-2")
    connected(course, coach, "u-3")
    assert choices(subject="u-3")
    course.cohort = None
    course.save()
    assert not choices(subject="u-3")
    coach.is_active = False
    coach.save()
    assert not choices(subject="u-3")


@pytest.mark.parametrize("return_url", ["http://x.example/", "javascript:alert(1)", "https://", ""])
def test_a_link_goes_to_https_only(
    return_url: str, uni: learning.Platform, course: Course, coach: User, client: Client
) -> None:
    connected(course, coach)
    question = uni.question(uni.begin(client, deep_link=True))
    message = uni.message(question, deep_link=True)
    message._deep_linking_launch_data[
        "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
    ]["deep_link_return_url"] = return_url
    assert uni.post(client, message.lti_launch()).status_code == 403


# --- members


def members() -> list[dict[str, Any]]:
    return [
        {"user_id": "1", "roles": ["Learner"], "email": "one@uni.example", "name": "One\nOne"},
        {"user_id": "2", "roles": [MEMBERSHIP + "Learner"], "email": "ana@example.org"},
        {"user_id": "3", "roles": [MEMBERSHIP + "Instructor"], "email": "ines@uni.example"},
        {"user_id": "4", "roles": ["Learner"], "email": ""},
        {"user_id": "5", "roles": ["Learner"], "email": "out@uni.example", "status": "Inactive"},
    ]


def test_the_group_page_fetches_the_members_and_shows_what_would_happen(
    uni: learning.Platform, course: Course, administrator: User, trainee: User, sign_in: SignIn
) -> None:
    uni.members = members()
    course.members_url = f"{uni.url}/members"
    course.save()
    browser = sign_in(administrator)
    fetch = reverse("portal:course_members", args=[course.cohort_id, course.pk])
    assert fetch in browser.get(reverse("portal:group", args=[course.cohort_id])).content.decode()
    before = User.objects.count()
    page = browser.post(fetch)
    found = page.context["page"]
    assert [each.email for each in found.accepted] == ["one@uni.example"]
    assert [each.email for each in found.left_out] == ["ana@example.org"]  # in the group already
    assert User.objects.count() == before
    browser.post(reverse("portal:send_invitations"), found.values)
    person = User.objects.get(email="one@uni.example")
    assert (person.name, person.memberships.get().cohort) == ("One One", course.cohort)
    # A token never goes to another host.
    uni.next_page = "https://evil.example/members"
    assert browser.post(fetch).status_code == 302
    uni.fails = True
    assert browser.post(fetch).status_code == 302


def test_instructors_are_fetched_as_coaches_where_the_platform_may_say_so(
    uni: learning.Platform, course: Course, administrator: User, sign_in: SignIn
) -> None:
    uni.members = members()[2:3]
    course.members_url = f"{uni.url}/members"
    course.save()
    fetch = reverse("portal:course_members", args=[course.cohort_id, course.pk])
    browser = sign_in(administrator)
    assert browser.post(fetch).status_code == 302  # nobody is left to invite
    course.platform.makes_coaches = True
    course.platform.save()
    [line] = browser.post(fetch).context["page"].accepted
    assert line.roles == [Role.COACH]


def test_only_administrators_fetch_members_and_of_their_own_group_only(
    uni: learning.Platform, course: Course, administrator: User, coach: User, sign_in: SignIn
) -> None:
    course.members_url = f"{uni.url}/members"
    course.save()
    fetch = reverse("portal:course_members", args=[course.cohort_id, course.pk])
    assert sign_in(coach).post(fetch).status_code == 404
    assert Client().post(fetch).status_code == 302
    other = Cohort.objects.create(name="Elsewhere")
    wrong = reverse("portal:course_members", args=[other.pk, course.pk])
    assert sign_in(administrator).post(wrong).status_code == 404
    assert uni.asked == []


def test_people_who_administer_a_department_fetch_members_for_its_groups_only(
    uni: learning.Platform, course: Course, administrator: User, sign_in: SignIn
) -> None:
    uni.members = members()
    course.members_url = f"{uni.url}/members"
    course.save()
    dean = UserFactory(roles=[])
    department = Department.objects.create(name="History")
    name_administrator(department=department, person=dean, actor=administrator)
    fetch = reverse("portal:course_members", args=[course.cohort_id, course.pk])
    assert sign_in(dean).post(fetch).status_code == 404
    assert uni.asked == []
    assert course.cohort is not None
    move_group(cohort=course.cohort, department=department, actor=administrator)
    found = sign_in(dean).post(fetch).context["page"].accepted
    assert "one@uni.example" in {each.email for each in found}
    assert sign_in(dean).get(reverse("lti:platforms")).status_code == 404


# --- progress


@pytest.fixture
def row(
    uni: learning.Platform, course: Course, assignment: Assignment, trainee: User
) -> Completion:
    account = connected(course, trainee)
    uni.launch(Client(), assignment=assignment.pk)
    return account.completions.get()


def due_now() -> None:
    Completion.objects.filter(next_at__isnull=False).update(next_at=timezone.now())


def test_submitted_withdrawn_and_reviewed_are_passed_back_and_no_score(
    uni: learning.Platform,
    row: Completion,
    assignment: Assignment,
    trainee: User,
    coach: User,
) -> None:
    assert report_progress() == 0
    take = a_take(trainee, assignment)
    hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    assert (report_progress(), report_progress()) == (1, 0)
    take_back(assignment=assignment, person=trainee)
    assert report_progress() == 1
    hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    assert report_progress() == 1
    for item in Item.objects.filter(feedback__rehearsal=take):
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=take.feedback.get(), coach=coach)
    Feedback.objects.update(released_at=timezone.now() - timedelta(hours=1))
    assert (report_progress(), report_progress()) == (1, 0)
    assert [
        (number, said["activityProgress"], said["gradingProgress"]) for number, said in uni.scores
    ] == [
        ("1", "Submitted", "Pending"),
        ("1", "InProgress", "NotReady"),
        ("1", "Submitted", "Pending"),
        ("1", "Completed", "FullyGraded"),
    ]
    for _number, said in uni.scores:
        assert set(said) == {"userId", "timestamp", "activityProgress", "gradingProgress"}
        assert said["userId"] == "u-17"
    row.refresh_from_db()
    assert (row.sent, row.outcome, row.next_at) == ("reviewed", "delivered", None)


def test_a_platform_that_fails_is_tried_again_later_and_later(
    uni: learning.Platform,
    row: Completion,
    assignment: Assignment,
    trainee: User,
    administrator: User,
    sign_in: SignIn,
) -> None:
    take = a_take(trainee, assignment)
    hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    uni.fails = True
    for number, wait in enumerate(WAITS, start=1):
        before = timezone.now()
        assert report_progress() == 1
        row.refresh_from_db()
        assert (row.attempts, row.outcome, row.status) == (number, "refused", 500)
        assert row.next_at is not None
        assert row.next_at - before >= wait
        due_now()
    page = sign_in(administrator).get(reverse("lti:platform", args=[row.account.platform_id]))
    assert list(page.context["problems"]) == [row]
    assert report_progress() == 1
    row.refresh_from_db()
    assert (row.next_at, row.sent) == (None, "open")
    # The next change is passed back again.
    uni.fails = False
    take_back(assignment=assignment, person=trainee)
    assert report_progress() == 1


def test_nothing_goes_to_a_private_address_to_a_platform_that_is_off_or_after_a_year(
    uni: learning.Platform,
    row: Completion,
    assignment: Assignment,
    trainee: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    take = a_take(trainee, assignment)
    hand_in(assignment=assignment, person=trainee, take_id=take.pk)
    course = Course.objects.get()
    course.platform.is_active = False
    course.platform.save()
    assert report_progress() == 0
    course.platform.is_active = True
    course.platform.save()
    long_ago = timezone.now() - timedelta(days=400)
    Assignment.objects.update(due_at=long_ago)
    assert report_progress() == 0
    Assignment.objects.update(due_at=timezone.now())

    def private(_host: str, _port: int) -> str:
        raise NotPublic

    monkeypatch.setattr(public_requests, "resolve", private)
    uni.asked.clear()
    assert report_progress() == 1
    row.refresh_from_db()
    assert (row.outcome, uni.asked) == ("not_public", [])


# --- personal data


def test_a_person_reads_and_erases_what_is_kept(
    uni: learning.Platform, row: Completion, trainee: User
) -> None:
    [said] = own_data(trainee)["learning_platforms"]
    assert (said["identifier"], said["issuer"]) == ("u-17", learning.ISSUER)
    assert [each["state"] for each in said["passed_back"]] == ["open"]
    erase_person(user=trainee, actor=None)
    assert not PlatformAccount.objects.exists()
    assert not Completion.objects.exists()

"""Departments: their administrators see and change what is theirs, and nothing else."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from coach.accounts.departments import Department, DepartmentAdministrator
from coach.accounts.models import Cohort, Membership, Role, User
from coach.accounts.people import (
    change_address,
    join_cohort,
    leave_cohort,
    set_access,
    set_archived,
)
from coach.accounts.second_factor.required import needs_second_factor
from coach.accounts.selectors import ways_of
from coach.audit.models import Entry
from coach.notices.models import Kind, Notice
from coach.portal.departments.services import move_group, name_administrator, set_closed
from coach.portal.groups.services import make_code
from coach.portal.models import InvitationList
from coach.portal.usage.selectors import figures_by_week
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, join

PEOPLE = "/administration/people/"
OWN_PAGES = (
    "department_home",
    "people",
    "invite",
    "groups",
    "usage",
    "usage_weeks",
    "usage_groups",
    "group_log",
)
GROUP_PAGES = {
    "group": {"ends_on": timezone.localdate(), "most_uses": 3},
    "group_term": {},
    "archive_group": {},
    "next_term": {"next-name": "Next"},
}
SITE_PAGES = {
    "portal:administration": [],
    "portal:requests": [],
    "portal:decide_request": [uuid.uuid4()],
    "portal:departments": [],
    "portal:department": ["department"],
    "portal:change_department": ["department"],
    "portal:name_administrator": ["department"],
    "portal:end_administration": ["department", "person"],
    "portal:move_group": ["department"],
    "portal:emergency": [],
    "portal:emergency_of": ["person"],
    "webhooks:webhooks": [],
    "webhooks:change": [uuid.uuid4()],
}


@pytest.fixture
def history(cohort: Cohort, trainee: User, coach: User, administrator: User) -> Department:
    """The department of the group of Ana and Bea."""
    made = Department.objects.create(name="History")
    move_group(cohort=cohort, department=made, actor=administrator)
    return made


@pytest.fixture
def dean(history: Department, administrator: User) -> User:
    """Who administers it, and has no other role."""
    person = UserFactory(email="dean@example.org", name="Dean", roles=[])
    name_administrator(department=history, person=person, actor=administrator)
    return User.objects.get(pk=person.pk)


@pytest.fixture
def physics(stranger: User, administrator: User) -> Cohort:
    """Cem's group, in another department."""
    group = Cohort.objects.get(memberships__user=stranger, memberships__role=Role.COACH)
    other = Department.objects.create(name="Physics")
    move_group(cohort=group, department=other, actor=administrator)
    return group


@pytest.fixture
def client(dean: User, sign_in: SignIn) -> Client:
    return sign_in(dean)


def act(client: Client, act: str, *people: User, **said: object) -> None:
    form = {"act": act, "people": [each.pk for each in people], "confirmed": 1, **said}
    client.post(reverse("portal:act_on_people"), form)


def shown(client: Client, query: str = "") -> dict[str, tuple[str, list[str]]]:
    rows = client.get(f"{PEOPLE}?{query}").context["page"].rows
    return {row.name: (row.roles, row.groups) for row in rows}


def invite(client: Client, text: str, cohort: Cohort, role: str = "trainee") -> None:
    form = {"text": text, "cohort": cohort.pk, "role": role, "language": "en"}
    client.post(reverse("portal:send_invitations"), form)


def test_the_site_makes_a_department_and_names_its_administrators(
    administrator: User, cohort: Cohort, trainee: User, sign_in: SignIn
) -> None:
    client, person = sign_in(administrator), UserFactory(roles=[])
    client.post(reverse("portal:departments"), {"name": "History"})
    assert client.post(reverse("portal:departments"), {"name": "history"}).status_code == 422
    key = [Department.objects.get().pk]
    naming = reverse("portal:name_administrator", args=key)
    assert client.post(naming, {"person": administrator.email}).status_code == 422
    client.post(naming, {"person": person.email})
    client.post(reverse("portal:move_group", args=key), {"cohort": cohort.pk})
    assert list(shown(sign_in(person))) == [trainee.name]
    notice = Notice.objects.get(person=person, kind=Kind.DEPARTMENT)
    page = sign_in(person).get(reverse("notices:list")).content.decode()
    assert reverse("portal:department_home") in page
    client.post(reverse("portal:change_department", args=key), {"name": "Modern history"})
    client.post(reverse("portal:move_group", args=key), {"out": cohort.pk})
    assert shown(sign_in(person)) == {}
    client.post(reverse("portal:end_administration", args=[*key, person.pk]))
    assert sign_in(person).get(PEOPLE).status_code == 404
    notice.refresh_from_db()
    assert notice.settled_at is not None
    said = set(Entry.objects.filter(actor=administrator).values_list("action", flat=True))
    assert said == {
        f"accounts.{each}"
        for each in (
            *("department_added", "department_changed", "cohort_moved"),
            *("department_administrator_named", "department_administrator_removed"),
        )
    }


def test_naming_asks_for_the_password(
    administrator: User, history: Department, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    session = client.session
    session["account_authentication_methods"] = []
    session.save()
    url = reverse("portal:name_administrator", args=[history.pk])
    assert "reauthenticate" in client.post(url, {"person": "ana@example.org"}).url
    assert not DepartmentAdministrator.objects.exists()


def test_own_pages_show_the_department_alone(
    client: Client,
    cohort: Cohort,
    physics: Cohort,
    stranger: User,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for name in OWN_PAGES:
        with django_assert_max_num_queries(25):
            page = client.get(reverse(f"portal:{name}"))
        assert page.status_code == 200, name
        said = page.content.decode()
        assert physics.name not in said, name
        assert stranger.name not in said, name
        assert "/admin/" not in said, name
    assert client.get("/").url == reverse("portal:department_home")
    assert list(shown(client)) == ["Ana", "Bea"]
    assert list(shown(client, "role=coach")) == ["Bea"]
    assert list(shown(client, f"group={physics.pk}")) == ["Ana", "Bea"]
    assert shown(client, "q=cem") == {}
    assert reverse("portal:group", args=[cohort.pk]) in (
        client.get(reverse("portal:groups")).content.decode()
    )


def test_a_group_opens_to_its_own_administrators(
    client: Client, cohort: Cohort, physics: Cohort, coach: User, sign_in: SignIn
) -> None:
    unassigned = Cohort.objects.create(name="Of no department")
    for name, form in GROUP_PAGES.items():
        url = reverse(f"portal:{name}", args=[cohort.pk])
        assert sign_in(coach).post(url, form).status_code == 404, name
        assert client.post(url, form).status_code == 302, name
        for other in (physics, unassigned):
            url = reverse(f"portal:{name}", args=[other.pk])
            answers = {client.get(url).status_code, client.post(url, form).status_code}
            assert answers <= {404, 405}, name


def test_a_group_begins_in_the_department_of_the_page_that_led_there(
    client: Client, history: Department, physics: Cohort
) -> None:
    url = reverse("portal:add_group")
    for asked, chosen in ((history.pk, history), (physics.department_id, None), ("x", None)):
        form = client.get(url, {"department": asked}).context["form"]
        assert form["department"].initial == chosen
        assert "Physics" not in str(form["department"])


def test_codes_and_lists_of_others_cannot_be_ended(
    client: Client, cohort: Cohort, physics: Cohort, administrator: User
) -> None:
    later = timezone.now() + timedelta(days=1)
    own, other = (
        make_code(cohort=each, ends_at=later, most_uses=2, actor=administrator)
        for each in (cohort, physics)
    )
    assert client.post(reverse("portal:end_code", args=[own.pk])).status_code == 302
    assert client.post(reverse("portal:end_code", args=[other.pk])).status_code == 404
    made = InvitationList.objects.create(made_by=administrator)
    assert client.post(reverse("portal:undo_invitations", args=[made.pk])).status_code == 404


def test_pages_of_the_site_do_not_exist_for_them(
    client: Client, history: Department, trainee: User, settings: Any
) -> None:
    settings.EMERGENCY_ACCESS = True
    keys = {"department": history.pk, "person": trainee.pk}
    for name, needs in SITE_PAGES.items():
        url = reverse(name, args=[keys.get(str(each), each) for each in needs])
        answers = {client.get(url).status_code, client.post(url).status_code}
        assert 404 in answers, name
        assert answers <= {404, 405}, name
    for url in ("/admin/", f"/admin/accounts/user/{trainee.pk}/change/", "/admin/audit/entry/"):
        assert client.get(url).status_code in {302, 404}, url


def test_a_person_in_two_departments_keeps_the_account_and_the_other_group(
    client: Client, cohort: Cohort, physics: Cohort, stranger: User, trainee: User
) -> None:
    act(client, "join", stranger, cohort=cohort.pk)
    assert "Cem" not in shown(client)
    join(cohort, stranger, Role.TRAINEE)
    assert shown(client)["Cem"] == ("Trainee", [cohort.name])
    act(client, "close", stranger, trainee)
    opened = User.objects.filter(pk__in=[stranger.pk, trainee.pk], is_active=True)
    assert list(opened) == [stranger]
    act(client, "open", trainee)
    assert User.objects.get(pk=trainee.pk).is_active
    act(client, "leave", stranger, cohort=physics.pk)
    act(client, "leave", stranger, cohort=cohort.pk)
    assert set(stranger.memberships.values_list("cohort", flat=True)) == {physics.pk}
    assert "Cem" not in shown(client)


def test_an_account_with_a_role_on_the_site_stays_open(
    client: Client, dean: User, cohort: Cohort
) -> None:
    people = [
        UserFactory(roles=roles, is_staff="administrator" in roles)
        for roles in (["curator", "trainee"], ["researcher"], ["administrator"])
    ]
    for person in (*people, dean):
        join(cohort, person, Role.TRAINEE)
    act(client, "close", *people, dean)
    assert not User.objects.filter(is_active=False).exists()
    acts = client.get(PEOPLE).context["page"].act.fields["act"].choices
    assert "reset" not in dict(acts)


def test_a_list_invites_trainees_and_coaches_into_own_groups(
    client: Client, dean: User, cohort: Cohort, physics: Cohort, stranger: User
) -> None:
    lines = [f"p{n}@uni.example, P {n}" for n in range(10)]
    text = "\n".join(
        [
            *lines,
            "rui@uni.example, Rui, researcher",
            f"kim@uni.example, Kim, trainee, {physics.name}",
            f"{stranger.email}, Somebody",
        ]
    )
    form = {"text": text, "cohort": cohort.pk, "role": "trainee", "language": "en"}
    checked = client.post(reverse("portal:invite"), form)
    page = checked.context["page"]
    assert [each.problems[0].code for each in page.left_out] == ["department", "group"]
    assert stranger.name not in [each.name for each in page.accepted]
    invite(client, text, cohort)
    assert Membership.objects.filter(cohort=cohort, role=Role.TRAINEE).count() == 12
    assert Membership.objects.filter(cohort=physics).exclude(user=stranger).count() == 0
    assert not User.objects.filter(email__in=["rui@uni.example", "kim@uni.example"]).exists()
    for refused in ({"cohort": ""}, {"cohort": physics.pk}, {"role": "curator"}):
        assert client.post(reverse("portal:send_invitations"), form | refused).status_code == 422
    join_cohort(
        person=User.objects.get(email="p0@uni.example"), cohort=physics, role="trainee", actor=None
    )
    client.post(reverse("portal:undo_invitations", args=[InvitationList.objects.get().pk]))
    left = User.objects.filter(email__endswith="@uni.example").values_list("email", flat=True)
    assert list(left) == ["p0@uni.example"]
    assert Entry.objects.filter(action="accounts.joined", actor=dean).count() == 11


def test_they_make_no_administrator_a_coach_of_their_group(
    client: Client, dean: User, cohort: Cohort, history: Department, administrator: User
) -> None:
    second = UserFactory(email="vice@example.org", roles=[])
    name_administrator(department=history, person=second, actor=administrator)
    for person in (dean, second, administrator):
        join(cohort, person, Role.TRAINEE)
    act(client, "join_as_coach", dean, second, administrator, cohort=cohort.pk)
    invite(client, f"{dean.email}\n{second.email}\n{administrator.email}", cohort, "coach")
    coaches = Membership.objects.filter(role=Role.COACH)
    assert not coaches.filter(user__in=[dean, second, administrator]).exists()
    join_cohort(person=dean, cohort=cohort, role=Role.COACH, actor=administrator)
    assert ways_of(User.objects.get(pk=dean.pk)) == {f"cohort:{cohort.pk}"}
    client.post(reverse("portal:next_term", args=[cohort.pk]), {"next-name": "Next"})
    following = Cohort.objects.get(name="Next")
    assert following.department == history
    assert list(coaches.filter(cohort=following).values_list("user__name", flat=True)) == ["Bea"]


def test_a_closed_department_gives_nothing_until_it_is_open_again(
    client: Client, history: Department, administrator: User, dean: User
) -> None:
    set_closed(department=history, is_closed=True, actor=administrator)
    assert {client.get(reverse(f"portal:{name}")).status_code for name in OWN_PAGES} == {404}
    # The mark on the person decides about the menu only.
    User.objects.filter(pk=dean.pk).update(administers_departments=True)
    assert shown(client) == {}
    set_closed(department=history, is_closed=False, actor=administrator)
    assert list(shown(client)) == ["Ana", "Bea"]


def test_administrators_of_departments_need_the_second_factor_of_administrators(
    dean: User, coach: User, settings: Any
) -> None:
    settings.SECOND_FACTOR_ROLES = frozenset({Role.ADMINISTRATOR})
    assert needs_second_factor(dean)
    assert not needs_second_factor(coach)


def test_the_log_tells_what_was_done_to_own_groups_and_people(
    client: Client, dean: User, cohort: Cohort, physics: Cohort, stranger: User, trainee: User
) -> None:
    namesake = Cohort.objects.create(name="Seminar", department=physics.department)
    own = Cohort.objects.create(name="Seminar", department=cohort.department)
    for group in (cohort, physics, namesake, own):
        join_cohort(person=stranger, cohort=group, role=Role.TRAINEE, actor=dean)
    change_address(person=trainee, address="ana@new.example", actor=dean)
    set_access(person=trainee, may_sign_in=False, actor=dean)
    set_access(person=stranger, may_sign_in=False, actor=dean)
    set_archived(cohort=physics, is_archived=True, actor=dean)
    set_archived(cohort=cohort, is_archived=True, actor=dean)
    member = cohort.memberships.get(user=stranger)
    leave_cohort(membership=member, actor=dean)
    rows = client.get(reverse("portal:group_log")).context["page"].rows
    assert [(row.act, row.about) for row in rows] == [
        ("Removed a person from a group", stranger.name),
        ("Archived a group", cohort.name),
        ("Changed whether a person can sign in", trainee.name),
        ("Added a person to a group", stranger.name),
    ]
    assert {row.who for row in rows} == {dean.name}
    assert cohort.name in rows[0].said


def test_usage_counts_the_takes_of_own_groups(
    client: Client, dean: User, cohort: Cohort, physics: Cohort, stranger: User, trainee: User
) -> None:
    RehearsalFactory(owner=trainee, cohort=cohort)
    RehearsalFactory(owner=stranger, cohort=physics)
    RehearsalFactory(owner=trainee, cohort=None)
    assert client.get(reverse("portal:usage")).context["page"].weeks[0].takes == 1
    assert figures_by_week()[0].takes == 3


def test_a_group_is_added_in_ones_own_department_only(
    client: Client, history: Department, physics: Cohort
) -> None:
    url = reverse("portal:add_group")
    said = {"name": "Rhetoric", "policy": "ai_first"}
    for department in ("", physics.department_id):
        assert client.post(url, {**said, "department": department}).status_code == 422
    client.post(url, {**said, "department": history.pk, "keep_media_days": 1})
    made = Cohort.objects.get(name="Rhetoric")
    assert made.department == history
    assert made.keep_media_days == Cohort().keep_media_days, "for administrators of the site"
    change = reverse("portal:change_group", args=[made.pk])
    client.post(change, {**said, "name": "Rhetoric 2", "department": history.pk})
    made.refresh_from_db()
    assert made.name == "Rhetoric 2"
    elsewhere = reverse("portal:change_group", args=[physics.pk])
    assert client.get(elsewhere).status_code == client.post(elsewhere, said).status_code == 404


def test_a_group_of_the_site_needs_no_department(sign_in: SignIn, administrator: User) -> None:
    browser, url = sign_in(administrator), reverse("portal:add_group")
    assert "department" not in browser.get(url).context["form"].fields
    wrong = {"name": "Logic", "policy": "coach_first", "keep_media_days": 30}
    assert browser.post(url, wrong).status_code == 422, "coaches promise a time"
    browser.post(url, {**wrong, "reply_hours": 48})
    made = Cohort.objects.get(name="Logic")
    assert (made.department, made.keep_media_days) == (None, 30)
    assert Entry.objects.filter(action="accounts.cohort_added").exists()


def test_only_who_manages_people_adds_groups(sign_in: SignIn, coach: User, trainee: User) -> None:
    for person in (coach, trainee):
        assert sign_in(person).get(reverse("portal:add_group")).status_code in {403, 404}
    assert Client().get(reverse("portal:add_group")).status_code == 302

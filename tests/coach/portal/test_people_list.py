"""The list of people: filters, pages, and acts on several people at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from coach.accounts.models import Cohort, Membership, Role, User
from coach.audit.models import Entry
from coach.portal.models import Invitation
from coach.portal.people.mailing import invitation_round
from tests.coach.conftest import SignIn

PEOPLE = "/administration/people/"
MOST_QUERIES = 25


@pytest.fixture
def client(administrator: User, sign_in: SignIn) -> Client:
    return sign_in(administrator)


@pytest.fixture
def invited(db: None) -> User:
    return User.objects.create_user("zoe@uni.example", name="Zoé", roles=[Role.TRAINEE])


def shown(client: Client, query: str = "") -> list[str]:
    return [row.name for row in client.get(f"{PEOPLE}?{query}").context["page"].rows]


def act(client: Client, act: str, *people: User, **said: Any) -> Any:
    form = {"act": act, "people": [each.pk for each in people], **said}
    return client.post(reverse("portal:act_on_people"), form)


def test_people_are_found_by_words_role_group_and_state(
    client: Client, trainee: User, coach: User, invited: User, cohort: Cohort
) -> None:
    User.objects.filter(pk=coach.pk).update(is_active=False)
    assert shown(client) == sorted(shown(client), key=str.lower)
    assert shown(client, "q=zo+uni.EXAMPLE") == [invited.name]
    assert shown(client, "role=coach") == [coach.name]
    assert shown(client, f"group={cohort.pk}&state=active") == [trainee.name]
    assert shown(client, "state=invited") == [invited.name]
    assert shown(client, "state=closed") == [coach.name]
    assert shown(client, "role=wizard&group=x%00&state=y&page=z") == shown(client)


def test_a_page_of_many_people_makes_few_queries(
    client: Client, cohort: Cohort, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    people = User.objects.bulk_create(
        User(email=f"p{n:03}@uni.example", name=f"P {n:03}", roles=["trainee"]) for n in range(120)
    )
    Membership.objects.bulk_create(
        Membership(user=each, cohort=cohort, role=Role.TRAINEE) for each in people
    )
    with django_assert_max_num_queries(MOST_QUERIES):
        page = client.get(f"{PEOPLE}?q=uni.example&page=2").context["page"]
    assert [row.name for row in page.rows][::49] == ["P 050", "P 099"]
    assert page.rows[0].groups == [cohort.name]


def test_people_join_and_leave_a_group(
    client: Client, invited: User, stranger: User, administrator: User
) -> None:
    group = Cohort.objects.create(name="Spring")
    assert act(client, "join", invited, stranger, query="role=trainee").url.endswith("role=trainee")
    assert not Membership.objects.filter(cohort=group).exists()
    act(client, "join", invited, stranger, cohort=group.pk)
    act(client, "join_as_coach", stranger, administrator, cohort=group.pk)
    members = Membership.objects.filter(cohort=group).values_list("user__email", "role")
    assert sorted(members) == sorted(
        [(invited.email, "trainee"), (stranger.email, "trainee"), (stranger.email, "coach")]
    )
    joined = Entry.objects.filter(action="accounts.joined", actor=administrator)
    assert joined.count() == 3
    act(client, "leave", invited, stranger, cohort=group.pk)
    assert not Membership.objects.filter(cohort=group).exists()
    assert Entry.objects.filter(action="accounts.left", actor=administrator).count() == 3


def test_accounts_are_closed_after_a_question_and_opened(
    client: Client, trainee: User, administrator: User
) -> None:
    assert b"confirmed" in act(client, "close", trainee).content
    assert User.objects.get(pk=trainee.pk).is_active
    act(client, "close", trainee, administrator, confirmed=1)
    assert not User.objects.get(pk=trainee.pk).is_active
    assert User.objects.get(pk=administrator.pk).is_active
    act(client, "open", trainee)
    assert User.objects.get(pk=trainee.pk).is_active
    changed = Entry.objects.filter(action="accounts.access_changed", actor=administrator)
    assert changed.count() == 2


def test_an_administrator_who_coaches_is_not_opened_without_a_reason(
    client: Client, cohort: Cohort
) -> None:
    other = User.objects.create_user(
        "other@uni.example", name="O", is_staff=True, roles=["administrator", "coach"],
        is_active=False,
    )  # fmt: skip
    Membership.objects.create(user=other, cohort=cohort, role=Role.COACH)
    act(client, "open", other)
    assert not User.objects.get(pk=other.pk).is_active


def test_invitations_are_sent_again_and_withdrawn(
    client: Client, invited: User, trainee: User
) -> None:
    act(client, "resend", invited, trainee)
    assert [each.person for each in Invitation.objects.all()] == [invited]
    invitation_round()
    act(client, "resend", invited)
    invitation_round()
    assert [each.to for each in mail.outbox] == [[invited.email]] * 2
    act(client, "withdraw", invited, trainee, confirmed=1)
    assert not User.objects.filter(pk=invited.pk).exists()
    assert User.objects.filter(pk=trainee.pk).exists()


def test_a_coach_sees_no_people_and_acts_on_none(
    coach: User, trainee: User, sign_in: SignIn
) -> None:
    stranger = sign_in(coach)
    assert stranger.get(PEOPLE).status_code == 404
    assert act(stranger, "close", trainee, confirmed=1).status_code == 404
    assert User.objects.get(pk=trainee.pk).is_active

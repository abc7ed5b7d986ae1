"""Changes of roles and groups ask for the password; recordings that they open are told of."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from coach.accounts.models import Cohort, Membership, Purpose, Role, User
from coach.accounts.services import give_consent
from coach.audit.models import Entry
from coach.notices.models import Kind, Notice
from coach.rehearsals.models import Rehearsal
from tests.coach.administration import members, person_form
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD, UserFactory, join

WHY = "Bea is ill, and her trainees wait."


@pytest.fixture
def client(administrator: User, sign_in: SignIn) -> Client:
    return sign_in(administrator)


def url_of(thing: User | Cohort) -> str:
    kind = "user" if isinstance(thing, User) else "cohort"
    return reverse(f"admin:accounts_{kind}_change", args=[thing.pk])


def root(administrator: User, **said: Any) -> dict[str, Any]:
    """The form of the administrator's own page."""
    return person_form(email=administrator.email, name="Root", send_link="", **said)


def entries() -> list[Entry]:
    return list(Entry.objects.filter(action="accounts.recordings_opened"))


@pytest.mark.parametrize("what", ["person", "cohort", "new person", "ticked cohorts"])
def test_roles_and_groups_change_after_the_password_only(
    what: str, trainee: User, cohort: Cohort, client: Client
) -> None:
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time() - 660}]
    session.save()
    new = person_form(email="new@example.org", name="New", roles=["coach"], send_link="")
    url, form = {
        "person": (url_of(trainee), person_form(email=trainee.email, name="X", roles=["coach"])),
        "cohort": (url_of(cohort), members(cohort, {"user": trainee.email, "role": "coach"})),
        "new person": (reverse("admin:accounts_user_add"), new),
        "ticked cohorts": (
            reverse("admin:accounts_cohort_changelist"),
            {"action": "delete_selected", "_selected_action": cohort.pk, "post": "yes"},
        ),
    }[what]
    before = [*User.objects.values("email", "roles"), *Membership.objects.values("user", "role")]
    ask = client.post(url, form).headers["Location"]
    assert ask.startswith("/accounts/reauthenticate/")
    page = client.get(ask).content.decode()
    assert "Nothing has been deleted or changed yet" in page
    now = [*User.objects.values("email", "roles"), *Membership.objects.values("user", "role")]
    assert now == before
    client.post(ask, {"password": PASSWORD, "next": url})
    assert [
        *User.objects.values("email", "roles"),
        *Membership.objects.values("user", "role"),
    ] != before


def test_an_administrator_becomes_a_coach_for_a_reason_which_owners_read(
    sent: Rehearsal, cohort: Cohort, administrator: User, client: Client, sign_in: SignIn
) -> None:
    form = root(administrator, roles=["administrator", "coach"], coach_in=[cohort.pk])
    page = client.post(url_of(administrator), form).content.decode()
    assert "This lets an administrator open recordings." in page
    assert client.get(reverse("review:desk", args=[sent.pk])).status_code == 404
    assert not entries()
    client.post(url_of(administrator), form | {"reason": WHY})
    assert client.get(reverse("review:desk", args=[sent.pk])).status_code == 200
    [entry] = entries()
    assert entry.actor == administrator
    assert entry.detail == {"reason": WHY, "takes": 1}
    notice = Notice.objects.get(kind=Kind.ACCESS)
    assert notice.person == sent.owner
    news = sign_in(sent.owner).get(reverse("notices:list")).content.decode()
    assert f"Root, an administrator of this site, can open your recordings. Reason: {WHY}" in news
    # Saved again, nothing opens: no reason is needed, and nobody is told twice.
    assert client.post(url_of(administrator), form).status_code == 302
    assert len(entries()) == Notice.objects.filter(kind=Kind.ACCESS).count() == 1


def test_the_page_of_a_cohort_asks_for_the_reason_too(
    sent: Rehearsal, cohort: Cohort, administrator: User, client: Client
) -> None:
    row = {"user": administrator.email, "role": "coach"}
    page = client.post(url_of(cohort), members(cohort, row)).content.decode()
    assert "This lets an administrator open recordings." in page
    assert not cohort.memberships.filter(user=administrator).exists()
    client.post(url_of(cohort), members(cohort, row, reason=WHY))
    assert cohort.memberships.filter(user=administrator).exists()
    assert [entry.detail["reason"] for entry in entries()] == [WHY]
    assert Notice.objects.get(kind=Kind.ACCESS).person == sent.owner


def test_another_administrator_a_coach_who_becomes_one_and_a_closed_account_are_no_way_round(
    sent: Rehearsal, cohort: Cohort, coach: User, client: Client
) -> None:
    promoted = person_form(
        email=coach.email,
        name="Bea",
        roles=["coach", "administrator"],
        coach_in=[cohort.pk],
        send_link="",
    )
    assert "This lets an administrator" in client.post(url_of(coach), promoted).content.decode()
    closed = UserFactory(roles=[Role.COACH, Role.ADMINISTRATOR], is_active=False, is_staff=True)
    join(cohort, closed, Role.COACH)
    opened = person_form(
        email=closed.email,
        name=closed.name,
        roles=["coach", "administrator"],
        coach_in=[cohort.pk],
        send_link="",
    )
    assert "This lets an administrator" in client.post(url_of(closed), opened).content.decode()
    client.post(url_of(closed), opened | {"reason": WHY})
    assert [entry.object_id for entry in entries()] == [str(closed.pk)]
    assert Notice.objects.get(kind=Kind.ACCESS).person == sent.owner


def test_an_administrator_who_becomes_a_researcher_is_told_of_to_those_who_agreed(
    take: Rehearsal, administrator: User, client: Client
) -> None:
    form = root(administrator, roles=["administrator", "researcher"])
    assert "This lets an administrator" in client.post(url_of(administrator), form).content.decode()
    give_consent(user=take.owner, purpose=Purpose.RESEARCH_AUDIO)
    client.post(url_of(administrator), form | {"reason": WHY})
    assert [entry.detail for entry in entries()] == [{"reason": WHY, "takes": 1}]
    assert Notice.objects.get(kind=Kind.ACCESS).person == take.owner


def test_a_coach_who_is_no_administrator_needs_no_reason(
    sent: Rehearsal, cohort: Cohort, client: Client
) -> None:
    person = UserFactory(roles=[])
    form = person_form(
        email=person.email, name="Gil", roles=["coach"], coach_in=[cohort.pk], send_link=""
    )
    assert client.post(url_of(person), form).status_code == 302
    assert not entries()
    assert not Notice.objects.filter(kind=Kind.ACCESS).exists()


@pytest.mark.parametrize("page", ["person", "cohort"])
def test_where_a_site_asks_for_it_nobody_opens_recordings_to_themselves(
    page: str,
    sent: Rehearsal,
    cohort: Cohort,
    administrator: User,
    client: Client,
    sign_in: SignIn,
    settings: Settings,
) -> None:
    settings.SECOND_ADMINISTRATOR = True
    row = {"user": administrator.email, "role": "coach"}
    url, form = {
        "person": (url_of(administrator), root(administrator, coach_in=[cohort.pk], reason=WHY)),
        "cohort": (url_of(cohort), members(cohort, row, reason=WHY)),
    }[page]
    assert client.post(url, form).status_code == 200
    assert not cohort.memberships.filter(user=administrator).exists()
    second = UserFactory(roles=[Role.ADMINISTRATOR], is_staff=True, is_superuser=True)
    assert sign_in(second).post(url, form).status_code == 302
    assert cohort.memberships.filter(user=administrator).exists()

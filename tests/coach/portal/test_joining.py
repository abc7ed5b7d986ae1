"""Ways to an account besides an invitation: what a stranger sees, what an administrator does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from coach.accounts.models import Cohort, Membership, Role, User
from coach.audit.models import Entry
from coach.portal.joining.services import MOST_WAITING, delete_expired_requests
from coach.portal.models import AccessRequest
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.django_db

JOIN = "/accounts/signup/"


@pytest.fixture(autouse=True)
def counters_begin_at_nothing() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def on_commit(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> DjangoCaptureOnCommitCallbacks:
    return django_capture_on_commit_callbacks


@pytest.fixture
def by_request(settings: Settings) -> None:
    settings.ACCESS = frozenset({"request"})


@pytest.fixture
def by_domain(settings: Settings) -> None:
    settings.ACCESS = frozenset({"domain"})
    settings.ACCESS_DOMAINS = ["uni.example"]


def ask(address: str, on_commit: DjangoCaptureOnCommitCallbacks, **said: str) -> tuple[int, str]:
    """The page's answer, without the address that it repeats."""
    with on_commit(execute=True):
        response = Client().post(JOIN, {"name": "Noor", "email": address, **said})
    return response.status_code, response.text.replace(address.lower(), "")


def test_by_default_a_site_takes_neither(client: Client) -> None:
    page = client.post(JOIN, {"name": "Noor", "email": "noor@uni.example"})
    assert page.status_code == 200
    assert not AccessRequest.objects.exists()
    assert JOIN not in client.get(reverse("account_login")).text


@pytest.mark.usefixtures("by_request")
def test_a_request_looks_the_same_whether_or_not_there_is_an_account(
    trainee: User, on_commit: DjangoCaptureOnCommitCallbacks
) -> None:
    known = ask(trainee.email.upper(), on_commit)
    new = ask("noor@home.example", on_commit, reason="My defence in May.")
    assert known[0] == 200
    assert _without_token(known[1]) == _without_token(new[1])
    assert [each.email for each in AccessRequest.objects.all()] == ["noor@home.example"]
    assert [each.to for each in mail.outbox] == [[trainee.email]]


def _without_token(page: str) -> str:
    return re.sub(r"\w{64}", "", page)


@pytest.mark.usefixtures("by_request")
def test_an_administrator_approves_into_a_group(
    administrator: User,
    cohort: Cohort,
    sign_in: SignIn,
    on_commit: DjangoCaptureOnCommitCallbacks,
) -> None:
    ask("noor@home.example", on_commit, reason="My defence in May.")
    assert [each.to for each in mail.outbox] == [[administrator.email]]
    assert "noor" not in mail.outbox[0].body.casefold()
    client, asked = sign_in(administrator), AccessRequest.objects.get()
    page = client.get(reverse("portal:requests")).text
    assert "My defence in May." in page
    decide = reverse("portal:decide_request", args=[asked.pk])
    with on_commit(execute=True):
        client.post(decide, {"wish": "approve", "cohort": cohort.pk})
    person = User.objects.get(email="noor@home.example")
    assert Membership.objects.get(user=person, cohort=cohort).role == Role.TRAINEE
    assert not person.has_usable_password()
    assert mail.outbox[-1].to == [person.email]
    assert not AccessRequest.objects.exists()
    assert Entry.objects.get(action="accounts.access_approved").actor == administrator
    assert client.post(decide, {"wish": "approve"}).status_code == 404


@pytest.mark.usefixtures("by_request")
def test_a_declined_request_is_deleted_and_answered(
    administrator: User, sign_in: SignIn, on_commit: DjangoCaptureOnCommitCallbacks
) -> None:
    ask("noor@home.example", on_commit)
    decide = reverse("portal:decide_request", args=[AccessRequest.objects.get().pk])
    with on_commit(execute=True):
        sign_in(administrator).post(decide, {"wish": "decline"})
    assert mail.outbox[-1].to == ["noor@home.example"]
    assert not AccessRequest.objects.exists()
    assert not User.objects.filter(email="noor@home.example").exists()


@pytest.mark.usefixtures("by_request")
def test_only_administrators_read_requests(
    coach: User, sign_in: SignIn, on_commit: DjangoCaptureOnCommitCallbacks
) -> None:
    ask("noor@home.example", on_commit)
    decide = reverse("portal:decide_request", args=[AccessRequest.objects.get().pk])
    assert sign_in(coach).get(reverse("portal:requests")).status_code == 404
    assert sign_in(coach).post(decide, {"wish": "approve"}).status_code == 404
    assert AccessRequest.objects.exists()


@pytest.mark.usefixtures("by_domain")
def test_an_address_of_the_domain_is_confirmed_before_there_is_an_account(
    client: Client, on_commit: DjangoCaptureOnCommitCallbacks
) -> None:
    ask("Noor@Uni.example", on_commit)
    assert not User.objects.exists()
    found = re.search(r"/accounts/signup/\S+", mail.outbox[-1].body)
    assert found is not None
    link = found.group()
    assert client.get(link).status_code == 200
    assert not User.objects.exists()  # a program that checks emails opens every link
    onward = client.post(link).headers["Location"]
    person = User.objects.get(email="noor@uni.example")
    assert person.roles == [Role.TRAINEE]
    form = client.get(onward, follow=True).redirect_chain[-1][0]
    chosen = "a-phrase-of-my-own"
    client.post(form, {"password1": chosen, "password2": chosen})
    assert client.get("/", follow=True).redirect_chain[0][0] == reverse("portal:welcome")
    assert Client().get(link).status_code == 404  # it works once
    assert Client().get(f"{link[:-2]}x/").status_code == 404


@pytest.mark.usefixtures("by_domain")
@pytest.mark.parametrize(
    "address", ["noor@uni.example.org", "noor@sub.uni.example", "noor@elsewhere.example", "noor"]
)
def test_other_domains_are_refused(address: str, on_commit: DjangoCaptureOnCommitCallbacks) -> None:
    assert ask(address, on_commit)[0] == 422
    assert not AccessRequest.objects.exists()
    assert not mail.outbox


@pytest.mark.usefixtures("by_domain")
def test_a_person_of_the_domain_with_an_account_gets_an_email_that_says_so(
    trainee: User, on_commit: DjangoCaptureOnCommitCallbacks
) -> None:
    User.objects.filter(pk=trainee.pk).update(email="ana@uni.example")
    known, new = ask("ana@uni.example", on_commit), ask("noor@uni.example", on_commit)
    assert _without_token(known[1]) == _without_token(new[1])
    assert "/accounts/signup/" not in mail.outbox[0].body


def test_both_ways_can_be_combined(
    settings: Settings, on_commit: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.ACCESS = frozenset({"request", "domain"})
    settings.ACCESS_DOMAINS = ["uni.example"]
    ask("noor@uni.example", on_commit)
    ask("noor@home.example", on_commit)
    waits = dict(AccessRequest.objects.values_list("email", "needs_approval"))
    assert waits == {"noor@uni.example": False, "noor@home.example": True}


@pytest.mark.usefixtures("by_request")
def test_requests_are_limited_by_address_and_in_all(
    on_commit: DjangoCaptureOnCommitCallbacks,
) -> None:
    codes = [ask("noor@home.example", on_commit)[0] for _each in range(4)]
    assert codes == [200, 200, 200, 422]
    AccessRequest.objects.bulk_create(
        AccessRequest(email=f"{n}@home.example", name="N") for n in range(MOST_WAITING)
    )
    assert ask("late@home.example", on_commit)[0] == 422


@pytest.mark.usefixtures("by_request")
def test_an_unanswered_request_is_deleted_in_time() -> None:
    now = timezone.now()
    for address, days, needs in (
        ("old@home.example", 31, True),
        ("waits@home.example", 29, True),
        ("unconfirmed@uni.example", 4, False),
    ):
        AccessRequest.objects.create(
            email=address, name="N", asked_at=now - timedelta(days=days), needs_approval=needs
        )
    assert delete_expired_requests() == 2
    assert AccessRequest.objects.get().email == "waits@home.example"

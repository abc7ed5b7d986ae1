"""Codes of groups: made and ended by administrators, used by people who have no account yet."""

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

from coach.accounts.models import Cohort, Membership, Role, User
from coach.audit.models import Entry
from coach.portal.groups.services import end_code, make_code
from coach.portal.joining import services
from coach.portal.models import AccessRequest, GroupCode
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def counters_begin_at_nothing() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def code(cohort: Cohort, administrator: User) -> GroupCode:
    ends_at = timezone.now() + timedelta(days=1)
    return make_code(cohort=cohort, ends_at=ends_at, most_uses=2, actor=administrator)


@pytest.fixture
def page(code: GroupCode) -> str:
    return reverse("portal:code", args=[code.code])


def ask(page: str, address: str, on_commit: DjangoCaptureOnCommitCallbacks) -> int:
    with on_commit(execute=True):
        return Client().post(page, {"name": "Noor", "email": address}).status_code


def confirm() -> int:
    """Open the link of the last email, and press the button."""
    found = re.search(r"/accounts/signup/\S+", str(mail.outbox[-1].body))
    assert found is not None
    return Client().post(found[0]).status_code


def test_a_person_joins_the_group_with_a_confirmed_address(
    page: str,
    code: GroupCode,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    assert ask(page, "Noor@uni.example", django_capture_on_commit_callbacks) == 200
    assert not User.objects.filter(email="noor@uni.example").exists()
    assert confirm() == 302
    noor = User.objects.get(email="noor@uni.example")
    assert noor.roles == [Role.TRAINEE]
    assert Membership.objects.get(user=noor).cohort == code.cohort
    assert GroupCode.objects.get().uses == 1
    assert Entry.objects.filter(action="accounts.joined", actor=noor).exists()


def test_a_code_works_for_so_many_people_and_until_its_end(
    page: str,
    code: GroupCode,
    administrator: User,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    for name in ("a", "b", "c"):
        assert ask(page, f"{name}@uni.example", django_capture_on_commit_callbacks) == 200
    links = [each.body for each in mail.outbox]
    answers = []
    for body in links:
        found = re.search(r"/accounts/signup/\S+", str(body))
        assert found is not None
        answers.append(Client().post(found[0]).status_code)
    assert answers == [302, 302, 404]
    assert not User.objects.filter(email="c@uni.example").exists()
    assert Client().get(page).status_code == 404
    GroupCode.objects.update(most_uses=9)
    assert Client().get(page.lower()).status_code == 200
    GroupCode.objects.update(ends_at=timezone.now())
    assert Client().get(page).status_code == 404
    GroupCode.objects.update(ends_at=timezone.now() + timedelta(days=1))
    end_code(code=code, actor=administrator)
    assert Client().get(page).status_code == 404
    assert Client().get(reverse("portal:code", args=["NOSUCHCD"])).status_code == 404


def test_a_person_with_an_account_joins_after_signing_in(
    page: str,
    code: GroupCode,
    stranger: User,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    ask(page, stranger.email, django_capture_on_commit_callbacks)
    assert page in str(mail.outbox[-1].body)
    assert not AccessRequest.objects.exists()
    client = sign_in(stranger)
    for _press in range(2):
        assert client.post(page).status_code == 302
    assert Membership.objects.filter(user=stranger, cohort=code.cohort).count() == 1
    assert GroupCode.objects.get().uses == 1


def test_trying_codes_is_limited(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "OPENING", "2/h/ip")
    answers = [Client().get(page).status_code for _try in range(3)]
    assert answers == [200, 200, 429]


def test_an_administrator_makes_and_ends_a_code(
    cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    client, group = sign_in(administrator), reverse("portal:group", args=[cohort.pk])
    day = timezone.localdate() + timedelta(days=3)
    client.post(group, {"ends_on": day.isoformat(), "most_uses": 30})
    made = GroupCode.objects.get()
    assert timezone.localtime(made.ends_at).date() == day
    assert reverse("portal:code", args=[made.code]) in client.get(group).text
    assert client.get(reverse("portal:groups")).context["rows"][0].has_code
    for ends_on, uses in ((day - timedelta(days=9), 30), (day, 0), (day + timedelta(days=400), 1)):
        said = {"ends_on": ends_on.isoformat(), "most_uses": uses}
        assert client.post(group, said).status_code == 422
    client.post(reverse("portal:end_code", args=[made.pk]))
    assert GroupCode.objects.get().ended_at is not None
    acts = Entry.objects.filter(action__startswith="accounts.code", actor=administrator)
    assert acts.count() == 2


def test_a_coach_makes_and_ends_no_code(
    coach: User, cohort: Cohort, code: GroupCode, sign_in: SignIn
) -> None:
    stranger, group = sign_in(coach), reverse("portal:group", args=[cohort.pk])
    assert stranger.get(reverse("portal:groups")).status_code == 404
    assert stranger.get(group).status_code == 404
    assert stranger.post(group, {"ends_on": "2030-01-01", "most_uses": 3}).status_code == 404
    assert stranger.post(reverse("portal:end_code", args=[code.pk])).status_code == 404
    assert GroupCode.objects.get().ended_at is None

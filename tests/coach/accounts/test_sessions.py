"""The list of one's sessions, and signing out of one of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.accounts.sessions import tracking
from coach.accounts.sessions.models import DeviceSession
from coach.accounts.sessions.selectors import device_sessions_for
from coach.audit.models import Entry
from tests.coach.factories import PASSWORD

EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"
)
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)


def signed_in(person: User, agent: str) -> Client:
    client = Client(headers={"User-Agent": agent})
    client.post("/accounts/login/", {"login": person.email, "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("session_list")).status_code == 200


def test_a_person_sees_each_device_and_signs_one_out(trainee: User) -> None:
    here, there = signed_in(trainee, EDGE), signed_in(trainee, PHONE)
    page = here.get(reverse("session_list"))
    said = {(each.browser, each.system) for each in page.context["sessions"]}
    assert said == {("Edge", "Windows"), ("Safari", "iPhone")}
    assert page.content.decode().count("/end/") == 1 + page.content.decode().count("sign-ins/end")
    phone = DeviceSession.objects.get(browser="Safari")
    here.post(reverse("session_end", args=[phone.pk]))
    assert is_in(here)
    assert not is_in(there)
    assert Entry.objects.filter(action="accounts.session_ended", actor=trainee).count() == 1


def test_another_person_neither_sees_nor_ends_it(trainee: User, coach: User) -> None:
    own, stranger = signed_in(trainee, EDGE), signed_in(coach, PHONE)
    session = DeviceSession.objects.get(user=trainee)
    assert stranger.post(reverse("session_end", args=[session.pk])).status_code == 404
    assert is_in(own)
    assert [each.user for each in device_sessions_for(coach)] == [coach]


def test_this_session_is_not_ended_by_mistake(trainee: User) -> None:
    own = signed_in(trainee, EDGE)
    session = DeviceSession.objects.get(user=trainee)
    assert own.post(reverse("session_end", args=[session.pk])).status_code == 404
    assert is_in(own)


def test_sessions_that_let_nobody_in_are_not_listed(trainee: User) -> None:
    here, _there = signed_in(trainee, EDGE), signed_in(trainee, PHONE)
    here.post(reverse("portal:end_sign_ins"))
    here.get("/")
    trainee.refresh_from_db()
    assert [each.browser for each in device_sessions_for(trainee)] == ["Edge"]
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
    assert device_sessions_for(trainee) == []


def test_a_session_leaves_nothing_behind(trainee: User) -> None:
    own = signed_in(trainee, EDGE)
    own.post(reverse("account_logout"))
    assert not DeviceSession.objects.exists()


def test_the_last_use_is_written_every_ten_minutes(
    trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = signed_in(trainee, EDGE)
    before = timezone.now() - timedelta(hours=1)
    DeviceSession.objects.update(seen_at=before)
    own.get("/")
    assert DeviceSession.objects.get().seen_at == before
    # Another process, or ten minutes later.
    monkeypatch.setattr(tracking, "_seen", {})
    own.get("/")
    assert DeviceSession.objects.get().seen_at > before


def test_a_session_from_before_the_list_is_added(
    trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = signed_in(trainee, PHONE)
    DeviceSession.objects.all().delete()
    monkeypatch.setattr(tracking, "_seen", {})
    assert [each.system for each in own.get(reverse("session_list")).context["sessions"]] == [
        "iPhone"
    ]

"""A recording opened in an emergency: by password, for an hour, and its owner gets the reason."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from coach.accounts.models import User
from coach.notices.models import Kind, Notice
from coach.notices.words import page_words
from coach.portal.personal.privacy import account_rows
from coach.rehearsals.models import EmergencyAccess, Rehearsal
from coach.rehearsals.selectors import readable_rehearsals_for, recordings_for
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD, UserFactory

WHY = "A threat was reported."


@pytest.fixture(autouse=True)
def allowed(settings: Settings) -> None:
    settings.EMERGENCY_ACCESS = True


@pytest.fixture
def recorded(take: Rehearsal) -> Rehearsal:
    """Ana's take, with a copy for playback."""
    Rehearsal.objects.filter(pk=take.pk).update(has_copy=True)
    return take


def opened_by(client: Client, take: Rehearsal) -> str:
    """Ask to open the take; return where the site leads."""
    url = reverse("portal:emergency_of", args=[take.owner_id])
    asked = client.post(url, {"take": str(take.pk), "reason": WHY})
    if not asked.headers.get("Location", "").startswith("/accounts/reauthenticate/"):
        return asked.headers.get("Location", "")
    form = {"password": PASSWORD, "next": url}
    return client.post(asked.headers["Location"], form).headers["Location"]


def stale(client: Client) -> Client:
    """Return the client two minutes after its last password."""
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time() - 120}]
    session.save()
    return client


def test_it_asks_for_the_password_however_recent_and_tells_the_owner(
    administrator: User, recorded: Rehearsal, sign_in: SignIn
) -> None:
    client = stale(sign_in(administrator))
    url = reverse("portal:emergency_of", args=[recorded.owner_id])
    asked = client.post(url, {"take": str(recorded.pk), "reason": WHY})
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")
    assert not EmergencyAccess.objects.exists()
    place = opened_by(client, recorded)
    assert client.get(place).status_code == 200
    assert recordings_for(administrator).filter(pk=recorded.pk).exists()
    # The recording alone, not what was found in it.
    assert not readable_rehearsals_for(administrator).filter(pk=recorded.pk).exists()
    notice = Notice.objects.get(person=recorded.owner, kind=Kind.ACCESS)
    assert WHY in page_words(notice)
    assert str(administrator) in {str(row["who"]) for row in account_rows(recorded.owner)}


def test_it_ends_after_an_hour_or_earlier(
    administrator: User, recorded: Rehearsal, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    place = opened_by(client, recorded)
    access = EmergencyAccess.objects.get()
    assert access.ends_at - access.opened_at <= timedelta(hours=1, seconds=1)
    EmergencyAccess.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert not recordings_for(administrator).filter(pk=recorded.pk).exists()
    assert client.get(place).status_code == 404
    opened_by(client, recorded)
    newest = EmergencyAccess.objects.first()
    assert newest is not None
    client.post(reverse("portal:emergency_close", args=[newest.pk]))
    assert not recordings_for(administrator).filter(pk=recorded.pk).exists()
    assert WHY in client.get(reverse("portal:emergency")).content.decode()


def test_nobody_else_opens_lists_or_plays_it(
    administrator: User, recorded: Rehearsal, coach: User, stranger: User, sign_in: SignIn
) -> None:
    place = opened_by(sign_in(administrator), recorded)
    other = UserFactory(roles=["administrator"], is_staff=True, is_superuser=True)
    assert sign_in(other).get(place).status_code == 404
    assert not recordings_for(other).filter(pk=recorded.pk).exists()
    form = {"take": str(recorded.pk), "reason": WHY}
    for person in (coach, stranger, recorded.owner):
        client = sign_in(person)
        pages = [place, reverse("portal:emergency")]
        assert {client.get(page).status_code for page in pages} == {404}
        url = reverse("portal:emergency_of", args=[recorded.owner_id])
        assert client.post(url, form).status_code == 404
    assert EmergencyAccess.objects.count() == 1
    # A person who is no administrator any more.
    User.objects.filter(pk=administrator.pk).update(is_staff=False)
    administrator.refresh_from_db()
    assert not recordings_for(administrator).filter(pk=recorded.pk).exists()


def test_a_reason_and_a_recording_of_this_person_are_needed(
    administrator: User, recorded: Rehearsal, stranger: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    own = reverse("portal:emergency_of", args=[recorded.owner_id])
    assert client.post(own, {"take": str(recorded.pk), "reason": " "}).status_code == 422
    other = reverse("portal:emergency_of", args=[stranger.pk])
    assert client.post(other, {"take": str(recorded.pk), "reason": WHY}).status_code == 422
    User.objects.filter(pk=recorded.owner_id).update(trial_ends_at=timezone.now())
    assert client.post(own, {"take": str(recorded.pk), "reason": WHY}).status_code == 404
    assert not EmergencyAccess.objects.exists()


def test_a_second_factor_is_used_afresh_and_once(
    administrator: User, recorded: Rehearsal, sign_in: SignIn
) -> None:
    code = RecoveryCodes.activate(administrator).get_unused_codes()[0]
    client = sign_in(administrator)
    url = reverse("portal:emergency_of", args=[recorded.owner_id])
    form = {"take": str(recorded.pk), "reason": WHY}
    for wrong in ({}, {"code": "000000"}, {"code": code, "reason": " "}):
        assert client.post(url, {**form, **wrong}).status_code == 422
    assert not EmergencyAccess.objects.exists()
    assert client.post(url, {**form, "code": code}).status_code == 302
    assert client.post(url, {**form, "code": code}).status_code == 422
    assert EmergencyAccess.objects.count() == 1


def test_a_site_that_does_not_allow_it_has_no_such_page(
    administrator: User, recorded: Rehearsal, sign_in: SignIn, settings: Settings
) -> None:
    client = sign_in(administrator)
    opened_by(client, recorded)
    settings.EMERGENCY_ACCESS = False
    assert client.get(reverse("portal:emergency")).status_code == 404
    assert not recordings_for(administrator).filter(pk=recorded.pk).exists()
    assert "emergency" not in client.get(reverse("portal:administration")).content.decode()

"""What cannot be undone asks for the password again; pages are kept by no browser."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.accounts.tasks import clear_sessions
from coach.audit.models import Entry
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD


@pytest.fixture
def stale(trainee: User, sign_in: SignIn) -> Client:
    """Ana's browser, eleven minutes after she signed in."""
    client = sign_in(trainee)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time() - 660}]
    session.save()
    return client


def asked(client: Client, url: str, form: dict[str, str]) -> str:
    answer = client.post(url, form)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    page = client.get(answer.headers["Location"]).content.decode()
    assert "Nothing has been deleted or changed yet" in page
    return str(answer.headers["Location"])


def done_from(action: str) -> str:
    return Entry.objects.get(action=action).from_where


def test_deleting_a_take_asks_for_the_password_and_then_goes_on(
    stale: Client, take: Rehearsal
) -> None:
    url = reverse("portal:delete_take", args=[take.pk])
    ask = asked(stale, url, {"confirm": "yes"})
    page = stale.post(ask, {"password": "a guess", "next": url}).content.decode()
    assert "Wrong password" in page
    assert Rehearsal.objects.exists()
    stale.post(ask, {"password": PASSWORD, "next": url})
    assert not Rehearsal.objects.exists()
    assert done_from("rehearsals.deleted") == "portal:delete_take"


def test_erasing_everything_asks_for_the_password_and_then_goes_on(
    stale: Client, trainee: User
) -> None:
    url = reverse("portal:erase")
    ask = asked(stale, url, {"confirm": "erase"})
    assert User.objects.filter(pk=trainee.pk).exists()
    page = stale.post(ask, {"password": PASSWORD, "next": url}).content.decode()
    assert "All your data has been deleted" in page
    assert not User.objects.filter(pk=trainee.pk).exists()
    assert done_from("accounts.erased") == "portal:erase"


@pytest.mark.parametrize(
    ("path", "ticked"), [("{pk}/delete/", {}), ("", {"action": "delete_selected"})]
)
def test_an_administrator_is_asked_before_a_person_is_erased(
    path: str, ticked: dict[str, str], trainee: User, administrator: User
) -> None:
    client = Client()
    client.force_login(administrator)
    url = f"/admin/accounts/user/{path.format(pk=trainee.pk)}"
    form = {**ticked, "_selected_action": str(trainee.pk), "post": "yes"}
    ask = asked(client, url, form)
    assert User.objects.filter(pk=trainee.pk).exists()
    client.post(ask, {"password": PASSWORD, "next": url})
    assert not User.objects.filter(pk=trainee.pk).exists()
    assert done_from("accounts.erased").startswith("admin:accounts_user_")


def test_a_code_by_mail_does_not_stand_for_the_password(stale: Client, trainee: User) -> None:
    EmailAddress.objects.create(user=trainee, email=trainee.email, verified=True, primary=True)
    page = reverse("account_request_reauthentication_code")
    form = {"recipient": trainee.email}
    assert [stale.get(page).status_code, stale.post(page, form).status_code] == [403, 403]
    assert mail.outbox == []


def test_who_has_just_signed_in_is_not_asked(take: Rehearsal, trainee: User) -> None:
    client = Client()
    client.post("/accounts/login/", {"login": trainee.email, "password": PASSWORD})
    client.post(reverse("portal:delete_take", args=[take.pk]), {"confirm": "yes"})
    assert not Rehearsal.objects.exists()


def test_a_take_is_deleted_on_a_word_only(take: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    page = client.post(reverse("portal:delete_take", args=[take.pk]), follow=True)
    assert "Nothing was deleted." in page.content.decode()
    assert Rehearsal.objects.exists()


@pytest.mark.parametrize(
    "name",
    [
        "feedback:takes",
        "feedback:report",
        "feedback:captions",
        "portal:own_data",
        "portal:privacy",
        "rehearsals:media",
    ],
)
def test_no_page_of_somebody_who_is_signed_in_is_kept(
    name: str, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    needs = [take.pk] if name.split(":")[1] in {"report", "captions", "media"} else []
    answer = sign_in(trainee).get(reverse(name, args=needs))
    assert answer.status_code == 200
    assert b"".join(answer)  # type: ignore[arg-type]  # the file is closed at its end
    assert "no-store" in answer.headers["Cache-Control"]
    assert "private" in answer.headers["Cache-Control"]


def test_what_is_everybodys_may_be_kept(trainee: User, sign_in: SignIn) -> None:
    sheet = sign_in(trainee).get("/static/css/app.css")
    sheet.close()
    assert "no-store" not in sheet.headers["Cache-Control"]
    assert "Cache-Control" not in Client().get("/about/").headers


def test_signing_out_elsewhere_ends_the_others_and_keeps_this_one(
    trainee: User, coach: User, sign_in: SignIn
) -> None:
    here, elsewhere, somebody = sign_in(trainee), sign_in(trainee), sign_in(coach)
    page = here.post(reverse("portal:end_sign_ins"), follow=True).content.decode()
    assert "All your other sessions are signed out." in page
    assert "Signed out on other devices" in page
    assert elsewhere.get(reverse("portal:privacy")).status_code == 302
    assert somebody.get(reverse("portal:privacy")).status_code == 200


def test_the_privacy_page_tells_what_others_did_to_the_account(
    trainee: User, administrator: User, sign_in: SignIn
) -> None:
    sign_in(administrator).post(
        "/admin/accounts/user/", {"action": "send_links", "_selected_action": str(trainee.pk)}
    )
    page = sign_in(trainee).get(reverse("portal:privacy")).content.decode()
    assert "Sent a link to set a password" in page
    assert "Root" in page


def test_nobody_reads_of_somebody_elses_account(
    trainee: User, coach: User, sign_in: SignIn
) -> None:
    Client().post("/accounts/login/", {"login": trainee.email, "password": "wrong"})
    assert Entry.objects.filter(action="accounts.sign_in_failed").exists()
    page = sign_in(coach).get(reverse("portal:privacy")).content.decode()
    assert "Failed to sign in" not in page


def test_sign_ins_that_have_ended_are_forgotten(trainee: User, sign_in: SignIn) -> None:
    sign_in(trainee)
    old = Session.objects.get()
    sign_in(trainee)
    Session.objects.filter(pk=old.pk).update(expire_date=timezone.now() - timedelta(days=1))
    clear_sessions()
    assert Session.objects.count() == 1
    assert not Session.objects.filter(pk=old.pk).exists()

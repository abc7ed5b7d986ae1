"""Signing in: guessing is slow everywhere, and the right person gets in."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach import settings as our_settings
from coach.accounts.invitations import invite_person, make_link
from coach.accounts.models import User
from coach.accounts.tasks import clear_counters
from coach.audit.models import Entry
from tests.coach.factories import PASSWORD

pytestmark = pytest.mark.slow

URL = "/accounts/login/"
RESET = "/accounts/password/reset/"


def tries(client: Client, address: str, password: str, place: str = "192.0.2.1") -> int:
    form = {"login": address, "password": password}
    return client.post(URL, form, REMOTE_ADDR=place).status_code


def test_wrong_tries_are_counted_where_every_process_sees_them(trainee: User) -> None:
    for _guess in range(6):
        tries(Client(), trainee.email, "wrong")
    assert tries(Client(), trainee.email, PASSWORD) == 200
    # A process of its own has nothing in memory: what it knows, it reads from the database.
    cache.close()
    assert our_settings.CACHES["default"]["BACKEND"].endswith("DatabaseCache")
    page = Client().post(
        URL, {"login": trainee.email, "password": PASSWORD}, REMOTE_ADDR="192.0.2.1"
    )
    assert "Wait five minutes" in page.content.decode()


def test_wrong_tries_from_elsewhere_do_not_lock_the_right_person_out(trainee: User) -> None:
    for _guess in range(8):
        tries(Client(), trainee.email, "wrong", place="203.0.113.7")
    assert tries(Client(), trainee.email, PASSWORD, place="203.0.113.7") == 200
    assert tries(Client(), trainee.email, PASSWORD, place="198.51.100.4") == 302


def guess_from_many_places(address: str) -> None:
    for place in range(61):
        tries(Client(), address, "wrong", place=f"203.0.113.{place + 1}")


def test_who_guesses_from_many_places_is_slowed_down_too(trainee: User) -> None:
    guess_from_many_places(trainee.email)
    assert tries(Client(), trainee.email, PASSWORD, place="198.51.100.9") == 200


def link_in_the_mail() -> str:
    found = re.search(r"/accounts/password/reset/key/\S+", mail.outbox[-1].body)
    assert found is not None
    return found.group()


def test_whom_others_hold_up_is_let_in_at_once_by_the_link_in_an_email(trainee: User) -> None:
    guess_from_many_places(trainee.email)
    client = Client()
    form = {"login": trainee.email, "password": PASSWORD}
    page = client.post(URL, form, REMOTE_ADDR="198.51.100.9").content.decode()
    assert "the link in our email lets you in at once" in page
    assert reverse("account_reset_password") in page
    client.post(RESET, {"email": trainee.email}, REMOTE_ADDR="198.51.100.9")
    chosen = "a-phrase-of-my-own"
    form_url = client.get(link_in_the_mail(), follow=True).redirect_chain[-1][0]
    client.post(form_url, {"password1": chosen, "password2": chosen})
    assert client.get(reverse("portal:privacy")).status_code == 200


def test_whom_others_hold_up_waits_minutes_and_no_hour(
    trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    guess_from_many_places(trainee.email)
    later = time.time() + 301
    monkeypatch.setattr("time.time", lambda: later)
    assert tries(Client(), trainee.email, PASSWORD, place="198.51.100.9") == 302


def test_guesses_are_refused_from_one_place_at_many_accounts_and_from_many_at_one(
    trainee: User, coach: User
) -> None:
    for guess in range(10):
        tries(Client(), f"somebody{guess}@example.org", "wrong", place="203.0.113.7")
    assert tries(Client(), trainee.email, PASSWORD, place="203.0.113.7") == 200
    assert tries(Client(), trainee.email, PASSWORD, place="203.0.113.8") == 302
    guess_from_many_places(coach.email)
    assert tries(Client(), coach.email, PASSWORD, place="198.51.100.9") == 200


@pytest.mark.parametrize(("ticked", "ends_with_browser"), [({}, True), ({"remember": "on"}, False)])
def test_a_session_lives_for_two_weeks_only_where_one_asks_for_it(
    ticked: dict[str, str], ends_with_browser: bool, trainee: User
) -> None:
    client = Client()
    page = client.get(URL).content.decode()
    assert "Keep me signed in for two weeks" in page
    client.post(URL, {"login": trainee.email, "password": PASSWORD, **ticked})
    assert client.session.get_expire_at_browser_close() is ends_with_browser


def test_who_does_nothing_for_a_while_is_signed_out_where_the_site_says_so(
    trainee: User, settings: Any
) -> None:
    settings.SESSION_COOKIE_AGE, settings.SESSION_SAVE_EVERY_REQUEST = 600, True
    settings.ACCOUNT_SESSION_REMEMBER = False
    client = Client()
    assert "Keep me signed in" not in client.get(URL).content.decode()
    client.post(URL, {"login": trainee.email, "password": PASSWORD})
    row = Session.objects.get(pk=client.session.session_key)
    assert row.expire_date - timezone.now() <= timedelta(minutes=10)
    Session.objects.update(expire_date=timezone.now() + timedelta(minutes=1))
    assert client.get(reverse("portal:privacy")).status_code == 200
    row.refresh_from_db()
    assert row.expire_date - timezone.now() > timedelta(minutes=9), "each request counts"
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get(reverse("portal:privacy")).status_code == 302


@pytest.mark.parametrize(("days", "works"), [(13, True), (15, False)])
def test_an_invitation_works_for_two_weeks(
    days: int, works: bool, monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    person = User.objects.create_user("new@example.org", name="Nia")
    check_life(person, days=days, works=works, monkeypatch=monkeypatch)


@pytest.mark.parametrize(("days", "works"), [(2, True), (4, False)])
def test_a_link_to_a_new_password_works_for_three_days(
    days: int, works: bool, trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_life(trainee, days=days, works=works, monkeypatch=monkeypatch)


def check_life(person: User, *, days: int, works: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    link = make_link(person=person, site="", actor=None)
    later = datetime.now() + timedelta(days=days)  # noqa: DTZ005 - as Django reckons
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda _self: later)
    page = Client().get(link, follow=True).content.decode()
    assert ("This link no longer works" in page) is not works


def test_mails_name_the_site_and_nobodys_machine_answers_them(trainee: User, settings: Any) -> None:
    settings.SITE_ADDRESS = "https://rostrum.example.org"
    settings.EMAIL_REPLY_TO = "help@example.org"
    Client().post(RESET, {"email": trainee.email})
    invite_person(person=trainee, site="https://rostrum.example.org", actor=trainee)
    for sent in mail.outbox:
        headers = sent.message()
        assert str(headers["Message-ID"]).endswith("@rostrum.example.org>")
        assert headers["Auto-Submitted"] == "auto-generated"
        assert headers["Reply-To"] == "help@example.org"
    assert len(mail.outbox) == 2


def test_a_browser_in_which_one_signed_in_before_is_let_in_meanwhile(trainee: User) -> None:
    client = Client()
    assert tries(client, trainee.email, PASSWORD, place="198.51.100.9") == 302
    client.post(reverse("account_logout"))
    guess_from_many_places(trainee.email)
    assert tries(client, trainee.email, PASSWORD, place="198.51.100.9") == 302


def test_the_mark_of_a_browser_helps_nobody_else(trainee: User, coach: User) -> None:
    client = Client()
    tries(client, coach.email, PASSWORD, place="198.51.100.9")
    client.post(reverse("account_logout"))
    guess_from_many_places(trainee.email)
    assert tries(client, trainee.email, PASSWORD, place="198.51.100.9") == 200


def test_sign_ins_are_on_record_without_what_was_typed(trainee: User) -> None:
    tries(Client(), trainee.email, "my other secret")
    tries(Client(), "nobody@example.org", "x")
    tries(Client(), trainee.email, PASSWORD)
    rows = list(Entry.objects.order_by("pk").values_list("action", "object_id", "actor", "detail"))
    assert rows == [
        ("accounts.sign_in_failed", str(trainee.pk), None, {}),
        ("accounts.sign_in_failed", "", None, {}),
        ("accounts.signed_in", str(trainee.pk), trainee.pk, {}),
    ]


def test_a_stranger_cannot_have_us_write_to_anybody(trainee: User) -> None:
    answers = [
        Client().post(RESET, {"email": address})
        for address in ("nobody@example.org", "ana@example.org")
    ]
    assert [answer.headers["Location"] for answer in answers] == [f"{RESET}done/"] * 2
    assert [message.to for message in mail.outbox] == [["ana@example.org"]]
    assert mail.outbox[0].subject == "Choose a new password for Rostrum"


def test_a_password_of_digits_is_refused_in_words(trainee: User) -> None:
    client = Client()
    client.force_login(trainee)
    form = {"oldpassword": PASSWORD, "password1": "90210483716", "password2": "90210483716"}
    page = client.post(reverse("account_change_password"), form).content.decode()
    assert "entirely numeric" in page
    trainee.refresh_from_db()
    assert trainee.check_password(PASSWORD)


def test_the_mails_name_no_library_and_no_machine(trainee: User) -> None:
    Client().post(RESET, {"email": trainee.email})
    text = mail.outbox[0].body
    assert "Hello Ana" in text
    assert "Thank you for using" not in text
    assert Path(text.split("http://testserver")[1].split()[0]).parts[1:3] == (
        "accounts",
        "password",
    )


def test_who_asks_for_many_links_is_told_to_wait_in_our_words(trainee: User) -> None:
    for _again in range(6):
        answer = Client().post(RESET, {"email": trainee.email})
    assert answer.status_code == 429
    assert "Wait a minute, then try again." in answer.content.decode()
    assert len(mail.outbox) == 5


def test_a_stranger_fills_nobodys_mailbox(trainee: User, coach: User) -> None:
    """Minute by minute, for an hour: the page answers as ever, and nobody else is held up."""
    for _minute in range(3):
        for _again in range(4):
            assert Client().post(RESET, {"email": trainee.email}).status_code == 302
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_cache WHERE cache_key LIKE '%reset_password%'")
    Client().post(RESET, {"email": coach.email})
    assert [message.to for message in mail.outbox] == [[trainee.email]] * 6 + [[coach.email]]


def rows_of_counters() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM django_cache WHERE cache_key LIKE '%192.0.2.1%'")
        return int(cursor.fetchone()[0])


def test_from_where_one_tried_is_forgotten_once_it_no_longer_counts(trainee: User) -> None:
    tries(Client(), trainee.email, "wrong")
    clear_counters()
    assert rows_of_counters()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_cache SET expires = now() - interval '1 second'")
    clear_counters()
    assert not rows_of_counters()

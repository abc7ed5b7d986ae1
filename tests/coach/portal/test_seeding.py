"""The demonstration: people for each part, one rehearsal, safe to seed again."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.urls import reverse

from coach.accounts.models import Consent, Purpose, Role, User
from coach.portal.demonstration.seeding import ACCOUNTS, DEMO_PASSWORD, MORE_TRAINEES
from coach.rehearsals.models import Rehearsal
from coach.rulesets.models import RuleSetRelease

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_broker")]


def seed(*args: str) -> str:
    out = StringIO()
    call_command("seed_demo", *args, stdout=out)
    return out.getvalue()


def test_seeding_twice_changes_nothing_and_prints_who_can_sign_in(tmp_path: Path) -> None:
    video = tmp_path / "demo.mp4"
    video.write_bytes(b"bytes")
    for _again in range(2):
        printed = seed("--video", str(video), "--constructed")
    assert User.objects.count() == len(ACCOUNTS) + len(MORE_TRAINEES)
    assert Rehearsal.objects.get().is_constructed
    assert RuleSetRelease.objects.count() == 1
    for account in ACCOUNTS:
        assert account.email in printed


def test_what_people_agreed_to_is_kept_in_the_words_that_they_read() -> None:
    seed()
    french = Consent.objects.filter(user__language="fr", purpose=Purpose.RESEARCH_MEASUREMENTS)
    assert french.get().text.startswith("Les mesures, les remarques")
    english = Consent.objects.filter(user__language="en", purpose=Purpose.RESEARCH_MEASUREMENTS)
    assert english[0].text.startswith("Measurements, items")


def test_no_account_with_a_known_password_is_made_in_production() -> None:
    with override_settings(PRODUCTION=True), pytest.raises(CommandError, match="in production"):
        call_command("seed_demo")
    assert not User.objects.exists()


def test_a_file_that_is_not_there_is_said_so() -> None:
    with pytest.raises(CommandError, match="There is no file"):
        seed("--video", "nowhere.mp4")


@pytest.mark.parametrize(
    ("role", "first_page"),
    [
        (Role.TRAINEE, "feedback:takes"),
        (Role.COACH, "review:queue"),
        (Role.CURATOR, "curation:rules"),
        (Role.RESEARCHER, "research:home"),
    ],
)
def test_each_signs_in_and_starts_on_their_own_page(role: Role, first_page: str) -> None:
    seed()
    account = next(each for each in ACCOUNTS if each.role == role)
    client = Client()
    response = client.post(
        reverse("account_login"),
        {"login": account.email, "password": DEMO_PASSWORD},
        follow=True,
    )
    assert response.redirect_chain[-1][0] == reverse(first_page)
    assert response.status_code == 200


def test_nobody_signs_up_from_the_street(client: Client) -> None:
    page = client.get("/accounts/signup/").content.decode()
    assert "<form" not in page or "password1" not in page
    client.post(
        "/accounts/signup/",
        {"email": "x@example.org", "password1": "a" * 14, "password2": "a" * 14},
    )
    assert not User.objects.filter(email="x@example.org").exists()


def test_the_administrator_keeps_people_but_sees_no_recording(client: Client) -> None:
    seed()
    client.login(email="admin@rostrum.example", password=DEMO_PASSWORD)
    admin = User.objects.get(email="admin@rostrum.example")
    client.force_login(admin)
    index = client.get(reverse("admin:index")).content.decode()
    assert "Groups" in index
    assert "Rehearsals" not in index.replace("rehearsals", "")

"""A person has one address: the one of before opens nothing and gets no mail."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.accounts.people import change_address
from coach.audit.models import Entry
from coach.portal.personal.erasure import erase_person
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD

NEW = "ana.new@example.org"


def ask_for_a_link(address: str) -> None:
    Client().post("/accounts/password/reset/", {"email": address})


def signs_in(address: str) -> bool:
    form = {"login": address, "password": PASSWORD}
    return Client().post("/accounts/login/", form).status_code == 302


@pytest.fixture
def moved(trainee: User, administrator: User, sign_in: SignIn) -> User:
    """Ana, who had asked for a new password before her address was changed."""
    ask_for_a_link(trainee.email)
    assert EmailAddress.objects.filter(email="ana@example.org").exists()
    url = reverse("admin:accounts_user_change", args=[trainee.pk])
    form = {"email": NEW, "name": "Ana", "language": "en", "roles": ["trainee"], "is_active": "on"}
    assert sign_in(administrator).post(url, form).status_code == 302
    trainee.refresh_from_db()
    assert trainee.email == NEW
    return trainee


def test_only_the_new_address_signs_in(moved: User) -> None:
    assert not signs_in("ana@example.org")
    assert signs_in(NEW)


def test_only_the_new_address_is_written_to(moved: User) -> None:
    mail.outbox.clear()
    ask_for_a_link("ana@example.org")
    assert mail.outbox == []
    ask_for_a_link(NEW)
    assert [message.to for message in mail.outbox] == [[NEW]]


def test_a_link_that_was_sent_to_the_former_address_lapses(moved: User) -> None:
    link = re.search(r"/accounts/password/reset/key/\S+", str(mail.outbox[0].body))
    assert link is not None
    page = Client().get(link.group(), follow=True).content.decode()
    assert "This link no longer works" in page


def test_sign_ins_of_before_end(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    assert client.get(reverse("portal:privacy")).status_code == 200
    change_address(person=trainee, address=NEW, actor=None)
    assert client.get(reverse("portal:privacy")).status_code == 302


def test_it_is_on_record_with_before_and_after_until_the_person_is_erased(
    moved: User, administrator: User
) -> None:
    entry = Entry.objects.get(action="accounts.address_changed")
    assert (entry.actor, entry.object_id) == (administrator, str(moved.pk))
    assert entry.detail == {"before": "ana@example.org", "after": NEW}
    erase_person(user=moved)
    entry.refresh_from_db()
    assert entry.detail == {}


def test_a_former_address_of_somebody_else_does_not_follow_the_new_holder(
    trainee: User, coach: User
) -> None:
    EmailAddress.objects.create(user=coach, email=NEW)
    change_address(person=trainee, address=NEW, actor=None)
    mail.outbox.clear()
    ask_for_a_link(NEW)
    assert len(mail.outbox) == 1
    assert "Ana" in mail.outbox[0].body


def test_rows_of_former_addresses_in_an_older_installation_are_forgotten(trainee: User) -> None:
    EmailAddress.objects.create(user=trainee, email="long.ago@example.org")
    EmailAddress.objects.create(user=trainee, email=trainee.email)
    executor = MigrationExecutor(connection)
    node = ("accounts", "0004_forget_former_addresses")
    migration = executor.loader.get_migration(*node)
    apps = executor.loader.project_state([node]).apps
    migration.operations[0].code(apps, None)
    assert [row.email for row in EmailAddress.objects.all()] == [trainee.email]

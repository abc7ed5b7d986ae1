"""Where the database has no room for who is signed in, people read that, and stay who they were."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from coach.guests.services import make_link
from coach.lib.files.full_disk import NO_ROOM_STATUS
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD
from tests.coach.full_database import fill, make_room

FULL = "The disk of this site is full"


@pytest.fixture
def client() -> Client:
    """A browser, to which an error of ours is an answer as well."""
    return Client(raise_request_exception=False)


@pytest.fixture
def room_afterwards(transactional_db: None) -> Iterator[None]:
    yield
    make_room()


def says_full(answer: object) -> bool:
    status, content = getattr(answer, "status_code", 0), getattr(answer, "content", b"")
    return status == NO_ROOM_STATUS and FULL in content.decode()


@pytest.mark.parametrize("table", ["django_session", "audit_entry"])
@pytest.mark.usefixtures("room_afterwards")
def test_who_signs_in_is_not_signed_in_and_reads_why(
    client: Client, trainee: User, table: str
) -> None:
    fill(table)
    form = {"login": trainee.email, "password": PASSWORD}
    assert says_full(client.post(reverse("account_login"), form))
    assert "sessionid" not in client.cookies


@pytest.mark.usefixtures("room_afterwards")
def test_who_signs_out_reads_why_not_and_is_signed_in_as_that_says(
    client: Client, trainee: User
) -> None:
    client.force_login(trainee)
    fill("django_session", event="DELETE")
    assert says_full(client.post(reverse("account_logout")))
    assert client.get(reverse("portal:profile")).status_code == 200


def test_a_guest_who_comes_in_reads_why_not(client: Client, sent: Rehearsal) -> None:
    _link, token = make_link(
        rehearsal=sent, maker=sent.owner, meant_for="Paul", days=7, shows_findings=False
    )
    fill("django_session")
    assert says_full(client.post(reverse("guests:door", args=[token]), {"name": "Paul"}))
    assert "sessionid" not in client.cookies


@pytest.mark.django_db
def test_a_stranger_who_chooses_a_language_reads_why_it_is_not_kept(client: Client) -> None:
    fill("django_session")
    answer = client.post(reverse("portal:language"), {"language": "fr"})
    assert answer.status_code == NO_ROOM_STATUS


def test_what_was_typed_and_cannot_be_kept_is_said_to_be_lost(
    trainee: User, sign_in: SignIn
) -> None:
    signed_in = sign_in(trainee)
    signed_in.get(reverse("portal:profile"))
    token = signed_in.cookies["csrftoken"].value
    fill("drafts_formdraft")
    form = {"csrfmiddlewaretoken": token, "name": "Ana"}
    for checks in (False, True):
        client = Client(enforce_csrf_checks=checks, raise_request_exception=False)
        client.cookies = deepcopy(signed_in.cookies)
        del client.cookies["sessionid"]
        assert says_full(client.post(reverse("portal:profile"), form))
    assert not FormDraft.objects.exists()

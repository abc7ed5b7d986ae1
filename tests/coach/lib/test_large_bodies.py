"""Large bodies hold threads: so many at once, and no more for one person."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client, override_settings

from coach.accounts.models import User
from coach.lib.web.large_bodies import LARGEST_FORM_BYTES, SMALL_BODY_BYTES, Slots, slots
from tests.coach.conftest import SignIn

LARGE = b"x" * (SMALL_BODY_BYTES + 1)
URL = "/practise/"


@pytest.fixture(autouse=True)
def nobody_sends() -> Iterator[None]:
    """Each test gives back what it held."""
    yield
    assert slots.obstacle("anybody") == ""


def test_one_person_does_not_take_all_the_slots(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    with slots.hold(trainee.pk), slots.hold(trainee.pk):
        response = client.post(URL, LARGE, content_type="text/plain")
        assert response.status_code == 503
        assert response.headers["Retry-After"] == "30"
        assert "on their way already" in response.content.decode()
        assert client.get(URL).status_code == 200
    assert client.post(URL, LARGE, content_type="text/plain").status_code == 405


@override_settings(LARGE_BODIES_AT_ONCE=3)
def test_some_threads_stay_free_for_pages(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    with slots.hold("a"), slots.hold("b"), slots.hold("c"):
        response = client.post(
            URL, LARGE, content_type="text/plain", headers={"accept": "application/json"}
        )
        assert response.status_code == 503
        assert "Many recordings are arriving" in response.json()["message"]
        assert client.get(URL).status_code == 200


def test_who_is_not_signed_in_sends_nothing_large(db: None) -> None:
    response = Client().post("/accounts/login/", LARGE, content_type="text/plain")
    assert response.status_code == 413


def test_a_program_that_is_signed_out_while_it_sends_learns_that(db: None) -> None:
    answer = Client().patch(
        "/rehearsals/uploads/",
        LARGE,
        content_type="application/offset+octet-stream",
        headers={"accept": "application/json"},
    )
    assert answer.status_code == 401
    assert "sign in" in answer.json()["message"]


def test_a_body_of_unknown_length_counts_as_large(db: None) -> None:
    response = Client().post("/accounts/login/", headers={"transfer-encoding": "chunked"})
    assert response.status_code == 413


def test_no_form_takes_more_than_a_project_and_recordings_are_looked_at_by_their_own_views(
    trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    said = {"CONTENT_LENGTH": str(LARGEST_FORM_BYTES + 1)}
    for url in ("/accounts/email/", "/research/load/", "/nowhere/"):
        answer = client.post(url, **said)  # type: ignore[arg-type]
        assert answer.status_code == 413
        assert "nothing was kept" in answer.content.decode()
    answer = client.post("/rehearsals/uploads/", **said)  # type: ignore[arg-type]
    assert answer.status_code != 413


def test_a_slot_is_given_back_also_where_the_request_fails() -> None:
    own = Slots()
    with pytest.raises(ZeroDivisionError), own.hold("a"), own.hold("a"):
        _ = 1 / 0
    assert own.obstacle("a") == ""

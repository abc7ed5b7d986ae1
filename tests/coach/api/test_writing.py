"""Uploads, repeated requests, pages of lists and limits of the API."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from coach.accounts.models import Cohort, User
from coach.api.models import RepeatedRequest
from coach.api.scopes import Scope
from coach.api.services import forget_answers
from coach.rehearsals.models import AccessGrant, Rehearsal, Upload
from tests.coach.api.program import Program
from tests.coach.factories import RehearsalFactory
from tests.coach.uploads.tus_sender import TALK

pytestmark = pytest.mark.django_db

TUS = {"Tus-Resumable": "1.0.0"}
PIECE = "application/offset+octet-stream"
ABOUT = {"aim": "inform", "audience": "experts", "title": "My defence"}


def uploaded(program: Program) -> str:
    """Upload a recording in two pieces; return its id."""
    began = program.client.post(
        "/api/v1/uploads", headers=TUS | {"Upload-Length": str(len(TALK))}, content_type=""
    )
    assert began.status_code == 201, began.content
    place = began.headers["Location"]
    assert place.startswith("http://testserver/api/v1/uploads/")
    half = len(TALK) // 2
    for start, piece in ((0, TALK[:half]), (half, TALK[half:])):
        answer = program.client.patch(
            place, piece, content_type=PIECE, headers=TUS | {"Upload-Offset": str(start)}
        )
        assert answer.status_code == 204, answer.content
    return place.rpartition("/")[2]


def test_a_program_uploads_a_recording_and_makes_a_take_of_it(
    trainee: User, no_broker: None
) -> None:
    program = Program(trainee)
    said = ABOUT | {"upload_id": uploaded(program), "time_limit_minutes": 5}
    answer = program.post("takes", said, key="a-1")
    assert answer.status_code == 201, answer.content
    take = Rehearsal.objects.get()
    assert (str(take.pk), take.owner, take.time_limit) == (answer.json()["id"], trainee, 300)
    assert answer.json()["analysis"] == "running"
    again = program.post("takes", said, key="a-1")
    assert (again.status_code, again.json()) == (201, answer.json())
    assert again.headers["Idempotency-Replayed"] == "true"
    # The same upload is the same take, also without a key.
    assert program.post("takes", said).json()["id"] == str(take.pk)
    assert Rehearsal.objects.count() == 1


def test_an_upload_belongs_to_its_owner_and_needs_the_scope(
    trainee: User, stranger: User, no_broker: None
) -> None:
    upload_id = uploaded(Program(trainee))
    path = f"/api/v1/uploads/{upload_id}"
    other = Program(stranger)
    for method in ("head", "patch", "delete"):
        piece = {"data": b"ab", "content_type": PIECE} if method == "patch" else {}
        answer = getattr(other.client, method)(path, headers=TUS | {"Upload-Offset": "0"}, **piece)
        assert answer.status_code == 404
    assert other.post("takes", ABOUT | {"upload_id": upload_id}).status_code == 404
    reader = Program(trainee, [Scope.TAKES_READ])
    answer = reader.client.delete(path, headers=TUS)
    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
    assert Upload.objects.count() == 1


def test_errors_of_uploads_are_problems_too(trainee: User) -> None:
    program = Program(trainee)
    answer = program.client.post("/api/v1/uploads", headers={"Upload-Length": "5"}, content_type="")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["code"]) == (412, "other_protocol")
    assert answer.headers["Tus-Version"] == "1.0.0"


def test_an_incomplete_upload_is_no_take(trainee: User) -> None:
    program = Program(trainee)
    began = program.client.post(
        "/api/v1/uploads", headers=TUS | {"Upload-Length": "500"}, content_type=""
    )
    upload_id = began.headers["Location"].rpartition("/")[2]
    answer = program.post("takes", ABOUT | {"upload_id": upload_id}, key="a-1")
    assert (answer.status_code, answer.json()["code"]) == (409, "upload_incomplete")
    # A refusal is not stored: the program may try again with the same key.
    assert not RepeatedRequest.objects.exists()


def test_a_take_is_sent_once_however_often_it_is_asked_for(
    take: Rehearsal, coach: User, trainee: User
) -> None:
    program = Program(trainee)
    body = {"note": "My opening, please."}
    for _time in range(2):
        answer = program.post(f"takes/{take.pk}/send", body, key="send-1")
        assert (answer.status_code, answer.json()["is_sent"]) == (200, True), answer.content
    assert AccessGrant.objects.get().note == body["note"]
    assert program.post(f"takes/{take.pk}/withdraw", key="back-1").json()["is_sent"] is False
    # Another request under the key of an earlier one is a mistake.
    answer = program.post(f"takes/{take.pk}/send", {"note": "Other"}, key="send-1")
    assert (answer.status_code, answer.json()["code"]) == (409, "key_used_before")


@pytest.mark.parametrize("body", ["[null]", "null", '"x"', "{", "[]"])
def test_what_is_no_object_is_refused(take: Rehearsal, trainee: User, body: str) -> None:
    answer = Program(trainee).client.post(
        f"/api/v1/takes/{take.pk}/send", body, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert not AccessGrant.objects.exists()


def test_keys_are_each_persons_own_and_forgotten_after_a_day(
    take: Rehearsal, coach: User, trainee: User, stranger: User
) -> None:
    Program(trainee).post(f"takes/{take.pk}/send", key="one")
    assert Program(stranger).post(f"takes/{take.pk}/send", key="one").status_code == 404
    RepeatedRequest.objects.update(at=timezone.now() - timedelta(days=2))
    assert forget_answers() == 1


def test_pages_hold_each_row_once_while_others_are_added(trainee: User, cohort: Cohort) -> None:
    takes = [RehearsalFactory(owner=trainee, cohort=cohort) for _number in range(5)]
    # Two at the same moment: the key decides.
    Rehearsal.objects.filter(pk__in=[takes[0].pk, takes[1].pk]).update(
        created_at=takes[0].created_at
    )
    program = Program(trainee)
    page = program.get("takes", limit=2).json()
    seen = [row["id"] for row in page["results"]]
    RehearsalFactory(owner=trainee, cohort=cohort)
    while page["next"]:
        page = program.client.get(page["next"]).json()
        seen += [row["id"] for row in page["results"]]
    assert len(seen) == 5
    assert set(seen) == {str(each.pk) for each in takes}


@pytest.mark.parametrize("cursor", ["x", "WyJhIiwiYiJd", "a:b:c", "\x00"])
def test_a_cursor_that_is_not_ours_is_refused(trainee: User, cursor: str) -> None:
    answer = Program(trainee).get("takes", cursor=cursor)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_cursor")


def test_too_many_requests_are_told_when_to_come_back(trainee: User) -> None:
    program = Program(trainee)
    with override_settings(API_PER_MINUTE=2):
        first = program.get("takes")
        assert first.headers["RateLimit-Policy"] == '"token";q=2;w=60'
        assert '"token";r=1;t=' in first.headers["RateLimit"]
        codes = [program.get("takes").status_code for _time in range(4)]
        assert codes.count(429) >= 2  # another minute may begin in between
        last = program.get("me")
    assert last.status_code == 429
    assert 0 < int(last.headers["Retry-After"]) <= 60


def test_the_list_of_takes_needs_few_queries(
    trainee: User, cohort: Cohort, django_assert_max_num_queries: object
) -> None:
    for _number in range(6):
        RehearsalFactory(owner=trainee, cohort=cohort)
    program = Program(trainee)
    program.get("takes")
    with django_assert_max_num_queries(18):  # type: ignore[operator]
        assert len(program.get("takes").json()["results"]) == 6

"""Recordings that leave hold threads: few long pieces at once, and few to one reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.guests.services import make_link
from coach.lib.web.download_limit import (
    AT_ONCE,
    LONG_PIECE_BYTES,
    OF_A_READER,
    SHORT_PIECE_BYTES,
    outgoing,
)
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory

SIZE = LONG_PIECE_BYTES + SHORT_PIECE_BYTES
RANGE = {"range": "bytes=0-"}


@pytest.fixture(autouse=True)
def nothing_leaves() -> Iterator[None]:
    """Each test has taken what it asked for."""
    yield
    assert outgoing.on_the_way() == 0


@pytest.fixture
def long_take(trainee: User) -> Rehearsal:
    return RehearsalFactory(owner=trainee, content=bytes(SIZE))


@pytest.fixture
def crowd() -> Iterator[None]:
    """Others take as much as may leave at once."""
    for reader in range(AT_ONCE):
        outgoing.enter(f"other {reader}")
    yield
    for reader in range(AT_ONCE):
        outgoing.leave(f"other {reader}")


def media(take: Rehearsal) -> str:
    return reverse("rehearsals:media", args=[take.pk])


def take_all(answer: object) -> int:
    """Read to its end, as a player that goes on; how many bytes it was."""
    assert isinstance(answer, StreamingHttpResponse)
    return sum(len(piece) for piece in cast("Iterator[bytes]", answer))


def is_short(answer: object) -> bool:
    """Whether it is the first short piece, and no byte more or less; read to its end."""
    assert isinstance(answer, StreamingHttpResponse)
    assert answer.status_code == 206
    last = SHORT_PIECE_BYTES - 1
    return (
        answer.headers["Content-Range"] == f"bytes 0-{last}/{SIZE}"
        and answer.headers["Content-Length"] == str(SHORT_PIECE_BYTES)
        and take_all(answer) == SHORT_PIECE_BYTES
    )


def test_one_reader_has_no_more_long_pieces_on_the_way_than_a_browser_asks_for(
    long_take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    answers = [client.get(media(long_take), headers=RANGE) for _each in range(OF_A_READER)]
    assert {each.headers["Content-Length"] for each in answers} == {str(LONG_PIECE_BYTES)}
    refused = client.get(media(long_take))
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "5"
    assert is_short(client.get(media(long_take), headers=RANGE))
    assert outgoing.on_the_way() == OF_A_READER
    assert take_all(client.get(media(long_take), headers={"range": "bytes=-9"})) == 9
    assert client.head(media(long_take)).status_code == 200
    take_all(answers.pop())
    answers.append(client.get(media(long_take), headers=RANGE))
    assert answers[-1].headers["Content-Length"] == str(LONG_PIECE_BYTES)
    for each in answers:
        take_all(each)


def test_a_class_watches_by_one_link_in_short_pieces(long_take: Rehearsal) -> None:
    link, token = make_link(
        rehearsal=long_take, maker=long_take.owner, meant_for="Paul", days=7, shows_findings=False
    )
    answers = []
    for _each in range(OF_A_READER + 1):
        guest = Client()
        guest.post(reverse("guests:door", args=[token]), {"name": "Paul"})
        answers.append(guest.get(reverse("guests:media", args=[link.pk]), headers=RANGE))
    assert outgoing.on_the_way() == OF_A_READER
    assert is_short(answers.pop())
    for each in answers:
        take_all(each)


def test_where_many_recordings_leave_the_next_piece_is_short(
    long_take: Rehearsal, trainee: User, sign_in: SignIn, crowd: None
) -> None:
    client = sign_in(trainee)
    assert is_short(client.get(media(long_take), headers=RANGE))
    # What is whole cannot be short.
    assert client.get(media(long_take)).status_code == 503


def test_what_is_short_leaves_however_many_do(
    take: Rehearsal, trainee: User, sign_in: SignIn, crowd: None
) -> None:
    assert take_all(sign_in(trainee).get(media(take))) == 10


def test_what_nobody_reads_on_counts_no_more() -> None:
    outgoing.enter("somebody")
    stream = outgoing.until_taken("somebody", iter([b"a", b"b"]))
    assert outgoing.on_the_way() == 1
    assert next(stream) == b"a"
    del stream
    assert outgoing.on_the_way() == 0


def test_the_place_of_one_reader_is_not_given_back_by_a_refusal() -> None:
    assert all(outgoing.enter("somebody") for _each in range(OF_A_READER))
    assert not outgoing.enter("somebody")
    assert outgoing.on_the_way() == OF_A_READER
    for _each in range(OF_A_READER):
        outgoing.leave("somebody")

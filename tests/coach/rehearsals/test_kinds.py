"""The kinds of file stand in one place, which the page, the player and the analysis agree with."""

from __future__ import annotations

import pytest
from django.test import Client

from analysis.backends.media.sniff import CONTAINERS
from coach.accounts.models import User
from coach.rehearsals.media_types import KINDS, content_type, kinds_in_words
from tests.coach.conftest import SignIn


def test_each_container_that_the_analysis_names_is_a_kind_and_the_other_way_round() -> None:
    assert {kind.container for kind in KINDS} == CONTAINERS


def test_the_page_offers_and_names_these(trainee: User, sign_in: SignIn) -> None:
    client: Client = sign_in(trainee)
    page = client.get("/practise/new/").content.decode()
    for kind in KINDS:
        assert all(f"{end}," in page for end in kind.extensions)
    assert kinds_in_words() in page


@pytest.mark.parametrize(
    ("container", "has_video", "expected"),
    [
        ("mov", True, "video/mp4"),
        ("mkv", True, "video/x-matroska"),
        ("mkv", False, "application/octet-stream"),
        ("wav", False, "audio/wav"),
        ("unheard of", True, "application/octet-stream"),
    ],
)
def test_the_player_is_told_what_is_inside(container: str, has_video: bool, expected: str) -> None:
    assert content_type(container, has_video=has_video) == expected

"""Long lists page by page."""

from __future__ import annotations

import pytest
from django.test import RequestFactory
from django.urls import reverse

from coach.accounts.models import User
from coach.lib.pages import paging
from coach.lib.pages.paging import count_words, page_of, part_of
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach, withdraw_from_coach
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis


@pytest.fixture
def takes(trainee: User) -> list[str]:
    """45 takes of Ana, the newest first, by their titles."""
    made = [RehearsalFactory(owner=trainee, title=f"Talk {n:02d}") for n in range(45)]
    return [take.title for take in reversed(made)]


def _page(query: str) -> tuple[list[str], paging.Paging]:
    rows, where = page_of(RequestFactory().get(f"/?{query}"), Rehearsal.objects.all(), size=20)
    return [take.title for take in rows], where


def test_pages_follow_each_other_without_gap_and_say_where_they_stand(takes: list[str]) -> None:
    pages = [_page(f"page={number}") for number in (1, 2, 3)]
    assert [title for titles, _where in pages for title in titles] == takes
    assert [where.words for _titles, where in pages] == [
        "1–20 of 45",
        "21–40 of 45",
        "41–45 of 45",
    ]
    assert [where.following for _titles, where in pages] == ["?page=2", "?page=3", ""]
    assert [where.previous for _titles, where in pages] == ["", "?page=1", "?page=2"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("0", "1–20"),
        ("-3", "1–20"),
        ("x", "1–20"),
        ("٢", "1–20"),
        ("99", "41–45"),
        ("9" * 30, "1–20"),
    ],
)
@pytest.mark.usefixtures("takes")
def test_a_number_that_is_none_gives_the_nearest_page(asked: str, words: str) -> None:
    assert _page(f"page={asked}")[1].words == f"{words} of 45"


def test_rows_that_are_all_there_come_page_by_page_too() -> None:
    rows = list(range(1_045))
    parts = [
        part_of(RequestFactory().get(f"/?page={number}"), rows, size=500)
        for number in ("", "2", "9")
    ]
    assert [(shown[0], shown[-1]) for shown, _where in parts] == [
        (0, 499),
        (500, 999),
        (1000, 1044),
    ]
    assert [where.words for _shown, where in parts] == [
        "1–500 of 1,045",
        "501–1000 of 1,045",
        "1001–1045 of 1,045",
    ]
    assert parts[1][1].previous == "?page=1"
    assert parts[1][1].following == "?page=3"
    assert part_of(RequestFactory().get("/"), [], size=500)[1].is_needed is False


@pytest.mark.usefixtures("takes")
def test_filters_stay_from_page_to_page() -> None:
    assert _page("days=30&page=2")[1].following == "?days=30&page=3"


@pytest.mark.usefixtures("db")
def test_an_empty_list_has_no_pages() -> None:
    titles, where = _page("page=7")
    assert titles == []
    assert not where.is_needed


def test_no_more_are_counted_than_anybody_reads(
    takes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "MOST_COUNTED", 40)
    monkeypatch.setattr(paging.count_up_to, "__defaults__", (40,))
    monkeypatch.setattr(paging.count_words, "__defaults__", (40,))
    first, last = _page("page=1"), _page("page=2")
    assert first[1].words == "1–20 of more than 40"
    assert last[1].following == ""
    assert len(takes) == 45
    assert count_words(40) == "40"


@pytest.mark.usefixtures("takes")
def test_the_trainees_home_leads_on_to_older_takes(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    first = client.get(reverse("feedback:takes")).content.decode()
    assert "1–12 of 45" in first
    assert 'href="?page=2"' in first
    second = client.get(reverse("feedback:takes") + "?page=4").content.decode()
    assert "Talk 00" in second
    assert "Talk 44" not in second


def test_what_was_answered_waits_for_nobody_also_when_it_is_sent_again(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    sent.grants.update(answered_at=sent.created_at)
    withdraw_from_coach(rehearsal=sent)
    assert sent.title not in client.get(reverse("review:released")).content.decode()
    send_to_coach(rehearsal=sent, note="")
    waiting = client.get(reverse("review:queue")).content.decode()
    assert "No takes are waiting. You have answered everything" in waiting
    assert sent.title in client.get(reverse("review:released")).content.decode()


def test_the_queue_goes_on_page_by_page_the_longest_waiting_first(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    for number in range(26):
        take = RehearsalFactory(owner=sent.owner, cohort=sent.cohort, title=f"Later {number:02d}")
        finish_analysis(take)
        send_to_coach(rehearsal=take, note="")
    client = sign_in(coach)
    first = client.get(reverse("review:queue")).content.decode()
    assert first.index(sent.title) < first.index("Later 00") < first.index("Later 23")
    assert "Later 24" not in first
    assert "1–25 of 27" in first
    second = client.get(reverse("review:queue") + "?page=2").content.decode()
    assert "Later 24" in second
    assert "26–27 of 27" in second

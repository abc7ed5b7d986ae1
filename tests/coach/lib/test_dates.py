"""Pages say by whose clock their times are, and days are those of that place."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from coach.accounts.models import User
from coach.lib.web.reader_zone import COOKIE
from coach.lib.words.dates import date_words, latest_day
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn


def test_times_are_those_of_the_reader_or_the_foot_of_the_page_names_their_zone(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    page = reverse("feedback:report", args=[take.pk])
    Rehearsal.objects.filter(pk=take.pk).update(
        created_at=datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
    )
    client = sign_in(trainee)

    def read(zone: str) -> str:
        client.cookies[COOKIE] = zone
        return client.get(page).content.decode()

    with timezone.override(ZoneInfo("Asia/Kathmandu")):
        for nowhere in ("", "../../etc/passwd", "Europe", "Europe/Nowhere", "x" * 99):
            html = read(nowhere)
            assert "1 January 2027, 05:15" in html
            assert "Times: Asia/Kathmandu (UTC+05:45)" in html
        html = read("Pacific/Tahiti")
        assert "31 December 2026, 13:30" in html
        assert "Times:" not in html
        # Who reads elsewhere moves nobody else's clock.
        assert timezone.localdate(datetime(2026, 12, 31, 23, 30, tzinfo=UTC)) == date(2027, 1, 1)
        assert date_words(datetime(2026, 12, 31, 23, 30, tzinfo=UTC)) == "1 January 2027, 05:15"


PARIS = ZoneInfo("Europe/Paris")
TAHITI, KATHMANDU = ZoneInfo("Pacific/Tahiti"), ZoneInfo("Asia/Kathmandu")


@pytest.mark.parametrize(
    ("at", "zone", "english", "french"),
    [
        # The hour that there is twice, and the one that there never is.
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), PARIS, "25 October 2026, 02:30", None),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), PARIS, "25 October 2026, 02:30", None),
        (datetime(2027, 3, 28, 1, 0, tzinfo=UTC), PARIS, "28 March 2027, 03:00", None),
        # One moment at the turn of a year, in three places.
        (
            datetime(2026, 12, 31, 23, 30, tzinfo=UTC),
            PARIS,
            "1 January 2027, 00:30",
            "1er janvier 2027, 00:30",
        ),
        (datetime(2026, 12, 31, 23, 30, tzinfo=UTC), TAHITI, "31 December 2026, 13:30", None),
        (datetime(2026, 12, 31, 23, 30, tzinfo=UTC), KATHMANDU, "1 January 2027, 05:15", None),
        (
            datetime(2028, 2, 29, 12, 0, tzinfo=UTC),
            PARIS,
            "29 February 2028, 13:00",
            "29 février 2028, 13:00",
        ),
    ],
)
def test_a_moment_is_said_as_it_is_where_the_site_is(
    at: datetime, zone: ZoneInfo, english: str, french: str | None
) -> None:
    with timezone.override(zone):
        assert date_words(at) == english
        if french:
            with translation.override("fr"):
                assert date_words(at) == french


def test_a_day_that_has_begun_in_the_east_is_no_day_to_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for hour, day in ((9, date(2026, 12, 31)), (10, date(2027, 1, 1))):
        at = datetime(2026, 12, 31, hour, 30, tzinfo=UTC)
        monkeypatch.setattr(timezone, "now", lambda at=at: at)
        assert latest_day() == day

"""How far two coaches see items at the same moments, in figures and on the page."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from coach.accounts.models import Cohort, Role, User
from coach.lib.agreement import Level, krippendorff_alpha
from coach.rehearsals.services import send_to_coach
from coach.review.second.agreement import agreement_in
from coach.review.second.models import Decision, Opinion, Place
from coach.review.second.overlap import SeenTwice
from coach.review.selectors import groups_led_by
from coach.review.services import enqueue_sent
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, join
from tests.coach.review.second.judging import keeps


def seen(first: list[tuple[float, float]], second: list[tuple[float, float]]) -> SeenTwice:
    return SeenTwice(take="a", duration=100.0, first=first, second=second, is_marked=True)


class TestFigures:
    """Intersection over union, and alpha over the time of the talk."""

    @pytest.mark.parametrize(
        ("first", "second", "share"),
        [
            ([(10.0, 20.0)], [(10.0, 20.0)], 1.0),
            ([(10.0, 20.0)], [(15.0, 25.0)], 5 / 15),
            ([(10.0, 20.0)], [(30.0, 40.0)], 0.0),
            ([(10.0, 20.0), (40.0, 50.0)], [(10.0, 20.0)], 0.5),
            ([(10.0, 16.0), (14.0, 20.0)], [(10.0, 20.0)], 1.0),  # its own overlap counts once
        ],
    )
    def test_what_both_marked_of_what_either_did(
        self, first: list[tuple[float, float]], second: list[tuple[float, float]], share: float
    ) -> None:
        assert seen(first, second).overlap == pytest.approx(share)

    def test_alpha_takes_chance_out(self) -> None:
        same = krippendorff_alpha(list(seen([(10, 20)], [(10, 20)]).units()), Level.NOMINAL)
        apart = krippendorff_alpha(list(seen([(10, 20)], [(30, 40)]).units()), Level.NOMINAL)
        half = krippendorff_alpha(list(seen([(10, 20)], [(15, 25)]).units()), Level.NOMINAL)
        assert same.value == pytest.approx(1.0)
        # By hand: 10 of 100 s differ, 20 of 200 marked; expected 2 * .1 * .9.
        assert half.value == pytest.approx(1 - 0.1 / 0.18, abs=0.002)
        assert apart.value is not None
        assert apart.value < 0

    def test_the_slices_cover_the_talk(self) -> None:
        units = list(seen([(10.0, 20.0)], [(15.0, 25.04)]).units())
        assert sum(unit.count for unit in units) == pytest.approx(1_000, abs=1)


class TestThePage:
    """For who leads; nothing below twenty pairs."""

    def make(self, count: int, cohort: Cohort, coach: User, dora: User) -> None:
        """Takes whose item both would keep, seen five seconds apart."""
        for _each in range(count):
            trainee = UserFactory(email=f"{uuid4()}@example.org")
            join(cohort, trainee, Role.TRAINEE)
            take = RehearsalFactory(owner=trainee, cohort=cohort)
            finish_analysis(take)
            send_to_coach(rehearsal=take, note="")
            enqueue_sent()
            draft = take.feedback.get()
            for place, person, start in ((Place.FIRST, coach, 10.0), (Place.SECOND, dora, 15.0)):
                keeps(draft, person, place, (start, start + 10))

    def test_from_twenty_pairs_on_with_their_range(
        self, cohort: Cohort, coach: User, dora: User, leader: User, sign_in: SignIn
    ) -> None:
        self.make(19, cohort, coach, dora)
        client = sign_in(leader)
        page = client.get(reverse("review:agreement")).content.decode()
        assert "Cards that both would keep" in page
        assert "0.33 (" not in page
        self.make(1, cohort, coach, dora)
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert rows["kept"].n == rows["marked"].n == 20
        overlap = rows["marked"].overlap
        assert overlap is not None
        assert overlap.value == pytest.approx(1 / 3)
        assert overlap.low == pytest.approx(1 / 3)
        page = client.get(reverse("review:agreement")).content.decode()
        assert "0.33 (0.33 to 0.33)" in page
        table = client.get(reverse("review:agreement_csv")).content.decode().splitlines()
        assert table[0].endswith("why_none,overlap,overlap_low,overlap_high")
        assert table[-1].startswith("moments,marked,")
        assert table[-1].endswith("0.3333,0.3333,0.3333")

    def test_one_pair_or_many_are_read_in_three_queries(
        self,
        cohort: Cohort,
        coach: User,
        dora: User,
        leader: User,
        django_assert_num_queries: DjangoAssertNumQueries,
    ) -> None:
        for count in (1, 3):
            self.make(count, cohort, coach, dora)
            with django_assert_num_queries(3):
                agreement_in(groups_led_by(leader), {})

    def test_what_only_one_marked_is_left_out_of_the_second_line(
        self, cohort: Cohort, coach: User, dora: User, leader: User
    ) -> None:
        self.make(2, cohort, coach, dora)
        last = Opinion.objects.order_by("-pk")[0].rehearsal
        alone = Decision.objects.filter(opinion__rehearsal=last, opinion__place=Place.FIRST)
        alone.update(clips=[])
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert (rows["kept"].n, rows["marked"].n) == (2, 1)
        alone.update(tells_where=False)  # as of before moments were kept
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert (rows["kept"].n, rows["marked"].n) == (1, 1)
        Decision.objects.filter(opinion__place=Place.SECOND).update(kind=Decision.Kind.REJECT)
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert rows["kept"].n == 0

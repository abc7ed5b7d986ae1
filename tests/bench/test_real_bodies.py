"""Labels of real bodies, and how agreement with them is counted."""

from __future__ import annotations

import math
from pathlib import Path

from bench.watching import bodies_compared
from bench.watching.real_bodies import STATES, Pair, kappa, kappa_interval, labelled


def test_labels_are_of_enough_pictures_and_people_and_name_known_states() -> None:
    looks = labelled()
    assert len(looks) >= 150
    assert len({look.person for look in looks}) >= 12
    assert {*"".join(look.first + look.second for look in looks)} <= {*STATES, "m", "l"}


def test_movement_is_told_only_where_somebody_looked_for_it() -> None:
    seen = [look for look in labelled() if look.truth("M") is not None]
    assert seen
    assert all(look.truth("W") and look.seconds is not None for look in seen)


def test_without_a_labelled_film_one_line_says_where_they_come_from(tmp_path: Path) -> None:
    [line] = bodies_compared.lines([tmp_path], pose=None, hands=None)
    assert "docs/lab/bodies.md" in line


def test_kappa_leaves_out_what_chance_explains() -> None:
    pairs = [
        Pair(str(person), truth, other)
        for person in range(4)
        for truth, other in ((True, True), (True, False), (False, False), (False, False))
    ]
    assert math.isclose(kappa(pairs), 0.5)
    assert kappa_interval(pairs) == (0.5, 0.5)
    assert math.isnan(kappa([Pair("one", False, False)]))

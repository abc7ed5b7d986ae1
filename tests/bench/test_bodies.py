"""Bodies in still pictures, as the benchmark of watching makes and measures them."""

from __future__ import annotations

from pathlib import Path

from bench.watching.bodies import _turned_bodies


def test_a_turned_person_is_measured_although_the_picture_is_a_still(
    shared_media: Path, models: Path
) -> None:
    checks = _turned_bodies(shared_media)
    assert [each.is_met for each in checks] == [True, True]

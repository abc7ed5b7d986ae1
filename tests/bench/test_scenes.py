"""When somebody is seen to look down, aside, or is not there."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bench.judgement import faults
from bench.judgement.scenes import DOWN_SECONDS, Scene, scene_of, turn_at


@pytest.mark.parametrize(("strength", "a_minute"), [(0, 6), (1, 9), (2, 12)])
def test_looks_down_come_as_often_as_was_asked_and_lie_inside_the_talk(
    strength: int, a_minute: int
) -> None:
    scene = scene_of((faults.LOOKING_DOWN.name,), strength, 120.0)

    assert len(scene.spans) == 2 * a_minute
    assert all(start >= 0 and end <= 120 for start, end in scene.spans)
    assert all(end - start == pytest.approx(DOWN_SECONDS) for start, end in scene.spans)


@pytest.mark.parametrize("name", [faults.LOOKING_ASIDE.name, faults.NO_FACE.name])
def test_all_the_time_means_to_the_last_picture(name: str) -> None:
    [span] = scene_of((name,), 2, 100.0).spans
    assert span[0] == 0
    assert span[1] > 100


def test_a_share_of_the_time_is_that_share() -> None:
    scene = scene_of((faults.LOOKING_ASIDE.name,), 0, 120.0)
    assert sum(end - start for start, end in scene.spans) == pytest.approx(0.7 * 120)


def test_a_head_turns_in_steps_and_comes_back_as_it_went() -> None:
    scene = Scene(kind="down", spans=((10.0, 12.0),))
    turns = [turn_at(scene, 9.9 + step / 12) for step in range(28)]

    assert turns[0] == 0
    assert max(turns) == 1
    assert max(abs(b - a) for a, b in pairwise(turns)) <= 0.25 + 1e-9


def test_somebody_who_leaves_walks_out_of_the_picture_and_back_into_it() -> None:
    scene = scene_of((faults.NO_FACE.name,), 1, 60.0)
    turns = [turn_at(scene, step / 12) for step in range(13 * 12)]

    assert turns[0] == 0
    assert max(abs(b - a) for a, b in pairwise(turns)) <= 0.1 + 1e-9
    assert turns.count(1.0) / 12 == pytest.approx(0.8 * 12 - 2 * 0.9, abs=0.2)
    assert turn_at(scene_of((faults.NO_FACE.name,), 2, 60.0), 0.0) == 1

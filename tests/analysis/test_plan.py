"""The plan of an analysis: who gets which cores, and how long it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.pipeline import run_stage, shape_of
from analysis.plan import (
    DEFAULT_COSTS,
    Cost,
    Shape,
    cost_of,
    gain,
    most_cores,
    plan_for,
    usable_cores,
)
from analysis.ports import Options
from analysis.stage_roles import SIDE_BY_SIDE
from tests.coach.feedback.recordings import wav_bytes

FAST = "faster-whisper"


def talk(seconds: float = 300.0, **known: object) -> Shape:
    return Shape(seconds=seconds, **known)  # type: ignore[arg-type]


def test_what_is_not_there_costs_nothing() -> None:
    plan = plan_for(talk(has_picture=False), machine_cores=2)
    assert plan.stages["watch"].seconds == 0
    assert plan.stages["transcribe"].seconds > 0
    silent = plan_for(talk(has_sound=False), machine_cores=2)
    assert silent.stages["transcribe"].seconds == silent.stages["listen"].seconds == 0
    assert plan_for(talk(speech=0.0), machine_cores=2).stages["transcribe"].seconds == 0
    off = talk(switched_off=frozenset({"watch"}))
    assert plan_for(off, machine_cores=2).stages["watch"].seconds == 0


def test_one_core_is_shared_by_all_three() -> None:
    plan = plan_for(talk(), machine_cores=1)
    assert {plan.stages[name].cores for name in SIDE_BY_SIDE} == {1}
    work = sum(plan.stages[name].processor_seconds for name in SIDE_BY_SIDE)
    assert plan.measuring_seconds == pytest.approx(work)


def test_a_core_that_would_stand_idle_goes_to_the_longest_stage() -> None:
    costs = {
        ("transcribe", FAST): Cost(fixed=0.0, rate=0.1),
        ("watch", "picture"): Cost(fixed=0.0, rate=0.2),
    }
    two = plan_for(talk(engine=FAST), machine_cores=2, costs=costs)
    assert (two.stages["watch"].cores, two.stages["transcribe"].cores) == (2, 1)
    sixteen = plan_for(talk(engine=FAST), machine_cores=16, costs=costs)
    assert sixteen.stages["watch"].cores == most_cores("watch", talk())
    assert sixteen.measuring_seconds < two.measuring_seconds
    heard = plan_for(talk(engine=FAST, has_picture=False), machine_cores=16, costs=costs)
    assert heard.stages["transcribe"].cores > 1


def test_an_engine_that_gains_nothing_by_threads_is_given_none() -> None:
    plan = plan_for(talk(has_picture=False, engine="openai-whisper"), machine_cores=16)
    assert plan.stages["transcribe"].cores == 1
    french = talk(has_picture=False, engine="openai-whisper", reader="base")
    assert most_cores("transcribe", french) > 1


ENGINES = st.sampled_from(["openai-whisper", FAST])


@given(st.floats(1.0, 7200.0), st.integers(1, 64), st.booleans(), ENGINES)
def test_more_cores_never_make_it_slower_and_no_stage_has_more_than_there_are(
    seconds: float, cores: int, has_picture: bool, engine: str
) -> None:
    shape = talk(seconds, has_picture=has_picture, engine=engine)
    plan = plan_for(shape, machine_cores=cores)
    more = plan_for(shape, machine_cores=cores + 1)
    assert more.seconds <= plan.seconds + 1e-9
    assert all(1 <= stage.cores <= cores for stage in plan.stages.values())
    assert plan.seconds >= max(stage.seconds for stage in plan.stages.values())


def test_what_was_learned_for_a_kind_goes_before_the_default_for_all() -> None:
    learned = {("watch", "large"): Cost(fixed=0.0, rate=9.0)}
    small, large = talk(pixels=640 * 360), talk(pixels=1920 * 1080)
    assert cost_of("watch", large, learned).rate == 9.0
    assert cost_of("watch", small, learned) == DEFAULT_COSTS["watch", ""]
    assert cost_of("watch", large) == DEFAULT_COSTS["watch", "large"]


def test_a_short_talk_is_watched_in_as_many_pieces_as_it_has() -> None:
    assert most_cores("watch", talk(20.0)) == 2
    assert most_cores("watch", talk(70.0)) == 4
    assert most_cores("watch", talk(3600.0)) == 8


def test_a_stage_that_cannot_be_divided_gains_nothing() -> None:
    assert gain("listen", 8) == 1
    assert 1 < gain("watch", 2) < 2


def test_this_machine_has_a_core() -> None:
    assert usable_cores() >= 1


def test_the_shape_of_a_recording_is_that_of_the_part_that_is_measured(
    tmp_path: Path, models: Path
) -> None:
    path = tmp_path / "talk.wav"
    path.write_bytes(wav_bytes(6))
    options = Options(start=1.0, end=5.0, skip=frozenset({"gaze", "head", "posture", "gesture"}))
    run_stage("prepare", media_path=path, workdir=tmp_path / "work", options=options)
    shape = shape_of(tmp_path / "work", options)
    assert shape.seconds == pytest.approx(4.0)
    assert shape.speech == 0
    assert not shape.has_picture
    assert shape.switched_off == {"watch"}

"""The line played ahead: who is next, who waits, and who slows whom down."""

from __future__ import annotations

from typing import Any

import pytest

from coach.feedback.runs.forecast import Forecast, Hands, Task, forecast

KINDS = {"prepare": "media", "watch": "vision", "transcribe": "speech", "assemble": "default"}
CHAIN = {
    "prepare": set(),
    "watch": {"prepare"},
    "transcribe": {"prepare"},
    "assemble": {"watch", "transcribe"},
}


def crew(*, cores: int = 2, share: int = 2, machines: int = 1) -> Hands:
    workers = {
        f"{queue} {number}": (queue, number)
        for queue in KINDS.values()
        for number in range(machines)
    }
    return Hands(
        machines={name: f"machine {number}" for name, (_queue, number) in workers.items()},
        queues={name: {queue} for name, (queue, _number) in workers.items()},
        cores=cores,
        share=share,
    )


def run(name: str, person: str = "", *, cores: int = 1, **seconds: float) -> list[Task]:
    """A run of which nothing is done yet; a stage takes so many seconds."""
    return [
        Task(
            run=name,
            person=person or name,
            name=stage,
            kind=KINDS[stage],
            queue=KINDS[stage],
            needs=CHAIN[stage] & set(seconds),
            seconds=taken,
            cores=cores,
            patience=10 * taken,
        )
        for stage, taken in seconds.items()
    ]


def played(*runs: list[Task], **known: Any) -> Forecast:
    return forecast([task for some in runs for task in some], crew(**known), {})


def test_what_a_run_needs_comes_one_after_the_other_and_the_rest_side_by_side() -> None:
    found = played(run("a", prepare=1, watch=10, transcribe=6, assemble=2))
    assert found.foreseen["a"].seconds == pytest.approx(13)
    assert found.foreseen["a"].in_line == 0
    assert found.foreseen["a"].slowest == "watch"


def test_who_waits_for_a_worker_is_told_so() -> None:
    found = played(run("a", transcribe=10), run("b", transcribe=4))
    assert found.foreseen["b"].seconds == pytest.approx(4)
    assert found.foreseen["a"].seconds == pytest.approx(14)
    assert found.foreseen["a"].in_line == pytest.approx(4)


def test_short_ones_go_first_and_what_is_begun_goes_on() -> None:
    long = run("long", transcribe=100)
    long[0].left, long[0].worker = 30.0, "speech 0"
    found = played(long, run("b", transcribe=8), run("c", transcribe=5))
    assert found.foreseen["long"].seconds == pytest.approx(30)
    assert found.foreseen["c"].seconds == pytest.approx(35)
    assert found.foreseen["b"].seconds == pytest.approx(43)


def test_whoever_has_no_name_is_one_of_those_who_are_taken_to_be_there() -> None:
    """Else two would transcribe where one does, on a machine of nobody's."""
    begun = run("a", transcribe=20)
    begun[0].left = 20.0
    found = played(begun, run("b", transcribe=5))
    assert found.foreseen["a"].seconds == pytest.approx(20)
    assert found.foreseen["b"].seconds == pytest.approx(25)


def test_twenty_of_one_person_let_others_in_between() -> None:
    many = [run(f"many {n}", "keen", transcribe=10) for n in range(20)]
    found = played(*many, run("other", transcribe=10))
    assert found.foreseen["other"].seconds <= 30
    ends = [found.foreseen[f"many {n}"].seconds for n in range(20)]
    assert ends == sorted(ends)
    assert ends[-1] == pytest.approx(210)


def test_those_who_compute_on_one_machine_slow_each_other_down() -> None:
    first, second = run("a", transcribe=10), run("b", watch=10)
    alone = played(run("a", transcribe=10), cores=1).foreseen["a"].seconds
    both = played(first, second, cores=1)
    assert alone == pytest.approx(10)
    assert both.foreseen["a"].seconds == pytest.approx(20)
    own = played(run("a", transcribe=10, watch=10), cores=1)
    assert own.foreseen["a"].seconds == pytest.approx(20)


def test_whoever_works_with_low_priority_slows_others_down_less() -> None:
    """An hour that is watched in the background leaves most of the machine to three minutes."""
    long, short = run("long", watch=60, cores=2), run("short", transcribe=10)
    long[0].left, long[0].worker = 60.0, "vision 0"
    long[0].queue = "vision_long"
    found = played(long, short)
    assert found.foreseen["short"].seconds == pytest.approx(10)
    assert 63 < found.foreseen["long"].seconds < 75


def test_another_machine_takes_half_of_the_line() -> None:
    def many() -> list[list[Task]]:
        return [run(f"r{n}", transcribe=10) for n in range(8)]

    assert played(*many()).now == pytest.approx(80)
    assert played(*many(), machines=2).now == pytest.approx(40)


def test_cores_are_left_to_those_who_hold_them() -> None:
    held = run("a", transcribe=60, cores=2)
    held[0].left, held[0].worker = 60.0, "speech 0"
    free = played(run("b", watch=60, cores=2)).foreseen["b"].seconds
    beside = played(held, run("b", watch=60, cores=2)).foreseen["b"].seconds
    assert free < 60 < beside


def test_what_nobody_waits_for_takes_a_worker_and_no_time_of_its_run() -> None:
    copy = run("a", transcribe=50)
    copy[0].name, copy[0].is_awaited = "copy", False
    copy[0].left, copy[0].worker = 50.0, "speech 0"
    found = played([*copy, *run("a", watch=5)], run("b", transcribe=1))
    assert found.foreseen["a"].seconds == pytest.approx(5)
    assert found.foreseen["a"].slowest == "watch"
    assert found.foreseen["b"].seconds == pytest.approx(51)


def test_what_nobody_can_do_has_no_end() -> None:
    lost = run("a", transcribe=5)
    lost[0].needs = {"a stage that is not there"}
    found = played(lost, run("b", transcribe=5))
    assert not found.ends("a")
    assert found.ends("b")


def test_a_worker_of_several_queues_takes_what_is_due_first() -> None:
    one = Hands(machines={"w": "m"}, queues={"w": {"vision", "speech"}}, cores=2, share=2)
    tasks = [*run("a", watch=10), *run("b", transcribe=5)]
    found = forecast(tasks, one, {})
    assert found.foreseen["b"].seconds == pytest.approx(5)
    assert found.foreseen["a"].seconds == pytest.approx(15)


def test_who_has_had_a_turn_is_due_later() -> None:
    tasks = [*run("again", "keen", transcribe=10), *run("new", transcribe=10)]
    found = forecast(tasks, crew(), {("keen", "speech"): 500.0})
    assert found.foreseen["new"].seconds == pytest.approx(10)
    assert found.foreseen["again"].seconds == pytest.approx(20)


def test_while_only_a_copy_for_playback_is_made_its_run_waits() -> None:
    """Nobody works on the draft meanwhile, which is what is waited for."""
    late = run("b", prepare=0.0, transcribe=4)
    copy = run("b", prepare=20)[0]
    copy.name, copy.is_awaited, copy.left, copy.worker = "playback", False, 20.0, "media 0"
    first = run("a", transcribe=10)
    first[0].left, first[0].worker = 10.0, "speech 0"
    late[1].needs = set()
    found = played(first, [*late[1:], copy])
    assert found.foreseen["b"].seconds == pytest.approx(14)
    assert found.foreseen["b"].in_line == pytest.approx(10)


def test_what_comes_later_passes_and_is_nobody_of_whom_is_asked() -> None:
    late = [*run("new 1", transcribe=2), *run("new 2", transcribe=3)]
    line = [*run("a", transcribe=10), *run("b", transcribe=20)]
    found = forecast(line, crew(), {}, [(4.0, late[:1]), (12.0, late[1:]), (500.0, run("c"))])
    assert found.foreseen["a"].seconds == pytest.approx(10)
    assert found.foreseen["new 1"].seconds == pytest.approx(12)
    assert found.foreseen["new 2"].seconds == pytest.approx(15)
    assert found.foreseen["b"].seconds == pytest.approx(35)
    assert found.now == pytest.approx(35)

"""Figures of a replay, from the workers' database rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from bench.load.replay import ReplayResult, TakeObservation

CLOSE = 0.25
GROUPS = ("short", "twenty", "hour")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """Take from upload to draft, in seconds."""

    group: str
    handed_in: float
    total: float
    waiting: float
    """Seconds in which no stage of it ran."""
    work: float
    """CPU seconds of its stages, each counted once."""
    path: float
    """Seconds of its longest chain of stages, as they ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Figures of one replay."""

    name: str
    scale: float
    takes: int
    lost: int
    waits: dict[str, tuple[int, float, float]]
    """Count, median and p95 of the idle seconds, by group."""
    idle_share: float
    others_share: float
    ideal: float
    observed: float
    begun_again: int
    begun_again_without_a_kill: int
    finished_twice: int
    close: dict[str, tuple[int, int]]
    """Estimates that were right within a quarter, and their number, by time of the estimate."""
    ranges: dict[str, tuple[int, int, int]]
    """Estimates that were right as shown (within a quarter of the time, or within the range), their
    number, and the number of ranges, by time of the estimate.
    """
    notes: list[str]


def figures(played: ReplayResult, cores: int) -> Figures:
    """Compute the figures of a replay."""
    ended = [each for seen in played.takes if (each := _ended(seen)) is not None]
    last = max((each.handed_in + each.total for each in ended), default=played.began)
    again, unexplained = _begun_again(played.takes)
    took = played.cores
    return Figures(
        name=played.name,
        scale=played.scale,
        takes=len(played.takes),
        lost=len(played.takes) - len(ended),
        waits={
            group: median_and_p95([e.waiting for e in ended if e.group == group])
            for group in GROUPS
        },
        idle_share=took.idle / took.all if took.all else 0.0,
        others_share=max(1 - (took.idle + took.ours) / took.all, 0.0) if took.all else 0.0,
        ideal=_ideal(ended, cores, played.began),
        observed=last - played.began,
        begun_again=again,
        begun_again_without_a_kill=unexplained,
        finished_twice=_finished_twice(played.takes),
        close={when: _close(played.takes, when) for when in ("handed in", "opened")},
        ranges={when: _as_told(played.takes, when) for when in ("handed in", "opened")},
        notes=played.notes,
    )


def _ended(seen: TakeObservation) -> Ended | None:
    seen.run.refresh_from_db()
    if seen.run.state != "done" or seen.run.finished_at is None:
        return None
    stages = [stage for stage in seen.run.stages.all() if stage.name != "playback"]
    spans = {
        stage.name: (stage.started_at.timestamp(), stage.finished_at.timestamp())
        for stage in stages
        if stage.started_at and stage.finished_at
    }
    total = seen.run.finished_at.timestamp() - seen.handed_in
    lengths = {name: end - start for name, (start, end) in spans.items()}
    beside = max(lengths[name] for name in ("transcribe", "listen", "watch"))
    return Ended(
        group=seen.take.group,
        handed_in=seen.handed_in,
        total=total,
        waiting=max(total - _covered(spans.values()), 0.0),
        work=sum(stage.processor_seconds or 0.0 for stage in stages),
        path=lengths["prepare"] + beside + lengths["assemble"] + lengths["draft"],
    )


def _covered(spans: Iterable[tuple[float, float]]) -> float:
    covered, reached = 0.0, 0.0
    for start, end in sorted(spans):
        covered += max(end - max(start, reached), 0.0)
        reached = max(reached, end)
    return covered


def _ideal(ended: Sequence[Ended], cores: int, began: float) -> float:
    """Return the earliest possible end for any order, since later arrivals are processed later."""
    least = 0.0
    for each in ended:
        later = [other for other in ended if other.handed_in >= each.handed_in]
        at = each.handed_in - began
        least = max(least, at + sum(other.work for other in later) / cores, at + each.path)
    return least


def _begun_again(takes: Sequence[TakeObservation]) -> tuple[int, int]:
    again = unexplained = 0
    for seen in takes:
        for key, attempts in seen.run.stages.values_list("pk", "attempts"):
            if attempts > 1:
                again += attempts - 1
                unexplained += key not in seen.hit
    return again, unexplained


def _finished_twice(takes: Sequence[TakeObservation]) -> int:
    from coach.audit.models import Entry  # noqa: PLC0415 - Django is set up only now

    twice = 0
    for seen in takes:
        ends = Entry.objects.filter(action="feedback.run_finished", object_id=str(seen.run.pk))
        twice += ends.count() > 1 or seen.run.feedback.count() > 1
    return twice


def _close(takes: Sequence[TakeObservation], when: str) -> tuple[int, int]:
    """Return how many estimates were close, for runs without a killed stage."""
    told = _told_unhit(takes, when)
    return sum(_is_close(soonest, left) for soonest, _latest, left in told), len(told)


def _as_told(takes: Sequence[TakeObservation], when: str) -> tuple[int, int, int]:
    told = _told_unhit(takes, when)
    right = sum(_is_close(min(max(left, soonest), latest), left) for soonest, latest, left in told)
    return right, len(told), sum(latest > soonest for soonest, latest, _left in told)


def _is_close(told: float, left: float) -> bool:
    return abs(told - left) <= CLOSE * left


def _told_unhit(takes: Sequence[TakeObservation], when: str) -> list[tuple[float, float, float]]:
    return [each for seen in takes if not seen.hit and (each := _told(seen, when)) is not None]


def _told(seen: TakeObservation, when: str) -> tuple[float, float, float] | None:
    """Return the shortest and longest estimate and the true time, in seconds."""
    if when not in seen.guesses or seen.run.finished_at is None:
        return None
    at, told, latest = seen.guesses[when]
    return round(told, 1), round(latest, 1), round(seen.run.finished_at.timestamp() - at, 1)


def median_and_p95(values: Sequence[float]) -> tuple[int, float, float]:
    """Return the count, the median and the 95th percentile."""
    if not values:
        return 0, 0.0, 0.0
    ordered = sorted(values)
    return len(ordered), median(ordered), ordered[min(int(0.95 * len(ordered)), len(ordered) - 1)]


def lines(found: Figures) -> list[str]:
    """Return the figures as sentences."""
    ratio = found.ideal / found.observed
    told = [
        (
            f"{found.name}: {found.takes} takes, {found.lost} lost; ideal over observed time "
            f"{found.ideal:.0f} / {found.observed:.0f} s = {ratio:.2f}; idle share of the cores "
            f"{found.idle_share:.2f}, other programs {found.others_share:.2f}"
        ),
        f"  {'waiting in line':<16}{'n':>4}{'median':>9}{'p95':>9}   at full length",
    ]
    for group, (count, middle, high) in found.waits.items():
        if count:
            told.append(
                f"  {group:<16}{count:>4}{middle:>7.1f} s{high:>7.1f} s   "
                f"{middle * found.scale / 60:.1f} and {high * found.scale / 60:.1f} minutes"
            )
    told += [f"  {note}" for note in found.notes]
    told.append(
        f"  begun again {found.begun_again} (without a kill "
        f"{found.begun_again_without_a_kill}), finished twice {found.finished_twice}"
    )
    right = ", ".join(f"when {when} {a} of {b}" for when, (a, b) in found.close.items())
    told.append(f"  estimates within 25%: {right}")
    as_told = ", ".join(
        f"when {when} {a} of {b} (a range for {ranges})"
        for when, (a, b, ranges) in found.ranges.items()
    )
    told.append(f"  right as told: {as_told}")
    return told

"""Benchmark `faults`: kill parts of a running demonstration and check that each run still ends."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import av
import django

from bench.faults_at_hand import Site
from coach.lib import embedded
from coach.lib.work.outages import retry_while_away
from demo.recording import build

if TYPE_CHECKING:
    from coach.accounts.models import User
    from coach.feedback.models import Run
    from coach.rehearsals.models import Rehearsal

ROOT = Path(__file__).resolve().parents[1]
CLIP_SECONDS = 24
LOST_AFTER_SECONDS = 240.0
LOOK_SECONDS = 0.1
KINDS = (
    *("child", "worker", "parent", "backend", "child", "postgres", "valkey", "worker"),
    "everything",
)
"""Faults in this order, repeated; `faults_at_hand.Site` explains each."""


@dataclass(frozen=True, slots=True)
class FaultOutcome:
    """Fault and the result of the run."""

    kind: str
    taken_up: float | None
    """Seconds from the fault until another process had resumed the last running stage."""
    report: float | None
    """Seconds from the fault to the report; None if it never came."""
    finishes: int
    drafts: int


def main(arguments: Sequence[str]) -> int:
    """Run the campaign and print the table."""
    chosen = _arguments(arguments)
    site = Site(chosen.folder.resolve(), chosen.port)
    found: list[FaultOutcome] = []
    dice = random.Random(chosen.seed)  # noqa: S311
    with site:
        _open_database(site)
        take = _take(_clip(chosen.video, site.folder))
        _undisturbed(take)
        deadline = time.monotonic() + 60 * chosen.minutes
        while len(found) < chosen.faults and time.monotonic() < deadline:
            found.append(_try_one(site, take, KINDS[len(found) % len(KINDS)], dice))
            print(json.dumps(asdict(found[-1])), flush=True)
    print("\n".join(_lines(found)))
    return int(any(each.report is None or each.drafts != 1 for each in found))


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=20, help="how many in all")
    parser.add_argument("--minutes", type=float, default=60.0, help="begin none after so many")
    parser.add_argument("--video", type=Path, help="default: the demonstration recording")
    parser.add_argument("--folder", type=Path, default=ROOT / "var" / "faults")
    parser.add_argument("--port", type=int, default=8630)
    parser.add_argument("--seed", type=int, default=0, help="the moments of the faults")
    return parser.parse_args(arguments)


def _clip(video: Path | None, folder: Path) -> Path:
    """Return the first 24 seconds of the video, without encoding."""
    whole = video or build(embedded.data_dir() / "demo", say=print)
    clip = folder / "clip.mp4"
    with av.open(str(whole)) as source, av.open(str(clip), "w") as target:
        copies = {each: target.add_stream_from_template(each) for each in source.streams}
        for packet in source.demux():
            if packet.pts is not None and packet.pts * packet.time_base < CLIP_SECONDS:
                packet.stream = copies[packet.stream]
                target.mux(packet)
    return clip


def _open_database(site: Site) -> None:
    os.environ.update(site.environment, DJANGO_SETTINGS_MODULE="coach.settings", LOG_LEVEL="ERROR")
    django.setup()


def _take(clip: Path) -> Rehearsal:
    # Models can only be imported after Django is set up.
    from coach.accounts.models import Role  # noqa: PLC0415
    from coach.portal.demonstration.seeding import seed_people, seed_rehearsal  # noqa: PLC0415
    from coach.rehearsals.models import Rehearsal  # noqa: PLC0415

    owner: User = seed_people()[Role.TRAINEE]
    seed_rehearsal(owner=owner, video=clip, is_constructed=True)
    take = Rehearsal.objects.filter(owner=owner).earliest("created_at")
    for run in take.runs.filter(state="running"):
        _wait_for_the_end(run)
    return take


def _undisturbed(take: Rehearsal) -> None:
    run = _start(take)
    print(f"without a fault the report is there after {_wait_for_the_end(run) or 0:.1f} s")


def _start(take: Rehearsal) -> Run:
    from coach.feedback.services import start_run  # noqa: PLC0415

    return retry_while_away(lambda: start_run(rehearsal=take, actor=take.owner))


def _wait_for_the_end(run: Run) -> float | None:
    began = time.monotonic()
    while time.monotonic() - began < LOST_AFTER_SECONDS:
        retry_while_away(run.refresh_from_db)
        if run.state != "running":
            return time.monotonic() - began if run.state == "done" else None
        time.sleep(LOOK_SECONDS)
    return None


def _try_one(site: Site, take: Rehearsal, kind: str, dice: random.Random) -> FaultOutcome:
    run = _start(take)
    time.sleep(dice.uniform(0.3, 8.0))
    running = _running(run)
    hit_at = time.monotonic()
    getattr(site, kind)(dice, [holder for holder, _tries in running.values()])
    taken_up, report = _follow(run, running, hit_at)
    drafts, finishes = _counted(run)
    site.settle()
    return FaultOutcome(
        kind=kind,
        taken_up=max((round(at, 1) for at in taken_up.values()), default=None),
        report=None if report is None else round(report, 1),
        finishes=finishes,
        drafts=drafts,
    )


def _running(run: Run) -> dict[int, tuple[str, int]]:
    """Return the holder and the attempts of each running stage."""
    rows = run.stages.filter(state="running").values_list("pk", "holder", "attempts")
    return {key: (holder, tries) for key, holder, tries in rows}


def _follow(
    run: Run, before: dict[int, tuple[str, int]], hit_at: float
) -> tuple[dict[int, float], float | None]:
    """Return when each running stage was resumed, and when the report was complete."""
    taken_up: dict[int, float] = {}
    while time.monotonic() - hit_at < LOST_AFTER_SECONDS:
        tries = dict(retry_while_away(lambda: list(run.stages.values_list("pk", "attempts"))))
        for key, (_holder, earlier) in before.items():
            if tries[key] > earlier:
                taken_up.setdefault(key, time.monotonic() - hit_at)
        retry_while_away(run.refresh_from_db)
        if run.state != "running":
            return taken_up, time.monotonic() - hit_at if run.state == "done" else None
        time.sleep(LOOK_SECONDS)
    return taken_up, None


def _counted(run: Run) -> tuple[int, int]:
    from coach.audit.models import Entry  # noqa: PLC0415

    finishes = Entry.objects.filter(action="feedback.run_finished", object_id=str(run.pk))
    return run.feedback.count(), finishes.count()


def _lines(found: Sequence[FaultOutcome]) -> list[str]:
    lines = [f"{'fault':<12}{'n':>4}{'ended':>7}{'taken up s (median, worst)':>28}{'report s':>16}"]
    for kind in (*dict.fromkeys(each.kind for each in found), "all"):
        of = [each for each in found if kind == "all" or each.kind == kind]
        up = [each.taken_up for each in of if each.taken_up is not None]
        reports = [each.report for each in of if each.report is not None]
        lines.append(f"{kind:<12}{len(of):>4}{len(reports):>7}{_span(up):>28}{_span(reports):>16}")
    doubled = sum(each.drafts > 1 or each.finishes > 1 for each in found)
    lost = sum(each.report is None for each in found)
    lines.append(f"{len(found)} faults: {lost} runs lost, {doubled} doubled")
    return lines


def _span(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.1f}, {max(seconds):.1f}" if seconds else "none lost"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

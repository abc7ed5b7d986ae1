"""Benchmark `load`: many takes, scaled down, on workers that join, leave and are killed."""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from analysis.plan import Shape, usable_cores
from bench.document import ROOT, publish
from bench.load import school
from bench.load.clips import Clips
from bench.load.figures import Figures, figures, lines
from bench.load.replay import Replay, ReplayPlayer
from bench.load.trace import SCALE, one_by_one, skewed
from bench.load.workers import Workers
from bench.site import installation
from coach.lib.embedded import Valkey

_KILL_EVERY_SECONDS = 20.0
"""Some minutes at full length."""
_LONG_STAGE_SECONDS = 6
"""The setting's two minutes, scaled."""
_WARMING = "warming up"


def main(arguments: Sequence[str]) -> int:
    """Print the figures; return 1 if a run was lost or finished twice."""
    chosen = _arguments(arguments)
    signal.signal(signal.SIGTERM, _end)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="rostrum-load-") as name:
        broker = Valkey(Path(name) / "valkey")
        os.environ |= {
            "CELERY_BROKER_URL": broker.join(),
            "ROSTRUM_ANALYSES_PER_HOUR": "100000",
        }
        try:
            with installation() as folder:
                found = _play_all(chosen, folder)
                limits = _limits(chosen.seed)
        finally:
            broker.leave()
    told = [
        f"{usable_cores()} cores; lengths and moments divided by {SCALE:.0f}, but for those alone",
        *(line for each in found for line in lines(each)),
        *limits,
        f"seed {chosen.seed}, {time.monotonic() - began:.0f} s in all",
    ]
    block = ("```text", *told, "```")
    publish("load", block, is_written=chosen.write)
    return int(any(each.lost or each.finished_twice for each in found))


def _end(*_what: object) -> None:
    """End the workers and servers, too, which have their own process groups.

    A second signal would end this process before it has finished.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("ending the workers and servers", flush=True)
    sys.exit(128 + signal.SIGTERM)


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench load", description=__doc__)
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--quick", action="store_true", help="a third of it, and no joining")
    parser.add_argument("--only", nargs="+", metavar="REPLAY", help="such as 'workers killed'")
    parser.add_argument("--write", action="store_true", help="update docs/lab/load.md")
    chosen = parser.parse_args(arguments)
    if chosen.write and (chosen.only or chosen.quick):
        parser.error("--write writes down the whole of it, and goes with no option but --seed")
    return chosen


def _play_all(chosen: argparse.Namespace, folder: Path) -> list[Figures]:
    from django.conf import settings  # noqa: PLC0415 - Django is set up only now
    from django.test import override_settings  # noqa: PLC0415

    from coach.portal.demonstration.seeding import seed_people  # noqa: PLC0415

    seed_people()
    clips = Clips(_sources())
    cores, found = usable_cores(), []
    replays = [
        each
        for each in _replays(quick=chosen.quick, seed=chosen.seed)
        if not chosen.only or each.name in chosen.only
    ]
    for is_scaled in (False, True):
        some = [each for each in replays if (each.scale > 1 and each.name != _WARMING) == is_scaled]
        long = _LONG_STAGE_SECONDS if is_scaled else settings.LONG_STAGE_SECONDS
        told = {**os.environ, "ROSTRUM_LONG_STAGE_SECONDS": str(long)}
        if not some:
            continue
        with override_settings(LONG_STAGE_SECONDS=long), Workers(folder, told) as workers:
            player = ReplayPlayer(workers, clips, folder)
            for each in some:
                played = player.play(each, random.Random(chosen.seed))  # noqa: S311
                found.append(figures(played, cores))
                print("\n".join(lines(found[-1])), flush=True)
    return found


def _replays(*, quick: bool, seed: int) -> list[Replay]:
    share = 0.34 if quick else 0.5
    kills = {_KILL_EVERY_SECONDS * n: "kill" for n in range(1, 30)}
    moves = {10.0: "join", 40.0: "leave"}
    replays = [
        # The first replays load models and let the site learn its costs.
        Replay(name=_WARMING, takes=one_by_one(3, first=100, scale=SCALE), one_by_one=True),
        Replay(name="alone", takes=one_by_one(3 if quick else 10), one_by_one=True, scale=1.0),
        Replay(name="a crowd", takes=skewed(seed, share=share if quick else 1.0)),
        Replay(name="workers killed", takes=skewed(seed + 1, share=share), events=kills),
        Replay(name="workers come and go", takes=skewed(seed + 2, share=share), events=moves),
    ]
    return replays[:-1] if quick else replays


def _sources() -> Path:
    """Return the directory of the clips, kept between runs because building them is slow."""
    return ROOT / "bench" / "out" / "clips"


def _limits(seed: int) -> list[str]:
    """Return the limits of the components behind the workers, and the needs of a school at these
    costs.
    """
    from django.conf import settings  # noqa: PLC0415 - Django is set up only now

    from bench.load.limits import measured  # noqa: PLC0415
    from coach.feedback.runs.costs import learned_costs  # noqa: PLC0415

    def shape(seconds: float) -> Shape:
        return Shape(seconds=seconds, engine=settings.SPEECH_ENGINE, reader=settings.WHISPER_SIZE)

    costs = learned_costs()
    told = [
        f"cost of {stage} {kind}: {cost.fixed:.2f} s + {cost.rate:.4f} x media of the processor, "
        f"{cost.stretch:.1f} times as long on the clock"
        for (stage, kind), cost in sorted(costs.items())
    ]
    return [*told, *measured(), *school.lines(costs, shape, seed=seed)]

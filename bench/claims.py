"""Benchmark `claims`: fifty coaches claiming from one queue of 2,000, all at once and at work."""

from __future__ import annotations

import argparse
import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing.synchronize import Barrier
from typing import Any

from bench.site import installation

COACHES, ROUNDS = 50, 8
GOAL_P99_MS = 100
PAUSE_SECONDS = 4.0
"""Average pause between a coach's reviews is half of this: far shorter than any real review."""
ROWS_A_PAGE = 25
PATIENCE_SECONDS = 120.0
"""Longest wait for all processes to start."""


def main(arguments: Sequence[str]) -> int:
    """Print double claims, starved coaches and the time of a claim; return 1 if a goal is
    missed."""
    parser = argparse.ArgumentParser(prog="python -m bench claims", description=__doc__)
    parser.parse_args(list(arguments))
    with installation():
        coaches = _crowd()
        at_once = _measure(coaches, rounds=1, pause=0.0)
        at_work = _measure(coaches, rounds=ROUNDS, pause=PAUSE_SECONDS)
    wrong = 0
    for name, claims in (("all at once", at_once), ("at work", at_work)):
        wrong += _print(name, claims)
    print(f"Goal: no double claim, nobody starved, p99 {GOAL_P99_MS} ms at work.")
    return int(wrong > 0 or _percentile(at_work, 99) > GOAL_P99_MS)


Claim = tuple[int, int | None, float]
"""Coach, claimed review, and time in milliseconds."""


def _crowd() -> list[Any]:
    factories = import_module("tests.coach.factories")
    people = import_module("coach.accounts.models")
    sending = import_module("coach.rehearsals.services")
    cohort = people.Cohort.objects.create(name="Monday group", reply_hours=48)
    trainee = factories.UserFactory()
    factories.join(cohort, trainee, people.Role.TRAINEE)
    coaches = [factories.UserFactory(roles=[people.Role.COACH]) for _each in range(COACHES)]
    for each in coaches:
        factories.join(cohort, each, people.Role.COACH)
    take = factories.RehearsalFactory(owner=trainee, cohort=cohort)
    factories.finish_analysis(take)
    sending.send_to_coach(rehearsal=take, note="")
    import_module("bench.crowd").seed_crowd(take=take, coach=coaches[0])
    return coaches


def _measure(coaches: list[Any], *, rounds: int, pause: float) -> list[Claim]:
    """Let each coach claim and answer this many takes in turn.

    Each coach has its own process, as requests of several coaches are answered by several processes
    of a site; threads of one process would wait for each other's Python.
    """
    connections = import_module("django.db").connections
    _warm_up(coaches[0])
    connections.close_all()  # a connection belongs to one process
    forking = multiprocessing.get_context("fork")
    start = forking.Barrier(len(coaches))
    with ProcessPoolExecutor(
        len(coaches), mp_context=forking, initializer=_begin_together, initargs=(start,)
    ) as crowd:
        working = [crowd.submit(_work, each, rounds, pause) for each in coaches]
        return [claim for each in working for claim in each.result()]


def _warm_up(coach: Any) -> None:
    """Claim once before the measurement, so that Python has loaded its modules."""
    services = import_module("coach.review.services")
    selectors = import_module("coach.review.selectors")
    review = services.claim_next(coach=coach, wanted=selectors.QueueFilter())
    services.give_back(rehearsal=review.rehearsal, coach=coach)


_START: list[Barrier] = []


def _begin_together(start: Barrier) -> None:
    _START.append(start)


def _work(coach: Any, rounds: int, pause: float) -> list[Claim]:
    """Open the queue as one coach and claim from it repeatedly."""
    services = import_module("coach.review.services")
    selectors = import_module("coach.review.selectors")
    chance = random.Random(coach.pk)  # noqa: S311 - pauses, not secrets
    list(selectors.waiting_for(coach)[:ROWS_A_PAGE])
    _START[-1].wait(PATIENCE_SECONDS)
    claims: list[Claim] = []
    for _round in range(rounds):
        time.sleep(chance.random() * pause)
        started = time.perf_counter()
        review = services.claim_next(coach=coach, wanted=selectors.QueueFilter())
        taken = 1000 * (time.perf_counter() - started)
        claims.append((coach.pk, review.pk if review else None, taken))
        if review is not None:
            services.finish_review(rehearsal=review.rehearsal, coach=coach)
    import_module("django.db").connections.close_all()
    return claims


def _print(name: str, claims: list[Claim]) -> int:
    taken = Counter(review for _coach, review, _ms in claims if review is not None)
    double = sum(count - 1 for count in taken.values())
    starved = len({coach for coach, review, _ms in claims if review is None})
    print(
        f"{name:<12} {len(claims)} claims by {COACHES} coaches, {double} double, "
        f"{starved} starved, "
        f"p50 {_percentile(claims, 50):.0f} ms, p99 {_percentile(claims, 99):.0f} ms"
    )
    return double + starved


def _percentile(claims: list[Claim], share: int) -> float:
    times = sorted(taken for _coach, _review, taken in claims)
    return times[min(len(times) * share // 100, len(times) - 1)]

"""`python -m bench claims`: fifty coaches take from one queue of 2,000, all at once and at work."""

from __future__ import annotations

import argparse
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from bench.site import installation

COACHES, ROUNDS = 50, 8
GOAL_P99_MS = 100
PAUSE_SECONDS = 4.0
"""At work, a coach takes the next one so long after the last, on average a half: far more often
than anybody can review."""


def main(arguments: Sequence[str]) -> int:
    """Print double claims, starved coaches, and how long a claim takes; 1 where one is missed."""
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
"""Whose, which review, and how many milliseconds it took."""


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
    """Each coach takes so many in turn, and answers what they took."""
    services = import_module("coach.review.services")
    selectors = import_module("coach.review.selectors")
    connection = import_module("django.db").connection
    claims: list[Claim] = []
    start = threading.Barrier(len(coaches))

    def work(coach: Any) -> None:
        chance = random.Random(coach.pk)  # noqa: S311 - pauses, not secrets
        connection.ensure_connection()
        start.wait()
        for _round in range(rounds):
            time.sleep(chance.random() * pause)
            started = time.perf_counter()
            review = services.claim_next(coach=coach, wanted=selectors.QueueFilter())
            taken = 1000 * (time.perf_counter() - started)
            claims.append((coach.pk, review.pk if review else None, taken))
            if review is not None:
                services.finish_review(rehearsal=review.rehearsal, coach=coach)
        connection.close()

    _all(coaches, work)
    return claims


def _all(coaches: list[Any], work: Callable[[Any], None]) -> None:
    threads = [threading.Thread(target=work, args=(each,)) for each in coaches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


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

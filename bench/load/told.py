"""Simulation of how often the waiting times that are told come true, on whole days in a rush.

Computed, not observed: the line is played with the product's own forecast (`coach.feedback.runs`),
which knows what is there and guesses who will come; then with everybody who does come, and with
stages that take longer or shorter than expected. So hours of many days are seen in minutes.
"""

from __future__ import annotations

import copy
import math
import random
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from statistics import median

from django.conf import settings

from analysis.plan import DEFAULT_COSTS, Shape, plan_for
from bench.load.school import RUSH_SECONDS, SPREAD, USUAL_MINUTES
from bench.load.trace import SCALE, skewed
from coach.feedback.runs.arrivals import FEWEST_PEOPLE, once_more
from coach.feedback.runs.estimates import Estimate
from coach.feedback.runs.forecast import Forecast, Hands, Key, Task
from coach.feedback.runs.plan import PLAN
from coach.feedback.runs.turns import PATIENCE, expected_seconds, queue_for
from coach.lib.work.queues import PROCESSES, WORKERS, kind_of_work

_DAYS = 6
_CORES = 2
_CLOSE = 0.25
_MANY = 5
_UNEVEN = 0.15
"""How much stages differ from what is expected of them: a log-normal spread (assumed; of ten takes
alone on a site nine took what was told within a quarter)."""
_WITH_PICTURE, _PEOPLE, _EVEN_SECONDS, _EVEN_PEOPLE = 0.75, 100, 7200.0, 60


@dataclass(frozen=True, slots=True)
class Coming:
    """One take that is handed in `at` some second of a day."""

    at: float
    person: int
    seconds: float
    has_picture: bool


@dataclass(frozen=True, slots=True)
class Told:
    """The estimate when a take was handed in, and the true time, in seconds."""

    soonest: float
    latest: float
    true: float
    is_one_of_many: bool
    """Of one person, who lets others pass."""

    @property
    def is_right(self) -> bool:
        """Return whether it is within a quarter of the time, or of the range."""
        nearest = min(max(self.true, self.soonest), self.latest)
        return abs(nearest - self.true) <= _CLOSE * self.true

    @property
    def is_range(self) -> bool:
        """Return whether two times were told."""
        return self.latest > self.soonest


def told_lines(seed: int) -> Iterator[str]:
    """Yield one line for each kind of day."""
    yield f"computed, not observed: what is told on {_DAYS} days of each kind, {_CORES} cores"
    for name, day in _DAYS_OF.items():
        told = [each for number in range(_DAYS) for each in played(day(seed + number), seed)]
        for is_one_of_many in (False, True):
            some = [each for each in told if each.is_one_of_many == is_one_of_many]
            who = f"{name}, who hands in {_MANY} and more" if is_one_of_many else name
            if some:
                yield f"  {who}: {_in_words(some)}"


def _in_words(told: Sequence[Told]) -> str:
    right = sum(each.is_right for each in told)
    wide = [each.latest / each.soonest for each in told if each.is_range]
    ends = f", its end {median(wide):.1f} times its beginning" if wide else ""
    share = right / len(told)
    return f"right as told {right} of {len(told)} ({share:.2f}); a range for {len(wide)}{ends}"


def played(takes: Sequence[Coming], seed: int) -> list[Told]:
    """Return the estimate of each take and its true time."""
    line = _Day(takes, random.Random(seed))  # noqa: S311 - the same every time is the point
    line.play()
    many = Counter(take.person for take in takes)
    found = []
    for number, (soonest, latest) in line.said.items():
        take = takes[number]
        true = line.foreseen[number].seconds - take.at
        found.append(Told(soonest, latest, true, many[take.person] >= _MANY))
    return found


class _Day(Forecast):
    """A day on which everybody comes as planned, and each is told an estimate."""

    def __init__(self, takes: Sequence[Coming], dice: random.Random) -> None:
        super().__init__(_hands(), {})
        self.takes = takes
        self.said: dict[int, tuple[float, float]] = {}
        self.true: dict[tuple[Key, str], float] = {}
        self.come: list[int] = []
        for number, take in enumerate(takes):
            tasks = _tasks(take, number, take.person)
            for task in tasks:
                self.true[number, task.name] = math.exp(dice.gauss(0, _UNEVEN))
            self.later.append((take.at, tasks))

    def play(self) -> None:
        """Play until the last take is done."""
        while self.later or any(self._unfinished.values()):
            self._let_come()
            self._begin_what_can()
            if self._running:
                self._move_on()
            else:
                self.now = self.later[0][0]

    def _let_come(self) -> None:
        fresh = sum(at <= self.now for at, _tasks in self.later)
        super()._let_come()
        for number in range(len(self.come), len(self.come) + fresh):  # in the order of the day
            self.come.append(number)
            alone = self._ahead([])
            found = Estimate(
                seconds=alone.foreseen[number].seconds - self.now,
                in_line=0,
                slowest="",
                is_worked_on=True,
                weights={},
                if_others_come=self._crowded(number, alone.now - self.now),
                own_before=sum(
                    self.takes[one].person == self.takes[number].person
                    for one in self.come[:-1]
                    if self._unfinished[one]
                ),
            )
            self.said[number] = (found.seconds, found.latest())

    def _crowded(self, number: int, within: float) -> float:
        """Return the seconds if as many come as the product expects; 0 if too few came."""
        guessed = self._guessed(within)
        return self._ahead(guessed).foreseen[number].seconds - self.now if guessed else 0.0

    def _begin(self, task: Task, worker: str) -> None:
        usual = task.seconds
        task.seconds *= self.true[task.run, task.name]
        super()._begin(task, worker)
        task.seconds = usual

    def _ahead(self, later: Sequence[tuple[float, Sequence[Task]]]) -> Forecast:
        """Return the forecast of the queue as it is now, at the expected cost of the stages."""
        names = [each.name for each in fields(Forecast) if each.name not in {"hands", "later"}]
        state = copy.deepcopy({name: getattr(self, name) for name in names})
        for task in state["_running"]:
            task.left = (task.left or 0.0) / self.true[task.run, task.name]
        found = Forecast(self.hands, {}, later=deque(later))
        for name, value in state.items():
            setattr(found, name, value)
        found.run()
        return found

    def _guessed(self, within: float) -> list[tuple[float, Sequence[Task]]]:
        newest = [one for one in reversed(self.come) if self.now - self.takes[one].at < within]
        if len({self.takes[one].person for one in newest}) < FEWEST_PEOPLE:
            return []
        ago = [self.now - self.takes[one].at for one in newest]
        found: list[tuple[float, Sequence[Task]]] = []
        for when, turn, index in once_more(ago, within):
            take = self.takes[newest[index]]
            tasks = _tasks(take, ("later", turn, index), ("later", turn, take.person))
            found.append((self.now + when, tasks))
        return found


def _tasks(take: Coming, run: Key, person: Key) -> list[Task]:
    shape = Shape(
        seconds=take.seconds, has_picture=take.has_picture, engine="ctranslate2", reader="tiny.en"
    )
    plan = plan_for(shape, machine_cores=_CORES)
    found = []
    for stage in PLAN:
        if stage.name not in plan.stages or stage.role == "beside":
            continue
        alone, kind = expected_seconds(stage.name, shape, DEFAULT_COSTS), kind_of_work(stage.queue)
        found.append(
            Task(
                run=run,
                person=person,
                name=stage.name,
                kind=kind,
                queue=queue_for(kind, alone),
                needs=set(stage.needs) & set(plan.stages),
                seconds=alone,
                cores=plan.stages[stage.name].cores,
                patience=PATIENCE * alone,
            )
        )
    return found


def _hands() -> Hands:
    """Return the workers that the product starts on one machine."""
    queues = {
        f"{name} {number}": set(some)
        for name, some in WORKERS.items()
        for number in range(PROCESSES.get(name, 1))
    }
    return Hands(
        machines=dict.fromkeys(queues, "one"),
        queues=queues,
        cores=_CORES,
        share=settings.STAGES_OF_A_PERSON,
    )


def rush(seed: int) -> list[Coming]:
    """Return a school of 500 in the hour before a deadline, more and more of them."""
    dice = random.Random(seed)  # noqa: S311
    return _sorted(
        _usual(dice, person, RUSH_SECONDS * max(dice.random(), dice.random()))
        for person in range(_PEOPLE)
    )


def _even(seed: int) -> list[Coming]:
    """Return nearly as many takes as two cores can do, evenly spread."""
    dice = random.Random(seed)  # noqa: S311
    return _sorted(
        _usual(dice, person, dice.uniform(0, _EVEN_SECONDS)) for person in range(_EVEN_PEOPLE)
    )


def _mixed(seed: int) -> list[Coming]:
    """Return short takes, two of an hour, and twenty of one person at once."""
    return _sorted(
        Coming(take.at * SCALE, take.person, take.seconds * SCALE, take.has_picture)
        for take in skewed(seed)
    )


def _usual(dice: random.Random, person: int, at: float) -> Coming:
    minutes = min(max(dice.lognormvariate(0, SPREAD) * USUAL_MINUTES, 1.0), 30.0)
    return Coming(at, person, 60 * minutes, dice.random() < _WITH_PICTURE)


def _sorted(takes: Iterator[Coming]) -> list[Coming]:
    return sorted(takes, key=lambda take: take.at)


_DAYS_OF = {
    "a rush before a deadline": rush,
    "a mixed day": _mixed,
    "an even day": _even,
}

"""Fair queueing: each stage gets a due time, and the stage that is due first is next.

A stage is due a multiple of its own length after it was queued, so that a short talk waits a short
while; and as long after the same person's previous stage, so that many takes of one person run one
after the other with everybody else's in between. Nothing starves: due times are fixed, and later
stages come after them. This is the virtual clock of Zhang (1990), with a person in place of a
connection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from analysis.plan import Costs, Shape, cost_of
from coach.accounts.models import User
from coach.feedback.models import Run, Stage
from coach.feedback.runs.lengths import guessed_seconds, usual_bytes_per_second
from coach.lib.work.queues import LONG_QUEUES, kind_of_work, long_queue
from coach.rehearsals.media_types import is_of_sound
from coach.rehearsals.models import Rehearsal

PATIENCE = 10.0
"""A stage is due after so many times what it takes. With ten, whoever sends twenty takes has a
tenth of one worker's time while others wait, and an hour lets three minutes pass that come up to
half an hour later (rule of thumb)."""

_REMEMBERED = timedelta(days=1)
"""An older run counts for nothing any more."""


@dataclass(slots=True)
class Turns:
    """One person's place in the queues: the number of their stages, and when the next one
    is due.
    """

    taken: Counter[str] = field(default_factory=Counter)
    due: dict[str, datetime] = field(default_factory=dict)

    def has_room(self, queue: str) -> bool:
        """Return whether another stage of theirs may be queued for this kind of work."""
        return self.taken[queue] < settings.STAGES_OF_A_PERSON

    def take(self, stage: Stage, shape: Shape, costs: Costs) -> None:
        """Queue a stage: set its due time, its queue and its state."""
        kind, now = kind_of_work(stage.queue), timezone.now()
        seconds = expected_seconds(stage.name, shape, costs)
        stage.queue = queue_for(kind, seconds)
        stage.expected_seconds, stage.queued_at = seconds, now
        begin = max(now, self.due.get(kind, now))
        stage.due_at = self.due[kind] = begin + timedelta(seconds=PATIENCE * seconds)
        stage.state = Stage.State.QUEUED
        self.taken[kind] += 1


def turns_of(owner_id: int) -> Turns:
    """Return a person's place in the queues, locked against concurrent counting.

    Locked after takes, runs and stages: with one order there is no deadlock.
    """
    User.objects.select_for_update(no_key=True).filter(pk=owner_id).first()
    theirs = Stage.objects.filter(run__rehearsal__owner=owner_id).order_by()
    turns = Turns()
    busy = (Stage.State.QUEUED, Stage.State.RUNNING)
    standing = theirs.filter(state__in=busy).exclude(run__state=Run.State.FAILED)
    for queue in standing.values_list("queue", flat=True):
        turns.taken[kind_of_work(queue)] += 1
    now = timezone.now()
    lately = theirs.filter(due_at__gt=now, run__created_at__gt=now - _REMEMBERED)
    ahead = lately.values_list("queue")
    for queue, due in ahead.annotate(due=Max("due_at")):
        kind = kind_of_work(queue)
        turns.due[kind] = max(due, turns.due.get(kind, due))
    return turns


def expected_seconds(stage: str, shape: Shape, costs: Costs) -> float:
    """Return the expected seconds of a stage on one core of this installation."""
    cost = cost_of(stage, shape, costs)
    return cost.processor_seconds(shape.amount(stage)) * cost.stretch


def shape_for(run: Run, usual: Mapping[str, float] | None = None) -> Shape:
    """Return the known properties of a recording; before `prepare` these are its length or its
    size.

    `usual` is the result of `usual_bytes_per_second`, for callers that ask about many runs.
    """
    if run.shape is not None:
        return Shape.from_document(run.shape)
    return _guessed(run.rehearsal, run.options, usual)


def _guessed(
    take: Rehearsal, options: dict[str, object], usual: Mapping[str, float] | None
) -> Shape:
    if usual is None:
        usual = {} if take.duration else usual_bytes_per_second()
    size = str(options.get("size", settings.WHISPER_SIZE))
    readers = {"en": size, "auto": "auto"}
    return Shape(
        seconds=guessed_seconds(take, usual),
        has_picture=not is_of_sound(take.original_name)
        if take.has_video is None
        else take.has_video,
        engine=str(options.get("engine", settings.SPEECH_ENGINE)),
        reader=readers.get(str(options.get("language", "en")), "base"),
    )


def queue_for(kind: str, seconds: float) -> str:
    """Return the queue for a stage; long stages have their own, so that short ones do not
    wait for them.
    """
    apart = long_queue(kind)
    return apart if seconds > settings.LONG_STAGE_SECONDS and apart in LONG_QUEUES else kind

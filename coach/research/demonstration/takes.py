"""Two hundred synthetic takes with reports, drafts and coaches' decisions, without recordings."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

from analysis.metrics import METRICS
from analysis.results import SCHEMA_VERSION, Reason, Report
from coach.accounts.models import User
from coach.feedback.models import Feedback, Item, RejectReason, Run, Verdict
from coach.feedback.reports import store_report
from coach.feedback.runs.drafting import store_draft
from coach.practice.exercises.catalogue import exercises
from coach.practice.models import ExerciseDone
from coach.rehearsals.models import AccessGrant, Aim, Audience, Rehearsal, Setting, Talk, Viewing
from coach.research.demonstration.people import Cast
from coach.review.models import ItemTime, Review

N_TAKES = 200
_DAYS = 100
_UNITS = {"share": 1.0, "ratio": 1.5, "per minute": 8.0, "s": 1.0, "words per minute": 140.0}
_WORDS = (
    "today",
    "I",
    "would",
    "like",
    "to",
    "show",
    "what",
    "we",
    "found",
    "um",
    "in",
    "the",
    "second",
    "year",
    "and",
    "why",
    "it",
    "matters",
    "for",
    "people",
    "who",
    "teach",
)
_MEASURED = 0.7
_PAUSE_SECONDS = 0.4


def make_takes(cast: Cast, dice: random.Random, count: int = N_TAKES) -> None:
    """Create the takes, spread over a hundred days and in order for each person."""
    coaches = [user for _participant, user in cast.of("coach")]
    talks = [
        Talk.objects.create(owner=user, title="A synthetic talk")
        for _participant, user in cast.of("trainee")
    ]
    days = sorted(dice.uniform(1, _DAYS) for _each in range(count))
    for place, day in enumerate(days):
        at = cast.began + timedelta(days=day)
        feedback = _take(cast, talks[place % len(talks)], at, place, dice)
        if place % 2:
            _answer(cast, feedback, dice.choice(coaches), at, dice)
        if place % 3 == 0:
            _practise(talks[place % len(talks)].owner, feedback.rehearsal, at, dice)


def _take(cast: Cast, talk: Talk, at: datetime, place: int, dice: random.Random) -> Feedback:
    duration = round(dice.uniform(90, 240), 2)
    take = Rehearsal.objects.create(
        owner=talk.owner,
        talk=talk,
        cohort=cast.cohort,
        title=f"Synthetic take {place + 1}",
        aim=dice.choice(Aim.values),
        audience=dice.choice(Audience.values),
        setting=dice.choice(Setting.values),
        language="en",
        original_name="synthetic.mp4",
        size_bytes=0,
        sha256=hashlib.sha256(f"{cast.study.slug} {place}".encode()).hexdigest(),
        duration=duration,
        has_video=True,
        is_constructed=False,
        media_removed_at=at,
    )
    run = Run.objects.create(rehearsal=take, state=Run.State.DONE, finished_at=at)
    Rehearsal.objects.filter(pk=take.pk).update(created_at=at)
    Run.objects.filter(pk=run.pk).update(created_at=at)
    run.rehearsal.created_at = at
    store_report(run, _report(duration, dice))
    feedback = store_draft(run=run)
    Feedback.objects.filter(pk=feedback.pk).update(created_at=at)
    feedback.items.update(created_at=at)
    return feedback


def _report(duration: float, dice: random.Random) -> Report:
    words = list(_words(duration, dice))
    ums = [word for word in words if word["text"] == "um"]
    gaps = [(_at(before, "end"), _at(after, "start")) for before, after in pairwise(words)]
    events: list[dict[str, object]] = [
        {"kind": "filled_pause", "label": "um", "probability": 0.9, **_span(word)} for word in ums
    ]
    events += [
        {"kind": "silent_pause", "start": start, "end": end}
        for start, end in gaps
        if end - start > _PAUSE_SECONDS
    ]
    measured = {each.id for each in METRICS if dice.random() < _MEASURED}
    return Report.model_validate(
        {
            "schema_version": SCHEMA_VERSION,
            "media": {
                "sha256": "0" * 64,
                "duration": duration,
                "container": "mp4",
                "audio": {"codec": "aac", "sample_rate_hz": 48000, "channels": 1},
                "video": {"width": 1280, "height": 720, "fps": 30.0, "rotation": 0},
            },
            "language": {"code": "en", "source": "given"},
            "speech": [[0.0, duration]],
            "words": words,
            "events": sorted(events, key=lambda event: _at(event, "start")),
            "measurements": {
                each.id: _value(each.unit, dice) for each in METRICS if each.id in measured
            },
            "skipped": {
                each.id: {"reason": Reason.POOR_SIGNAL}
                for each in METRICS
                if each.id not in measured
            },
            "stages": {"assemble": {"version": "synthetic", "seconds": 0.0}},
            "models": {"speech": "none: synthetic"},
        }
    )


def _words(duration: float, dice: random.Random) -> Iterator[dict[str, object]]:
    at = 0.5
    while at < duration - 1:
        end = at + dice.uniform(0.15, 0.45)
        yield {
            "text": dice.choice(_WORDS),
            "start": round(at, 2),
            "end": round(end, 2),
            "probability": 0.9,
        }
        at = end + dice.choice((0.05, 0.05, 0.1, 0.6))


def _at(place: dict[str, object], edge: str) -> float:
    return float(str(place[edge]))


def _span(word: dict[str, object]) -> dict[str, object]:
    return {"start": word["start"], "end": word["end"]}


def _value(unit: str, dice: random.Random) -> dict[str, object]:
    scale = _UNITS.get(unit, 5.0)
    value = round(dice.random() * scale, 3)
    return {
        "value": value,
        "unit": unit,
        "n": dice.randrange(1, 60),
        "coverage": 0.9,
        "quality": "good",
    }


def _answer(cast: Cast, feedback: Feedback, coach: User, at: datetime, dice: random.Random) -> None:
    """Let a coach open the take the next day, decide on every item and release the feedback."""
    answered = at + timedelta(hours=dice.uniform(2, 40))
    grant = AccessGrant.objects.create(
        rehearsal=feedback.rehearsal, cohort=cast.cohort, answered_at=answered
    )
    AccessGrant.objects.filter(pk=grant.pk).update(created_at=at)
    Review.objects.create(
        rehearsal=feedback.rehearsal,
        grant=grant,
        handled_by=coach,
        finished_at=answered,
        handled_seconds=round(dice.uniform(120, 900), 1),
    )
    seen = Viewing.objects.create(rehearsal=feedback.rehearsal, viewer=coach, what="desk")
    Viewing.objects.filter(pk=seen.pk).update(at=answered)
    for item in feedback.items.all():
        _decide(item, coach, answered, dice)
    Feedback.objects.filter(pk=feedback.pk).update(
        state=Feedback.State.RELEASED,
        released_at=answered,
        released_by=coach,
        released_by_name=str(coach),
    )


def _practise(user: User, take: Rehearsal, at: datetime, dice: random.Random) -> None:
    """Record an exercise some hours after the take."""
    done = ExerciseDone.objects.create(
        user=user, exercise=dice.choice(sorted(exercises())), rehearsal=take
    )
    later = at + timedelta(hours=dice.uniform(1, 30))
    ExerciseDone.objects.filter(pk=done.pk).update(at=later)


def _decide(item: Item, coach: User, at: datetime, dice: random.Random) -> None:
    kind = dice.choices((Verdict.Kind.ACCEPT, Verdict.Kind.EDIT, Verdict.Kind.REJECT), (6, 2, 2))[0]
    is_edit = kind == Verdict.Kind.EDIT
    verdict = Verdict.objects.create(
        item=item,
        coach=coach,
        coach_name=str(coach),
        kind=kind,
        wording={"suggestion": "Try one breath before each number."} if is_edit else {},
        reason=dice.choice(RejectReason.values) if kind == Verdict.Kind.REJECT else "",
    )
    Verdict.objects.filter(pk=verdict.pk).update(at=at)
    spent = ItemTime.objects.create(item=item, coach=coach, seconds=round(dice.uniform(15, 150), 1))
    ItemTime.objects.filter(pk=spent.pk).update(updated_at=at)

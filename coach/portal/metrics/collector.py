"""Metrics of queues, stages, analyses, reviews, space and parts of the site, without personal data.

All come from the database and the store at the time of a scrape, so no counter must survive a
restart or be summed over processes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from statistics import quantiles

from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from analysis import __version__
from coach.feedback.models import Run, Stage
from coach.lib.web.health import OK, examine
from coach.notices.selectors import waiting_for_relay
from coach.rehearsals.models import AccessGrant
from coach.storage.factory import storage

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_MOST_STAGES = 10_000
"""Stages of the last hour that are read for their durations (rule of thumb)."""


class SiteCollector(Collector):
    """Collector that asks the database at each scrape."""

    def collect(self) -> Iterable[Metric]:
        """Yield all metrics of the site."""
        now = timezone.now()
        yield _gauge("version", "1 for the version that runs", ["version"], {(__version__,): 1})
        yield from _queues(now)
        yield _stage_seconds(now)
        yield from _analyses(now)
        yield from _waiting_for_people(now)
        yield from _space()
        yield _parts()


def _gauge(
    name: str, about: str, labels: list[str], values: dict[tuple[str, ...], float]
) -> Metric:
    gauge = GaugeMetricFamily(f"rostrum_{name}", about, labels=labels)
    for label, value in sorted(values.items()):
        gauge.add_metric(label, value)
    return gauge


def _queues(now: datetime) -> Iterator[Metric]:
    open_stages = Stage.objects.filter(state__in=[Stage.State.QUEUED, Stage.State.RUNNING])
    rows = list(
        open_stages.values("queue", "state").annotate(
            n=Count("pk"), oldest=Min("queued_at"), retried=Count("pk", filter=Q(attempts__gt=1))
        )
    )
    yield _gauge(
        "stages",
        "Stages that wait for a worker (queued) or are with one (running)",
        ["queue", "state"],
        {(each["queue"], each["state"]): each["n"] for each in rows},
    )
    yield _gauge(
        "stages_retried",
        "Open stages whose worker stopped or failed before",
        ["queue", "state"],
        {(each["queue"], each["state"]): each["retried"] for each in rows},
    )
    yield _gauge(
        "oldest_stage_seconds",
        "Time since the oldest stage that waits for a worker was queued",
        ["queue"],
        {
            (each["queue"],): (now - each["oldest"]).total_seconds()
            for each in rows
            if each["state"] == Stage.State.QUEUED and each["oldest"]
        },
    )
    lost = open_stages.filter(state=Stage.State.RUNNING, lease_until__lt=now - timedelta(minutes=1))
    yield _gauge(
        "stages_with_lost_lease",
        "Running stages whose lease ended over a minute ago: the sweeper is down",
        [],
        {(): lost.count()},
    )


def _stage_seconds(now: datetime) -> Metric:
    done = Stage.objects.filter(state=Stage.State.DONE, finished_at__gte=now - _HOUR)
    by_name: dict[str, list[float]] = defaultdict(list)
    for name, each in done.exclude(seconds=None).values_list("name", "seconds")[:_MOST_STAGES]:
        by_name[name].append(each or 0.0)
    values: dict[tuple[str, ...], float] = {}
    for name, seconds in by_name.items():
        tenths = quantiles(seconds, n=10) if len(seconds) > 1 else [seconds[0]] * 9
        values[name, "0.5"], values[name, "0.9"] = tenths[4], tenths[8]
    return _gauge(
        "stage_seconds",
        "Duration of stages that ended within the last hour",
        ["stage", "quantile"],
        values,
    )


def _analyses(now: datetime) -> Iterator[Metric]:
    lately = Run.objects.filter(finished_at__gte=now - _DAY)
    counted = dict(lately.values_list("state").annotate(n=Count("pk")).order_by())
    yield _gauge(
        "analyses_last_day",
        "Analyses that ended within 24 hours, with a report (done) or without (failed)",
        ["state"],
        {(str(state),): counted.get(state, 0) for state in (Run.State.DONE, Run.State.FAILED)},
    )
    failed = lately.filter(state=Run.State.FAILED).values_list("error_code")
    yield _gauge(
        "analyses_failed_last_day",
        "Analyses that ended without a report within 24 hours, by error code",
        ["code"],
        {(code,): n for code, n in failed.annotate(n=Count("pk")).order_by()},
    )
    newest = Run.objects.filter(state=Run.State.DONE).aggregate(at=Max("finished_at"))["at"]
    if newest:
        yield _gauge(
            "last_report_timestamp_seconds",
            "When the newest analysis ended with a report",
            [],
            {(): newest.timestamp()},
        )


def _waiting_for_people(now: datetime) -> Iterator[Metric]:
    unanswered = AccessGrant.objects.filter(revoked_at=None, answered_at=None, cohort__isnull=False)
    sent = unanswered.aggregate(n=Count("pk"), oldest=Min("created_at"))
    yield _gauge("takes_to_review", "Takes that wait for a coach", [], {(): sent["n"]})
    oldest = (now - sent["oldest"]).total_seconds() if sent["oldest"] else 0
    yield _gauge(
        "oldest_take_to_review_seconds",
        "Time since the take that has waited longest for a coach was sent",
        [],
        {(): oldest},
    )
    yield _gauge(
        "emails_refused_by_relay",
        "Notifications whose email the relay did not take at the last attempt",
        [],
        {(): waiting_for_relay()},
    )


def _space() -> Iterator[Metric]:
    free = storage().free_bytes()
    if free is not None:
        yield _gauge("recordings_free_bytes", "Free space for recordings", [], {(): free})


def _parts() -> Metric:
    return _gauge(
        "part_ok",
        "1 for each part of the site that works, as /ready/ says",
        ["part"],
        {(part,): float(said == OK) for part, said in examine().items()},
    )

"""The statistics of rules: counted on each page while that is quick, else cached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.curation.models import KeptStatistics
from coach.curation.statistics.counting import count_groups, count_rules, count_takes
from coach.curation.statistics.tallies import CohortTally, RuleStatistics, Tally
from coach.feedback.models import Firing

MOST_COUNTED_NOW = 3_000
"""The number of firings up to which each page counts: a tenth of a second. With more, a scheduled
task counts every ten minutes and pages read its cache (rule of thumb)."""
PERIODS: tuple[int | None, ...] = (None, 30, 90, 365)
"""The periods in days; None means since the beginning."""


def is_counted_now() -> bool:
    """Return whether there are few enough firings to count on each page."""
    return Firing.objects.all()[: MOST_COUNTED_NOW + 1].count() <= MOST_COUNTED_NOW


def rule_statistics_for(curator: User, *, days: int | None = None) -> dict[str, RuleStatistics]:
    """Return the statistics of all rules that ever fired, by id; empty for non-curators."""
    if not curator.can_curate:
        return {}
    if is_counted_now():
        return count_rules(days=days)
    kept = _kept(days, "rules")
    return {rule: _rule(rule, versions) for rule, versions in (kept or {}).items()}


def takes_for(curator: User, *, days: int | None = None) -> int:
    """Return the number of drafts in the statistics; 0 for non-curators."""
    if not curator.can_curate:
        return 0
    return count_takes(days=days) if is_counted_now() else _kept(days, "takes") or 0


def groups_for(curator: User, *, rule: str, days: int | None = None) -> tuple[CohortTally, ...]:
    """Return a rule's statistics by cohort, without identifiable people."""
    if not curator.can_curate:
        return ()
    if is_counted_now():
        return count_groups(days=days, rule=rule)[rule]
    kept = _kept(days, f"groups__{rule}") or ()
    return tuple(CohortTally(**{**each, "tally": Tally(**each["tally"])}) for each in kept)


def counted_at(days: int | None = None) -> datetime | None:
    """Return the time of the cached count, or None if there is none."""
    moment: datetime | None = _kept(days, "counted_at")
    return moment


def _kept(days: int | None, what: str) -> Any:
    """Return one part of the cached statistics, or None if there are none."""
    return KeptStatistics.objects.filter(days=days or 0).values_list(what, flat=True).first()


def _rule(rule: str, versions: Mapping[str, Mapping[str, Any]]) -> RuleStatistics:
    tallies = {int(number): Tally(**tally) for number, tally in versions.items()}
    return RuleStatistics(rule=rule, versions=tallies)


def keep_statistics() -> bool:
    """Count and cache all periods if pages would take too long. Return whether it did.

    The next count excludes takes deleted in the meantime.
    """
    if is_counted_now():
        KeptStatistics.objects.all().delete()
        return False
    for days in PERIODS:
        rules = count_rules(days=days)
        groups = count_groups(days=days)
        with transaction.atomic():
            KeptStatistics.objects.update_or_create(
                days=days or 0,
                defaults={
                    "takes": count_takes(days=days),
                    "rules": {rule: _versions(found) for rule, found in rules.items()},
                    "groups": {rule: [asdict(each) for each in of] for rule, of in groups.items()},
                    "counted_at": timezone.now(),
                },
            )
    return True


def _versions(found: RuleStatistics) -> dict[str, dict[str, Any]]:
    return {str(number): asdict(tally) for number, tally in found.versions.items()}

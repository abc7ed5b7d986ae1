"""The statistics of rules in words, as plain values for the templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.curation.selectors import working_rule
from coach.curation.statistics.cached import (
    counted_at,
    groups_for,
    is_counted_now,
    rule_statistics_for,
    takes_for,
)
from coach.curation.statistics.counting import is_only_demonstration
from coach.curation.statistics.reasons import MOST_READ, reasons_written_for
from coach.curation.statistics.tallies import (
    LEAST_DECISIONS,
    LEAST_KEPT,
    NOTHING,
    CohortTally,
    RuleStatistics,
    Tally,
)
from coach.feedback.models import Dispute, RejectReason, Verdict
from coach.lib.words.dates import date_words
from coach.lib.words.rule_words import title_words
from coach.lib.words.shares import kept_words, share_of, share_words
from coach.rulesets.selectors import RuleName, active_rule_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A period to choose for the statistics."""

    value: str
    label: str
    days: int | None
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A rule in the list, or one version or group of it."""

    name: str
    url: str
    note: str
    fired: int
    shown: int
    """The number of items that the trainee could read."""
    kept: str
    kept_as: str
    """The number of kept items as written and reworded, in words."""
    disputed: str
    is_flagged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A share with its label and its interval in words."""

    label: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsPage:
    """The page with the statistics of all rules."""

    periods: tuple[Period, ...]
    takes: int
    counted: str
    """The time of the count in words; empty if counted now."""
    only_demonstration: bool
    """Whether the takes are a demonstration's, because there are no others."""
    rows: tuple[Row, ...]
    """Rules that fired."""
    silent: tuple[Row, ...]
    """Rules that did not fire."""
    flagged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenReason:
    """What a coach wrote when they changed or rejected a card."""

    text: str
    kind: str
    """Changed, or rejected with the chosen reason."""
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleStatisticsPage:
    """The page with the statistics of one rule."""

    rule: str
    title: str
    url: str
    """The URL of the rule's page; empty if it no longer exists."""
    periods: tuple[Period, ...]
    takes: int
    counted: str
    """The time of the count in words; empty if counted now."""
    only_demonstration: bool
    """Whether the takes are a demonstration's, because there are no others."""
    flagged: str
    figures: tuple[Figure, ...]
    rejected: tuple[Figure, ...]
    disputed: tuple[Figure, ...]
    versions: tuple[Row, ...]
    """The statistics by version; empty for a single version, to avoid repetition."""
    groups: tuple[Row, ...]
    reasons: tuple[WrittenReason, ...]


def periods(chosen: str) -> tuple[Period, ...]:
    """Return the periods to choose from; an unknown choice selects all time."""
    known = {
        "": (_("since the beginning"), None),
        "30": (_("the last 30 days"), 30),
        "90": (_("the last 90 days"), 90),
        "365": (_("the last year"), 365),
    }
    value = chosen if chosen in known else ""
    return tuple(
        Period(value=each, label=label, days=days, is_chosen=each == value)
        for each, (label, days) in known.items()
    )


def _days(of: tuple[Period, ...]) -> int | None:
    return next(each.days for each in of if each.is_chosen)


def _counted(days: int | None) -> str:
    """Return the time of the count in words, or an empty string if counted now."""
    if is_counted_now():
        return ""
    moment = counted_at(days)
    if moment is None:
        return _("These figures are being counted. Check again in ten minutes.")
    return _("As of %(date)s; recalculated every ten minutes.") % {"date": date_words(moment)}


def statistics_page(curator: User, *, period: str) -> StatisticsPage:
    """Return all current rules and all that ever fired: flagged ones first, then by firings."""
    offered = periods(period)
    days = _days(offered)
    found = rule_statistics_for(curator, days=days)
    takes = takes_for(curator, days=days)
    rules = _rules_in_force()
    rows = [
        _rule_row(rule, found.get(rule, RuleStatistics(rule=rule)), rules.get(rule))
        for rule in {**rules, **found}
    ]
    rows.sort(key=lambda row: (not row.is_flagged, -row.fired, row.url))
    return StatisticsPage(
        periods=offered,
        takes=takes,
        counted=_counted(days),
        only_demonstration=takes > 0 and is_only_demonstration(),
        rows=tuple(row for row in rows if row.fired),
        silent=tuple(row for row in rows if not row.fired),
        flagged=sum(row.is_flagged for row in rows),
    )


def _rules_in_force() -> dict[str, tuple[str, int]]:
    """Return the title and version of each rule of the active release."""
    return {rule: (_title_of(each), each.version) for rule, each in active_rule_names().items()}


def _title_of(name: RuleName) -> str:
    """Return the rule's title, with a note if it never fires."""
    title = title_words(name.title)
    return (
        _("%(title)s (retired or a draft: silent)") % {"title": title} if name.is_silent else title
    )


def _rule_row(rule: str, found: RuleStatistics, in_force: tuple[str, int] | None) -> Row:
    title, version = in_force or ("", 0)
    return _row(
        name=title or rule,
        note=rule if title else _("not in use"),
        url=reverse("curation:statistics_of", args=[rule]),
        tally=found.total,
        is_flagged=found.is_flagged(version),
    )


def _row(*, name: str, note: str, url: str, tally: Tally, is_flagged: bool) -> Row:
    return Row(
        name=name,
        note=note,
        url=url,
        fired=tally.fired,
        shown=tally.read,
        kept=share_words(tally.kept),
        kept_as=kept_words(as_written=tally.accepted, reworded=tally.edited),
        disputed=share_words(tally.disputes),
        is_flagged=is_flagged,
    )


def rule_statistics_page(curator: User, *, rule: str, period: str) -> RuleStatisticsPage | None:
    """Return the statistics of a rule, or None if it never existed."""
    in_force = _rules_in_force().get(rule)
    offered = periods(period)
    days = _days(offered)
    found = rule_statistics_for(curator, days=days).get(rule)
    if in_force is None and found is None:
        return None
    statistics = found or RuleStatistics(rule=rule)
    title, version = in_force or (_("not in use"), 0)
    takes = takes_for(curator, days=days)
    versions = sorted(statistics.versions)
    return RuleStatisticsPage(
        rule=rule,
        title=title,
        url=reverse("curation:rule", args=[rule]) if working_rule(rule) else "",
        periods=offered,
        takes=takes,
        counted=_counted(days),
        only_demonstration=takes > 0 and is_only_demonstration(),
        flagged=_flagged(statistics.versions.get(version, NOTHING), version),
        figures=_figures(statistics.total, takes),
        rejected=_by_reason(statistics.total.rejected, statistics.total.decisions, _rejections()),
        disputed=_by_reason(statistics.total.disputed, statistics.total.read, _disputes()),
        versions=tuple(_version_row(each, statistics) for each in versions if len(versions) > 1),
        groups=tuple(_group_row(each) for each in groups_for(curator, rule=rule, days=days)),
        reasons=tuple(
            _reason(each) for each in reasons_written_for(curator, rule=rule, days=days)[:MOST_READ]
        ),
    )


def _reason(verdict: Verdict) -> WrittenReason:
    is_changed = verdict.kind == Verdict.Kind.EDIT
    reason = _rejections().get(verdict.reason, "")
    return WrittenReason(
        text=verdict.note,
        kind=_("Changed") if is_changed else _("Rejected: %(reason)s") % {"reason": reason},
        when=_("Version %(number)s, %(date)s")
        % {"number": verdict.item.rule_version, "date": date_words(verdict.at)},
    )


def _flagged(tally: Tally, version: int) -> str:
    """Return why the current version is flagged, or an empty string."""
    if not tally.is_flagged:
        return ""
    return _(
        "Flagged for revision: coaches kept %(share)s of version %(version)s. After "
        "%(least)s decisions or more, a rule is flagged if they keep less than "
        "%(limit)s%%."
    ) % {
        "share": share_words(tally.kept),
        "version": version,
        "least": LEAST_DECISIONS,
        "limit": round(LEAST_KEPT * 100),
    }


def _figures(tally: Tally, takes: int) -> tuple[Figure, ...]:
    shares = (
        (_("gave a card, of all takes"), share_of(tally.fired, takes)),
        (_("chosen for a draft, of these"), share_of(tally.shown, tally.fired)),
        (
            _("could be seen by the trainee, of all cards that it gave"),
            share_of(tally.read, tally.fired),
        ),
        (_("kept by a coach, of those decided on"), tally.kept),
        (_("kept as written"), share_of(tally.accepted, tally.decisions)),
        (_("kept, reworded"), share_of(tally.edited, tally.decisions)),
        (_("disputed by the trainee, of those that could be read"), tally.disputes),
    )
    return tuple(
        Figure(label=label, words=share_words(share) or _("none yet")) for label, share in shares
    )


def _rejections() -> dict[str, str]:
    return {reason.value: str(reason.label) for reason in RejectReason}


def _disputes() -> dict[str, str]:
    return {said.value: str(said.label) for said in Dispute.Reason}


def _by_reason(counts: Mapping[str, int], of: int, labels: dict[str, str]) -> tuple[Figure, ...]:
    """Return the shares of the given reasons, most frequent first."""
    given = sorted(
        ((count, code) for code, count in counts.items() if count), key=lambda each: -each[0]
    )
    return tuple(
        Figure(label=labels[code], words=share_words(share_of(count, of))) for count, code in given
    )


def _version_row(version: int, statistics: RuleStatistics) -> Row:
    tally = statistics.versions[version]
    return _row(
        name=_("Version %(number)s") % {"number": version},
        note="",
        url="",
        tally=tally,
        is_flagged=tally.is_flagged,
    )


def _group_row(group: CohortTally) -> Row:
    people = ngettext("%(count)s person", "%(count)s people", group.people)
    return _row(
        name=group.name or _("All others together"),
        note=people % {"count": group.people},
        url="",
        tally=group.tally,
        is_flagged=False,
    )

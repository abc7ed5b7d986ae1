"""Rows and comparisons for the rule studio's pages, from stored data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.curation import words
from coach.curation.editor.differences import Difference, differences, line_differences
from coach.curation.releases import RuleChange
from coach.curation.selectors import WorkingRule, working_rules
from coach.curation.statistics.cached import rule_statistics_for
from coach.curation.statistics.tallies import RuleStatistics
from coach.lib.words.rule_words import title_words
from coach.rulesets.models import RuleVersion

FILTERS = ("search", "quality", "tone", "state")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """A rule in the list."""

    rule: str
    title: str
    quality: str
    tone: str
    status: str
    version: int
    grade: str
    decided_by: str
    statistics: str
    is_flagged: bool
    states: tuple[str, ...]
    """The states of the rule in words: muted, awaiting approval, approved."""
    keys: frozenset[str]
    """All codes by which the list can be filtered."""
    text: str
    """The text for searches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffView:
    """The difference between two versions of a rule, in words and as YAML."""

    rule: str
    title: str
    before: RuleVersion | None
    after: RuleVersion | None
    fields: tuple[Difference, ...]
    lines: str


def state_choices() -> words.Choices:
    """Return the states by which the list can be filtered."""
    return (
        ("flagged", _("Flagged for revision")),
        ("open", _("Waits for approval")),
        ("approved", _("Approved, not published")),
        ("muted", _("Muted")),
    )


def rule_rows(curator: User, wanted: dict[str, str]) -> tuple[RuleRow, ...]:
    """Return the matching rules: flagged ones first, then those with a state."""
    statistics = rule_statistics_for(curator)
    rows = [_row(working, statistics.get(rule)) for rule, working in working_rules().items()]
    fitting = [row for row in rows if _fits(row, wanted)]
    return tuple(sorted(fitting, key=lambda row: (not row.is_flagged, not row.states, row.rule)))


def _row(working: WorkingRule, statistics: RuleStatistics | None) -> RuleRow:
    standing = speaking_version(working)
    document = standing.document
    flagged = statistics is not None and statistics.is_flagged(standing.number)
    states = working_states(working)
    quality = dict(words.qualities()).get(document["quality"], "")
    codes = {document["quality"], document["tone"], *(code for code, _name in states)}
    return RuleRow(
        rule=working.rule,
        title=title_words(document["title"]),
        quality=quality,
        tone=str(words.TONE[document["tone"]]),
        status=str(words.STATUS[document["status"]]),
        version=standing.number,
        grade=document["grade"],
        decided_by=str(words.DECIDED_BY[document["decided_by"]]),
        statistics=statistics_words(statistics),
        is_flagged=flagged,
        states=tuple(name for _code, name in states),
        keys=frozenset(codes | ({"flagged"} if flagged else set())),
        text=_searched(document, quality),
    )


def _searched(document: dict[str, Any], quality: str) -> str:
    """Return the search text: id, title, quality, source, and the card's main texts."""
    names = ("label", "claim", "why", "suggestion")
    words = [document["message"][code][name] for code in ("en", "fr") for name in names]
    title = document["title"]
    about = (document["id"], title, title_words(title), quality, document["source"])
    return " ".join((*about, *words)).casefold()


def speaking_version(working: WorkingRule) -> RuleVersion:
    """Return the version in use; for a muted rule its muted one, else the newest."""
    return working.active or (working.mute.version if working.mute else working.newest)


def working_states(working: WorkingRule) -> tuple[tuple[str, str], ...]:
    """Return the states of a rule, as codes and words."""
    names = dict(state_choices())
    found = (
        ("muted", working.mute is not None),
        ("open", working.open is not None),
        ("approved", working.approved is not None),
    )
    return tuple((code, names[code]) for code, is_so in found if is_so)


def statistics_words(statistics: RuleStatistics | None) -> str:
    """Return how often a rule was shown, kept and reworded, in words."""
    if statistics is None:
        return ""
    total = statistics.total
    shown = ngettext("shown %(n)s time", "shown %(n)s times", total.read) % {"n": total.read}
    kept = total.kept
    if kept is None:
        return shown
    values = {"shown": shown, "kept": kept.hits, "decisions": kept.of, "reworded": total.edited}
    if total.edited:
        return (
            _("%(shown)s, kept %(kept)s of %(decisions)s, %(reworded)s of them reworded") % values
        )
    return _("%(shown)s, kept %(kept)s of %(decisions)s") % values


def _fits(row: RuleRow, wanted: dict[str, str]) -> bool:
    sought = wanted.get("search", "").casefold().split()
    codes = {code for name, code in wanted.items() if name != "search" and code}
    return all(word in row.text for word in sought) and codes <= row.keys


def diff_view(before: RuleVersion | None, after: RuleVersion | None) -> DiffView:
    """Return the difference between two versions of a rule."""
    shown = after or before
    return DiffView(
        rule=shown.rule if shown else "",
        title=title_words(shown.document["title"]) if shown else "",
        before=before,
        after=after,
        fields=differences(before, after) if before and after else (),
        lines=line_differences(before, after),
    )


def diff_views(changes: Iterable[RuleChange]) -> tuple[DiffView, ...]:
    """Return the differences for all rules that a release changes."""
    return tuple(diff_view(change.before, change.after) for change in changes)

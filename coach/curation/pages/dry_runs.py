"""Dry runs in words, as plain values for the templates."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.curation.dry_runs.execution import both_drafts, proposed_rules
from coach.curation.dry_runs.models import DryRun, Examined
from coach.curation.dry_runs.selectors import (
    Changes,
    Results,
    changes_of,
    examples_for,
    progress_of,
    results_of,
)
from coach.feedback.pages.cards import Card, drafted_card
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.rule_words import title_words
from coach.rehearsals.models import Aim, Audience, Rehearsal
from coach.rulesets.selectors import rule_set_of
from feedback_rules.model import Draft, DraftItem

MOST_EXAMPLES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRunRow:
    """A dry run in the list."""

    url: str
    title: str
    started: str
    state: str
    changed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEffectRow:
    """The effect of a dry run on one rule's items."""

    rule: str
    title: str
    gained: int
    lost: int
    moved: int
    reworded: int
    newly_waiting: int
    no_longer_waiting: int
    contradicting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleRow:
    """A changed take that this curator may view."""

    url: str
    take: str
    change: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRunPage:
    """The page of a dry run: its progress, then its results."""

    id: str
    title: str
    started: str
    against: str
    state: str
    is_going_on: bool
    is_done: bool
    done: int
    total: int
    percent: int
    results: Results | None
    rules: tuple[RuleEffectRow, ...]
    examples: tuple[ExampleRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamplePage:
    """The page of a changed take, before and after."""

    dry_run_url: str
    title: str
    take: str
    is_own: bool
    before: tuple[Card, ...]
    after: tuple[Card, ...]


def dry_run_rows(dry_runs: Iterable[DryRun]) -> tuple[DryRunRow, ...]:
    """Return the rows of the list; one query counts the results of all."""
    listed = list(dry_runs)
    counts = changes_of(each for each in listed if each.state == DryRun.State.DONE)
    return tuple(_dry_run_row(each, counts.get(each.pk)) for each in listed)


def _dry_run_row(dry_run: DryRun, counts: Changes | None) -> DryRunRow:
    changed = ""
    if dry_run.state == DryRun.State.DONE:
        changed = _count_words(counts) if counts else _("no takes were stored then")
    return DryRunRow(
        url=reverse("curation:dry_run", args=[dry_run.pk]),
        title=name_words(dry_run.title),
        started=date_words(dry_run.created_at),
        state=str(DryRun.State(dry_run.state).label),
        changed=changed,
    )


def _count_words(counts: Changes) -> str:
    words = ngettext(
        "%(changed)s of %(reports)s takes would change",
        "%(changed)s of %(reports)s takes would change",
        counts.changed,
    )
    return words % counts._asdict()


def dry_run_page(dry_run: DryRun, curator: User) -> DryRunPage:
    """Return the page with the progress, and with the results once done."""
    progress = progress_of(dry_run)
    is_done = dry_run.state == DryRun.State.DONE
    results = results_of(dry_run) if is_done else None
    by = str(dry_run.started_by) if dry_run.started_by else _("a former curator")
    return DryRunPage(
        id=str(dry_run.pk),
        title=name_words(dry_run.title),
        started=_("Started by %(name)s on %(date)s")
        % {"name": by, "date": date_words(dry_run.created_at)},
        against=_("Compared with rule set %(number)s") % {"number": dry_run.base.number},
        state=dry_run.state,
        is_going_on=dry_run.state in DryRun.GOING_ON,
        is_done=is_done,
        done=progress.done,
        total=progress.total,
        percent=progress.percent,
        results=results,
        rules=_rule_rows(dry_run, results) if results else (),
        examples=tuple(_example_rows(dry_run, curator)) if is_done else (),
    )


def _rule_rows(dry_run: DryRun, results: Results) -> tuple[RuleEffectRow, ...]:
    """Return the affected rules, most changed first."""
    rules = (*rule_set_of(dry_run.base).rules, *proposed_rules(dry_run).rules)
    titles = {rule.id: title_words(rule.title) for rule in rules}
    ordered = sorted(results.rules.items(), key=lambda each: (-sum(each[1].values()), each[0]))
    return tuple(
        RuleEffectRow(rule=rule, title=titles.get(rule, ""), **counts) for rule, counts in ordered
    )


def _example_rows(dry_run: DryRun, curator: User) -> list[ExampleRow]:
    return [
        ExampleRow(
            url=reverse("curation:dry_run_example", args=[dry_run.pk, examined.pk]),
            take=take_words(examined.feedback.rehearsal, curator),
            change=_change_words(examined),
        )
        for examined in examples_for(curator, dry_run)[:MOST_EXAMPLES]
    ]


def take_words(rehearsal: Rehearsal, curator: User) -> str:
    """Return the title of the curator's own take, or the kind of talk for anybody else's."""
    if rehearsal.owner_id == curator.pk:
        return rehearsal.title
    return _("A take of %(length)s: %(aim)s, %(audience)s") % {
        "length": clock(rehearsal.duration or 0.0),
        "aim": Aim(rehearsal.aim).label,
        "audience": Audience(rehearsal.audience).label,
    }


def _change_words(examined: Examined) -> str:
    named = (
        (_("gains %(rules)s"), examined.gained),
        (_("loses %(rules)s"), examined.lost),
        (_("%(rules)s in a different place"), examined.moved),
        (_("%(rules)s in different words"), examined.reworded),
        (_("%(rules)s waits for a coach"), examined.newly_waiting),
        (_("%(rules)s no longer waits for a coach"), examined.no_longer_waiting),
        (_("leaves out %(rules)s, which contradicts another card"), examined.contradicting),
    )
    return "; ".join(words % {"rules": ", ".join(rules)} for words, rules in named if rules)


def example_page(examined: Examined, curator: User) -> ExamplePage:
    """Return the page with both drafts, redrafted from the stored report and never saved."""
    dry_run, rehearsal = examined.dry_run, examined.feedback.rehearsal
    is_own = rehearsal.owner_id == curator.pk
    before, after = both_drafts(
        examined.feedback,
        rule_set_of(dry_run.base),
        proposed_rules(dry_run),
        hides_quotes=not is_own,
    )
    return ExamplePage(
        dry_run_url=reverse("curation:dry_run", args=[dry_run.pk]),
        title=name_words(dry_run.title),
        take=take_words(rehearsal, curator),
        is_own=is_own,
        before=_cards(before, examined, gone=[*examined.lost, *examined.no_longer_waiting]),
        after=_cards(after, examined, new=[*examined.gained, *examined.newly_waiting]),
    )


def _cards(
    draft: Draft,
    examined: Examined,
    *,
    new: Collection[str] = (),
    gone: Collection[str] = (),
) -> tuple[Card, ...]:
    """Return the cards of a draft, then its new or removed items that wait for a coach."""
    marks = {
        **dict.fromkeys(examined.reworded, _("In different words")),
        **dict.fromkeys(examined.moved, _("In a different place")),
        **dict.fromkeys(new, _("New")),
        **dict.fromkeys(gone, _("No longer")),
    }
    waiting = [
        held.item
        for held in draft.held_back
        if held.needs_coach and (held.rule in new or held.rule in gone)
    ]
    return tuple(_card(item, badge=marks.get(item.rule, "")) for item in (*draft.items, *waiting))


def _card(item: DraftItem, *, badge: str) -> Card:
    card = drafted_card(item, heading=_heading(item))
    return replace(card, badge=badge, counterfactual=item.counterfactual)


def _heading(item: DraftItem) -> str:
    if item.needs_coach:
        return _("Waiting for a coach")
    return (_("Keep"), _("Work on this first"), _("Next"))[item.rank or 0]


def changed_words(results: Results) -> str:
    """Return the results in one sentence, for the pages before publication."""
    if not results.reports:
        return _("No takes were stored when this was tried.")
    words = ngettext(
        "Tried on %(reports)s take: different cards on %(items)s, different words on "
        "%(words)s, other changes only for its coach on %(rest)s.",
        "Tried on %(reports)s takes: different cards on %(items)s, different words on "
        "%(words)s, other changes only for coaches on %(rest)s.",
        results.reports,
    )
    return words % {
        "reports": results.reports,
        "items": results.items_changed,
        "words": results.reworded,
        "rest": results.changed - results.items_changed - results.reworded,
    }

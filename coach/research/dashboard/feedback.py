"""Dashboard pages on coaches' decisions about rules, and the outcomes of items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.research.dashboard.facts import ItemFact, items_in
from coach.research.dashboard.intervals import Interval, ratio_interval
from coach.research.dashboard.spec import Asked, Chart, Column, Glance, Row, Series, share, whole

_KEPT = ("accepted", "edited")
_DECIDED = (*_KEPT, "replaced", "rejected")


def _by_version(asked: Asked) -> Iterator[tuple[tuple[str, int], list[ItemFact]]]:
    found: dict[tuple[str, int], list[ItemFact]] = {}
    for item in items_in(asked.included):
        found.setdefault((item.rule, item.version), []).append(item)
    yield from sorted(found.items())


def _agreement(asked: Asked) -> Iterator[Row]:
    found = list(_by_version(asked))
    intervals = intervals_of(_kept_by_person(items) for _rule, items in found)
    for ((rule, version), items), (low, high) in zip(found, intervals, strict=True):
        counts = Counter(item.decision for item in items)
        decided = sum(counts[each] for each in _DECIDED)
        kept = sum(counts[each] for each in _KEPT)
        yield {
            "rule": rule,
            "rule_version": version,
            "people": len({item.person for item in items}),
            "items": len(items),
            "decided": decided,
            **{each: counts[each] for each in _DECIDED},
            "held": counts["held"],
            "kept_share": kept / decided if decided else None,
            "low": low,
            "high": high,
        }


def intervals_of(tables: Iterable[list[tuple[int, int]]]) -> list[Interval]:
    """Return an interval for each table, computed by size: equal sizes share their resamples."""
    asked = sorted(enumerate(tables), key=lambda each: len(each[1]))
    found = {number: ratio_interval(pairs) for number, pairs in asked}
    return [found[number] for number in range(len(found))]


def _kept_by_person(items: list[ItemFact]) -> list[tuple[int, int]]:
    found: dict[str, list[int]] = {}
    for item in items:
        if item.decision in _DECIDED:
            pair = found.setdefault(item.person, [0, 0])
            pair[0] += item.decision in _KEPT
            pair[1] += 1
    return [(kept, decided) for _person, (kept, decided) in sorted(found.items())]


def _named(row: Row) -> str:
    return f"{row['rule']} · {row['rule_version']}"


def _agreement_chart(rows: list[Row]) -> Chart | None:
    decided = [row for row in rows if row["decided"]]
    if not decided:
        return None
    names = {
        "accepted": _("accepted"),
        "edited": _("edited"),
        "replaced": _("replaced"),
        "rejected": _("rejected"),
    }
    return Chart(
        kind="bars",
        labels=tuple(_named(row) for row in decided),
        series=tuple(
            Series(name=name, values=tuple(row[key] / row["decided"] for row in decided))
            for key, name in names.items()
        ),
        axis=_("share of decisions"),
        is_share=True,
    )


AGREEMENT = Glance(
    name="rules-and-coaches",
    title=gettext_lazy("Rules and coaches"),
    what=gettext_lazy(
        "Coach decisions about each rule’s cards, by version: from the newest "
        "released feedback on each take, or its draft if none was released. Kept: "
        "accepted, with or without edits. Cards held back for lack of space do not "
        "count as decided. 95% intervals: the wider of Wilson’s interval and one by "
        "resampling people, since decisions about one person’s takes are related."
    ),
    columns=(
        Column(name="rule", label=gettext_lazy("Rule")),
        Column(name="rule_version", label=gettext_lazy("Version"), words=whole),
        Column(name="people", label=gettext_lazy("People"), words=whole),
        Column(name="items", label=gettext_lazy("Cards"), words=whole),
        Column(name="decided", label=gettext_lazy("Decided"), words=whole),
        Column(name="accepted", label=gettext_lazy("Accepted"), words=whole),
        Column(name="edited", label=gettext_lazy("Edited"), words=whole),
        Column(name="replaced", label=gettext_lazy("Replaced"), words=whole),
        Column(name="rejected", label=gettext_lazy("Rejected"), words=whole),
        Column(name="held", label=gettext_lazy("Held back"), words=whole),
        Column(name="kept_share", label=gettext_lazy("Kept"), words=share),
        Column(name="low", label=gettext_lazy("From"), words=share),
        Column(name="high", label=gettext_lazy("To"), words=share),
    ),
    rows=_agreement,
    chart=_agreement_chart,
)


def _outcomes(asked: Asked) -> Iterator[Row]:
    for (rule, version), items in _by_version(asked):
        yield {
            "rule": rule,
            "rule_version": version,
            "people": len({item.person for item in items}),
            "takes": len({item.take for item in items}),
            "items": len(items),
            "chosen": sum(item.was_chosen for item in items),
            "waiting": sum(item.decision == "open" for item in items),
            "shown": sum(item.was_shown for item in items),
            "disputed": sum(item.was_disputed for item in items),
        }


def _outcome_chart(rows: list[Row]) -> Chart | None:
    if not rows:
        return None
    names = {"items": _("cards"), "chosen": _("chosen"), "shown": _("read by the trainee")}
    return Chart(
        kind="counts",
        labels=tuple(_named(row) for row in rows),
        series=tuple(
            Series(name=name, values=tuple(float(row[key]) for row in rows))
            for key, name in names.items()
        ),
        axis=_("cards"),
    )


OUTCOMES = Glance(
    name="items",
    title=gettext_lazy("Outcome of cards"),
    what=gettext_lazy(
        "From what a rule proposed to what the trainee read: chosen for the draft, "
        "waiting for a coach, released, and how many of the released ones trainees "
        "called inaccurate."
    ),
    columns=(
        Column(name="rule", label=gettext_lazy("Rule")),
        Column(name="rule_version", label=gettext_lazy("Version"), words=whole),
        Column(name="people", label=gettext_lazy("People"), words=whole),
        Column(name="takes", label=gettext_lazy("Takes"), words=whole),
        Column(name="items", label=gettext_lazy("Cards"), words=whole),
        Column(name="chosen", label=gettext_lazy("Chosen"), words=whole),
        Column(name="waiting", label=gettext_lazy("Undecided"), words=whole),
        Column(name="shown", label=gettext_lazy("Released"), words=whole),
        Column(name="disputed", label=gettext_lazy("Called inaccurate"), words=whole),
    ),
    rows=_outcomes,
    chart=_outcome_chart,
)

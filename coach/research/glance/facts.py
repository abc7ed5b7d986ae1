"""What the pages count: takes, items and values, of this site or as a bundle brought them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import QuerySet

from coach.feedback.items import standing
from coach.feedback.models import Item, MeasuredValue
from coach.research.exports.bundle.scope import Included
from coach.research.exports.models import ImportedRow
from coach.research.studies.models import Scope

Version = tuple[bool, int]
"""Of feedback: whether it was released, and its number."""


class TakeFact(NamedTuple):
    """A take: whose, and as how manieth."""

    name: str
    person: str
    number: int


class ItemFact(NamedTuple):
    """What a rule said about a take, and what became of it."""

    person: str
    take: str
    rule: str
    version: int
    decision: str
    was_chosen: bool
    was_shown: bool
    was_disputed: bool


class ValueFact(NamedTuple):
    """A measure of a take; without a value where it was not measured."""

    person: str
    number: int
    value: float | None


def takes_in(included: Included) -> list[TakeFact]:
    """Every take whose measurements may be used."""
    if included.study.is_imported:
        rows = _imported(included, "rehearsals")
        return [
            TakeFact(row["rehearsal_id"], row["participant_id"], int(row["sequence_no"]))
            for row in rows
        ]
    return [TakeFact(take.name, take.person.name, take.number) for take in included.takes]


def items_in(included: Included) -> Iterator[ItemFact]:
    """What rules said: in the newest version that was released, in the draft where none was.

    A correction that is still written takes away nothing of what was read.
    """
    if included.study.is_imported:
        yield from _imported_items(included)
        return
    takes = {take.rehearsal.pk: take for take in included.takes_with(Scope.FEEDBACK)}
    items = (
        _of_rules(included)
        .select_related("feedback", "former", "corrected")
        .prefetch_related("verdicts", "disputes", "former__verdicts")
        .defer("feedback__draft", "feedback__context")
    )
    found = [
        (item, (included.is_before(item.feedback.released_at), item.feedback.version))
        for item in items
    ]
    counts = _that_count((item.feedback.rehearsal_id, version) for item, version in found)
    for item, version in found:
        if version == counts[item.feedback.rehearsal_id]:
            take = takes[item.feedback.rehearsal_id]
            yield _item(included, item, take.person.name, take.name)


def count_items(included: Included) -> int:
    """How many there are of those: of none the words, the figures or the decisions are read."""
    if included.study.is_imported:
        return sum(1 for _each in _imported_items(included))
    rows = _of_rules(included).values_list(
        "feedback__rehearsal", "feedback__released_at", "feedback__version"
    )
    found = [(take, (included.is_before(released), version)) for take, released, version in rows]
    counts = _that_count(found)
    return sum(version == counts[take] for take, version in found)


def _of_rules(included: Included) -> QuerySet[Item]:
    """Items of rules on takes whose feedback may be used, in every version."""
    takes = [take.rehearsal.pk for take in included.takes_with(Scope.FEEDBACK)]
    return Item.objects.filter(
        feedback__rehearsal__in=takes,
        created_at__lte=included.cut_off,
        origin=Item.Origin.RULE,
    )


def _item(included: Included, item: Item, person: str, take: str) -> ItemFact:
    now = standing(item, at=included.cut_off)
    return ItemFact(
        person=person,
        take=take,
        rule=item.rule,
        version=item.rule_version or 0,
        decision=now.decision,
        was_chosen=item.is_chosen,
        was_shown=now.is_shown and included.is_before(item.feedback.released_at),
        was_disputed=any(included.stands(each) for each in item.disputes.all()),
    )


def _imported_items(included: Included) -> Iterator[ItemFact]:
    takes = {take.name: take.person for take in takes_in(included)}
    rows = [row for row in _imported(included, "feedback_items") if row["rule"]]
    # A bundle says which items were read, and so which versions were released.
    read = {_version_of(row) for row in rows if _true(row["shown_to_trainee"])}
    found = [(row, (_version_of(row) in read, int(row["feedback_version"]))) for row in rows]
    counts = _that_count((row["rehearsal_id"], version) for row, version in found)
    for row, version in found:
        if version == counts[row["rehearsal_id"]]:
            yield ItemFact(
                person=takes[row["rehearsal_id"]],
                take=row["rehearsal_id"],
                rule=row["rule"],
                version=int(row["rule_version"] or 0),
                decision=row["decision"],
                was_chosen=_true(row["was_chosen"]),
                was_shown=_true(row["shown_to_trainee"]),
                was_disputed=bool(row["dispute"]),
            )


def _version_of(row: dict[str, Any]) -> tuple[str, str]:
    return row["rehearsal_id"], str(row["feedback_version"])


def _that_count(versions: Iterable[tuple[Hashable, Version]]) -> dict[Hashable, Version]:
    """The version of each take that counts."""
    counts: dict[Hashable, Version] = {}
    for take, version in versions:
        counts[take] = max(counts.get(take, version), version)
    return counts


def values_in(included: Included, metric: str) -> Iterator[ValueFact]:
    """One measure of every take."""
    if included.study.is_imported:
        takes = {take.name: take for take in takes_in(included)}
        for row in _imported(included, "measurements", metric_id=metric):
            take = takes[row["rehearsal_id"]]
            value = row["value"]
            yield ValueFact(take.person, take.number, float(value) if _is_said(value) else None)
        return
    measured: dict[Any, float | None] = dict(
        MeasuredValue.objects.filter(
            report__in=[take.run.pk for take in included.takes], metric=metric
        ).values_list("report", "value")
    )
    for each in included.takes:
        yield ValueFact(each.person.name, each.number, measured.get(each.run.pk))


def _imported(included: Included, table: str, **values: str) -> Iterator[dict[str, Any]]:
    wanted = {f"values__{name}": value for name, value in values.items()}
    rows: QuerySet[ImportedRow] = ImportedRow.objects.filter(
        study=included.study, table=table, **wanted
    )
    yield from rows.order_by("number").values_list("values", flat=True)


def _is_said(value: object) -> bool:
    return value is not None and value != ""


def _true(value: object) -> bool:
    return value is True or value == "true"

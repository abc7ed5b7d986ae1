"""Data behind the dashboard: takes, items and values, of this site or from an imported bundle."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, Q, QuerySet, When

from coach.feedback.items import Decision, decision_of, is_let_through
from coach.feedback.models import Dispute, Item, MeasuredValue, Verdict
from coach.research.exports.bundle.scope import Included, IncludedTakeKey
from coach.research.exports.models import ImportedRow
from coach.research.studies.models import Scope

Version = tuple[bool, int]
"""Whether a version of feedback was released, and its number."""


class TakeFact(NamedTuple):
    """A take: its owner's pseudonym and its number."""

    name: str
    person: str
    number: int


class ItemFact(NamedTuple):
    """A rule's item on a take, with its outcome."""

    person: str
    take: str
    rule: str
    version: int
    decision: str
    was_chosen: bool
    was_shown: bool
    was_disputed: bool


class ValueFact(NamedTuple):
    """A measure of a take; None if it was not measured."""

    person: str
    number: int
    value: float | None


def takes_in(included: Included) -> list[TakeFact]:
    """Return every take whose measurements may be used."""
    if included.study.is_imported:
        rows = _imported(included, "rehearsals")
        return [
            TakeFact(row["rehearsal_id"], row["participant_id"], int(row["sequence_no"]))
            for row in rows
        ]
    return [TakeFact(take.name, take.person.name, take.number) for take in included.take_keys]


def items_in(included: Included) -> Iterator[ItemFact]:
    """Yield the rules' items in the newest released version, or in the draft if there is none.

    An unreleased correction does not count.
    """
    if included.study.is_imported:
        yield from _imported_items(included)
        return
    takes = _with_feedback(included)
    decisions, disputed = _decisions(included), _disputed(included)
    for item in _rule_items(included):
        take, decision = takes[item.take], decisions(item.key)
        yield ItemFact(
            person=take.person.name,
            take=take.name,
            rule=item.rule,
            version=item.rule_version or 0,
            decision=decision,
            was_chosen=item.is_chosen,
            was_shown=is_let_through(decision, is_chosen=item.is_chosen) and item.is_released,
            was_disputed=item.key in disputed,
        )


def count_items(included: Included) -> int:
    """Return the number of these items, without reading their outcomes."""
    if included.study.is_imported:
        return sum(1 for _each in _imported_items(included))
    return len(_rule_items(included))


class _ItemRow(NamedTuple):
    key: UUID
    take: UUID
    is_released: bool
    feedback_version: int
    rule: str
    rule_version: int | None
    is_chosen: bool

    @property
    def version(self) -> Version:
        return self.is_released, self.feedback_version


def _with_feedback(included: Included) -> dict[UUID, IncludedTakeKey]:
    return {
        take.rehearsal: take for take in included.take_keys if take.person.agrees(Scope.FEEDBACK)
    }


def _rule_items(included: Included) -> list[_ItemRow]:
    """Return the rules' items on takes whose feedback may be used, in the version that counts.

    Filtered by owner: a list of thousands of takes is slower than their items.
    """
    takes = _with_feedback(included)
    is_released = Case(When(feedback__released_at__lte=included.cut_off, then=True), default=False)
    rows = (
        _items(included)
        .filter(created_at__lte=included.cut_off, origin=Item.Origin.RULE)
        .annotate(is_released=is_released)
        .values_list(
            *("pk", "feedback__rehearsal", "is_released", "feedback__version"),
            *("rule", "rule_version", "is_chosen"),
        )
    )
    found = [item for item in map(_ItemRow._make, rows) if item.take in takes]
    counts = _effective_versions((item.take, item.version) for item in found)
    return [item for item in found if item.version == counts[item.take]]


def _items(included: Included) -> QuerySet[Item]:
    return Item.objects.filter(feedback__rehearsal__owner__in=list(included.owners)).order_by()


def _decisions(included: Included) -> Callable[[UUID], Decision]:
    """Return a function for the decision on an item at the cut-off; later versions follow
    earlier ones.
    """
    own: dict[UUID, list[tuple[str, bool]]] = {}
    rows = (
        Verdict.objects.filter(
            Q(undone_at=None) | Q(undone_at__gt=included.cut_off),
            item__feedback__rehearsal__owner__in=list(included.owners),
            at__lte=included.cut_off,
        )
        .annotate(says_words=Case(When(wording={}, then=False), default=True))
        .order_by("at", "pk")
    )
    for item, kind, says_words in rows.values_list("item", "kind", "says_words"):
        own.setdefault(item, []).append((kind, says_words))
    former = dict(_items(included).filter(former__isnull=False).values_list("pk", "former"))

    def standing(item: UUID | None) -> list[tuple[str, bool]]:
        return [*standing(former.get(item)), *own.get(item, [])] if item else []

    return lambda item: decision_of(standing(item))


def _disputed(included: Included) -> set[UUID]:
    """Return the items disputed at the cut-off, without withdrawn disputes."""
    standing = Dispute.objects.filter(
        Q(withdrawn_at=None) | Q(withdrawn_at__gt=included.cut_off),
        item__feedback__rehearsal__owner__in=list(included.owners),
        at__lte=included.cut_off,
    )
    return set(standing.values_list("item", flat=True))


def _imported_items(included: Included) -> Iterator[ItemFact]:
    takes = {take.name: take.person for take in takes_in(included)}
    rows = [row for row in _imported(included, "feedback_items") if row["rule"]]
    # A bundle marks the items that were read, and so the released versions.
    read = {_version_of(row) for row in rows if _true(row["shown_to_trainee"])}
    found = [(row, (_version_of(row) in read, int(row["feedback_version"]))) for row in rows]
    counts = _effective_versions((row["rehearsal_id"], version) for row, version in found)
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


def _effective_versions(versions: Iterable[tuple[Hashable, Version]]) -> dict[Hashable, Version]:
    """Return the version of each take that counts."""
    counts: dict[Hashable, Version] = {}
    for take, version in versions:
        counts[take] = max(counts.get(take, version), version)
    return counts


def values_in(included: Included, metric: str) -> Iterator[ValueFact]:
    """Yield one measure of every take."""
    if included.study.is_imported:
        takes = {take.name: take for take in takes_in(included)}
        for row in _imported(included, "measurements", metric_id=metric):
            take = takes[row["rehearsal_id"]]
            value = row["value"]
            yield ValueFact(take.person, take.number, float(value) if _is_said(value) else None)
        return
    measured: dict[Any, float | None] = dict(
        MeasuredValue.objects.filter(
            report__run__rehearsal__owner__in=list(included.owners), metric=metric
        ).values_list("report", "value")
    )
    for each in included.take_keys:
        yield ValueFact(each.person.name, each.number, measured.get(each.run))


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

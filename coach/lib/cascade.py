"""Counts of the rows that a deletion removes, and of those that remain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model
from django.db.models.deletion import Collector


def rows_with(thing: Model) -> Counter[str]:
    """Count the rows of each model (`app.Model`) that deleting ``thing`` would remove,
    itself included.
    """
    collector = Collector(using=DEFAULT_DB_ALIAS, origin=thing)
    collector.collect([thing])
    counts: Counter[str] = Counter()
    for model, found in collector.data.items():
        counts[_label(model)] += len(found)
    for each in collector.fast_deletes:
        counts[_label(each.model)] += each.count()
    return +counts


def rows_left(model: type[Model], keys: Collection[object]) -> Counter[str]:
    """Count the rows that have one of these keys or refer to one; empty after a complete
    deletion.
    """
    counts: Counter[str] = Counter()
    counts[_label(model)] = model._base_manager.filter(pk__in=keys).count()  # noqa: SLF001
    for relation in model._meta.related_objects:  # noqa: SLF001
        pointing = {f"{relation.field.name}__in": keys}
        rows = relation.related_model._base_manager.filter(**pointing)  # noqa: SLF001
        counts[_label(relation.related_model)] += rows.count()
    return +counts


def _label(model: type[Model]) -> str:
    return model._meta.label  # noqa: SLF001

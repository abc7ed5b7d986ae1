"""The ledger of a study's exports for its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import Count

from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.ledger import unreported_withdrawals
from coach.research.exports.models import Export, ExportedPseudonym
from coach.research.exports.refusals import refusal_causes
from coach.research.exports.sentences import left_words, problem_words
from coach.research.studies.models import Study


def export_rows(study: Study, exports: Iterable[Export]) -> list[dict[str, Any]]:
    """Return a row for each export, in order; their people are looked up in one query."""
    listed = list(exports)
    held = ExportedPseudonym.objects.filter(export__in=listed).order_by()
    people = dict(held.values_list("export").annotate(Count("pk")))
    left = defaultdict(list)
    for each in unreported_withdrawals(study).filter(export__in=listed):
        left[each.export_id].append(each.pseudonym)
    return [_row(each, people.get(each.pk, 0), left[each.pk]) for each in listed]


def export_row(export: Export) -> dict[str, Any]:
    """Return the row of one export."""
    (row,) = export_rows(export.study, [export])
    return row


def _row(export: Export, people: int, left: list[str]) -> dict[str, Any]:
    waits = export.state == Export.State.DONE and not export.downloaded_at
    return {
        "export": export,
        "percent": round(100 * export.progress),
        "is_going_on": export.state in Export.GOING_ON,
        "can_be_fetched": waits and export.removed_at is None,
        "problems": [problem_words(*problem) for problem in export.problems],
        "causes": refusal_causes(export.study, export.problems)
        if export.state == Export.State.REFUSED
        else [],
        "stayed": [left_words(*each) for each in export.left_behind],
        "people": people,
        "counts": [
            (each.name, export.counts[each.name]) for each in TABLES if each.name in export.counts
        ],
        "left": left,
    }

"""Parsing of the submitted form into a document, with added and removed rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from django.core.exceptions import SuspiciousOperation

from coach.curation import words
from coach.curation.editor.conditions import CONDITION_LISTS
from coach.curation.editor.fields import Path, get, lay_over, put
from coach.curation.editor.sections import fields_of
from coach.curation.request_values import number_in
from feedback_rules.loader import MAX_CHARACTERS

Document = dict[str, Any]

_BANDS = frozenset({"between", "outside"})


def document_from(given: Mapping[str, list[str]]) -> Document:
    """Return the document in the form's hidden field, with the form's values applied.

    Raises SuspiciousOperation for data that our forms never send.
    """
    text = (given.get("document") or [""])[-1]
    try:
        is_ours = len(text) <= MAX_CHARACTERS and "\\u0000" not in text
        document = json.loads(text) if is_ours else None
        fields = fields_of(document) if isinstance(document, dict) else None
        json.dumps(document, ensure_ascii=False).encode()  # a lone surrogate is invalid text
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise SuspiciousOperation("a form without its document") from error
    if fields is None or not isinstance(document, dict):
        raise SuspiciousOperation("a form without its document")
    lay_over(document, fields, given)
    _settle_bands(document)
    return document


def _settle_bands(document: Document) -> None:
    """Give each condition a band or a threshold, as its operator requires."""
    lists = (*(("when", name) for name in CONDITION_LISTS), ("gates", "needs"))
    for path in lists:
        for row in get(document, path, ()):
            if "metric" not in row:
                continue
            if row.get("op") in _BANDS and "band" not in row:
                limit = row.pop("value", 0)
                row["band"] = [limit, limit]
            elif row.get("op") not in _BANDS and "band" in row:
                row["value"] = row.pop("band")[0]


def with_rows_changed(document: Document, do: str, chosen: str) -> Document:
    """Return the document after a button press, such as `remove|cases|0` or `add|metric|when|all`.

    Raises SuspiciousOperation for an unknown button.
    """
    changed = deepcopy(document)
    verb, *rest = do.split("|")
    path: Path = tuple(_step(part) for part in rest)
    act = _ACTS.get(verb)
    if act is None:
        raise SuspiciousOperation("there is no such button")
    try:
        act(changed, path, chosen)
    except (LookupError, TypeError, AttributeError) as error:
        raise SuspiciousOperation("there is no such row") from error
    return changed


def _step(part: str) -> str | int:
    number = number_in(part)
    return part if number is None else number


def _remove(document: Document, path: Path, _chosen: str) -> None:
    parent = get(document, path[:-1])
    del parent[path[-1]]


def _copy(document: Document, path: Path, _chosen: str) -> None:
    rows = get(document, path[:-1])
    index = int(path[-1])
    rows.insert(index + 1, deepcopy(rows[index]))


def _add(document: Document, path: Path, _chosen: str) -> None:
    kind, *where = path
    new: dict[str, Document] = {
        "metric": {"metric": get(document, ("severity", "metric")), "op": "above", "value": 0},
        "event": {"event": "filled_pause", "at_least": 1},
        "skipped": {"skipped": "poor_signal"},
        "evidence": {"event": "filled_pause"},
        "suggestion": {
            "name": "another",
            "when": [{"event": "filled_pause", "at_least": 1}],
            "behaviour": {"kind": "plan_ahead"},
            "en": "…",
            "fr": "…",
        },
    }
    _list_at(document, tuple(where)).append(new[str(kind)])


def _measure(document: Document, path: Path, chosen: str) -> None:
    put(document, (*path, "report", "measurements", chosen), {"value": 0, "n": 20})


def _skip(document: Document, path: Path, chosen: str) -> None:
    put(document, (*path, "report", "skipped", chosen), "too_short")


def _moment(document: Document, path: Path, chosen: str) -> None:
    event = {"kind": chosen, "start": 60, "end": 61}
    _list_at(document, (*path, "report", "events")).append(event)


def _range(document: Document, path: Path, _chosen: str) -> None:
    """Add a range to a measurement, with its value as both ends."""
    given = get(document, path)
    measured = given if isinstance(given, dict) else {"value": given}
    value = measured["value"]
    put(document, path, {**measured, "interval": [value, value]})


def _detail(document: Document, path: Path, chosen: str) -> None:
    kind, *where = path
    values = words.values_of_detail(chosen, "")
    is_kind = bool(values) and kind == "detail"
    put(document, (*where, str(kind), chosen), values[0][0] if is_kind else 1)


def _why_for(document: Document, _path: Path, chosen: str) -> None:
    for language in ("en", "fr"):
        put(document, ("message", language, "why_for", chosen), "…")


def _list_at(document: Document, path: Path) -> list[Any]:
    if get(document, path) is None:
        put(document, path, [])
    rows = get(document, path)
    if not isinstance(rows, list):
        raise TypeError
    return rows


_ACTS: dict[str, Callable[[Document, Path, str], None]] = {
    "remove": _remove,
    "copy": _copy,
    "add": _add,
    "measure": _measure,
    "skip": _skip,
    "moment": _moment,
    "range": _range,
    "detail": _detail,
    "why_for": _why_for,
}

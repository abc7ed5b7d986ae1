"""Parsing of the submitted form into a document, with added and removed rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.core.exceptions import SuspiciousOperation

from coach.curation.editor.context import conditions_of
from coach.curation.editor.fields import get, lay_over
from coach.curation.editor.sections import fields_of, groups_of
from feedback_rules.loader import MAX_CHARACTERS
from feedback_rules.model import Rule

Document = dict[str, Any]

_BANDS = frozenset({"between", "outside"})


def document_from(given: Mapping[str, list[str]], model: type[Rule] = Rule) -> Document:
    """Return the document in the form's hidden field, with the form's values applied.

    Raises SuspiciousOperation for data that our forms never send.
    """
    text = (given.get("document") or [""])[-1]
    try:
        is_ours = len(text) <= MAX_CHARACTERS and "\\u0000" not in text
        document = json.loads(text) if is_ours else None
        fields = fields_of(document, model) if isinstance(document, dict) else None
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
    for row in (*conditions_of(document), *get(document, ("gates", "needs"), ())):
        if "metric" not in row:
            continue
        if row.get("op") in _BANDS and "band" not in row:
            limit = row.pop("value", 0)
            row["band"] = [limit, limit]
        elif row.get("op") not in _BANDS and "band" in row:
            row["value"] = row.pop("band")[0]


def with_rows_changed(document: Document, do: str, chosen: str) -> Document:
    """Return the document after a button press, such as `remove|cases|0` or `add|metric|when|all`.

    Raises SuspiciousOperation for a button or a choice that the form does not have.
    """
    changed = deepcopy(document)
    for group in groups_of(document):
        if group.row and do == f"remove|{group.row_name}":
            del get(changed, group.row[:-1])[group.row[-1]]
            return changed
        if group.row and group.can_copy and do == f"copy|{group.row_name}":
            get(changed, group.row[:-1]).insert(group.row[-1], get(deepcopy(document), group.row))
            return changed
        for adder in group.adders:
            if do == adder.do and (not adder.choices or chosen in dict(adder.choices)):
                adder.act(changed, chosen)
                return changed
    raise SuspiciousOperation("there is no such button")

"""The values of a talk that a rule asks for, so that each of its cases can give them."""

from __future__ import annotations

from typing import Any

from coach.curation.editor.fields import get

CONDITION_LISTS = ("all", "any", "co_signals", "unless")
"""The names of a rule's lists of conditions."""
_ASKED_BY = {
    "aims": "aim",
    "audiences": "audience",
    "settings": "setting",
    "except_camera_positions": "camera_position",
}


def conditions_of(document: Any) -> list[Any]:
    """Return all conditions of a document, in the order of the page."""
    return [row for name in CONDITION_LISTS for row in get(document, ("when", name), ())]


def asked_context(document: Any) -> set[str]:
    """Return the names of the context values that the rule uses."""
    applies = get(document, ("applies",), {})
    asked = {name for key, name in _ASKED_BY.items() if applies.get(key)}
    if applies.get("slides") == "without":
        asked.add("slides")
    if applies.get("notes") == "not_scrolling":
        asked.add("notes")
    if applies.get("speakers") == "first_language":
        asked.add("speaks_as")
    compared = {row.get("relative_to") for row in _measured(document)}
    return asked | compared & {"baseline", "time_limit"}


def asked_baselines(document: Any) -> list[str]:
    """Return the metrics that the rule compares with the speaker's baseline."""
    rows = _measured(document)
    return sorted({str(row["metric"]) for row in rows if row.get("relative_to") == "baseline"})


def _measured(document: Any) -> list[Any]:
    rows = [*conditions_of(document), get(document, ("severity",), {})]
    return [row for row in rows if "metric" in row]

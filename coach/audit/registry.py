"""Registry of audited actions: each app registers the labels of its own.

An app has a module `audit_actions` that calls `register_acts`; the modules are imported when Django
is ready. This app imports none of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from django.utils.functional import Promise

Words: TypeAlias = str | Promise

ACTIONS: dict[str, Words] = {}
"""The words of each act, by its code (`feedback.released`)."""
NAMES: dict[str, Words] = {}
"""The words of each detail that `record_act` is given, and of those inside; fields of a model have
their own."""
VALUES: dict[str, str | Mapping[str, Words]] = {}
"""The words of values from a closed list, by detail or by `act:detail`; or the field that holds the
list (`feedback.Dispute.reason`). A value before an act comes from the same list as one after it."""

SECURITY_ACTIONS: set[str] = set()
"""Acts whose network address the security log keeps for some weeks. Not that somebody was erased:
their own address would outlive them."""
RECORDING_OPENED = "rehearsals.opened"
"""In the security log alone: owners read it among the viewings of their take."""


def register_acts(
    actions: Mapping[str, Words],
    *,
    names: Mapping[str, Words] | None = None,
    values: Mapping[str, str | Mapping[str, Words]] | None = None,
    security: Collection[str] = (),
) -> None:
    """Register the actions of an app with their labels; `security`: those for the security log too.

    Raises ValueError if an action or a detail is registered already.
    """
    for table, given in ((ACTIONS, actions), (NAMES, names or {}), (VALUES, values or {})):
        if known := table.keys() & given.keys():
            msg = f"registered already: {', '.join(sorted(known))}"
            raise ValueError(msg)
        table.update(given)  # type: ignore[arg-type]
    SECURITY_ACTIONS.update(security)

"""What the scripts of pages must not rely on."""

from __future__ import annotations

import re

from tests.parts import ROOT

_SHADOWED = re.compile(r"\.(?:method|action)\b")
"""A field of that name stands in the place of the form's own property."""


def test_forms_are_asked_how_and_where_they_send_by_attribute() -> None:
    """Some of ours have a field called method or action: of those a property would be the field."""
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted((ROOT / "static/js").glob("*.js"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if _SHADOWED.search(line)
    ]
    assert found == []

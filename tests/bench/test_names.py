"""The corpus of planted names: large enough, and every known name is found."""

from __future__ import annotations

from bench.names import lines_of, measure


def test_known_names_are_found_in_every_script_and_gone_once_accepted() -> None:
    result = measure()
    planted = sum(each.planted for each in result.tallies.values())
    scripts = {script for _kind, script in result.tallies}
    assert planted >= 200
    assert len(scripts) >= 8
    missed = [
        words
        for (kind, _script), tally in result.tallies.items()
        if kind.startswith("known") or kind in {"address", "number"}
        for words in tally.missed
    ]
    assert missed == ["bo"]  # Two letters are a name with their capital only.
    assert not any(result.rest.values())
    assert len(lines_of(result)) > len(scripts)

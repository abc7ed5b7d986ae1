"""A three-way merge of two curators' edits to one document, by field."""

from __future__ import annotations

from typing import Any

from coach.curation.editor.fields import Path

_NOTHING = object()


def merged(base: Any, mine: Any, theirs: Any, path: Path = ()) -> tuple[Any, list[Path]]:
    """Return the merge of two edits and the paths of conflicts, where `mine` wins.

    A value that only one of them changed is taken from that one.
    """
    if mine in (base, theirs):
        return theirs, []
    if theirs == base:
        return mine, []
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return _merged_keys(base if isinstance(base, dict) else {}, mine, theirs, path)
    alike = isinstance(mine, list) and isinstance(theirs, list) and isinstance(base, list)
    if alike and len(mine) == len(theirs) == len(base):
        return _merged_rows(base, mine, theirs, path)
    return mine, [path]


def _merged_keys(
    base: dict[str, Any], mine: dict[str, Any], theirs: dict[str, Any], path: Path
) -> tuple[dict[str, Any], list[Path]]:
    made: dict[str, Any] = {}
    both: list[Path] = []
    for key in dict.fromkeys([*theirs, *mine]):
        value, found = merged(
            base.get(key, _NOTHING),
            mine.get(key, _NOTHING),
            theirs.get(key, _NOTHING),
            (*path, key),
        )
        both += found
        if value is not _NOTHING:
            made[key] = value
    return made, both


def _merged_rows(
    base: list[Any], mine: list[Any], theirs: list[Any], path: Path
) -> tuple[list[Any], list[Path]]:
    pairs = [
        merged(was, my, their, (*path, index))
        for index, (was, my, their) in enumerate(zip(base, mine, theirs, strict=True))
    ]
    return [value for value, _both in pairs], [place for _value, both in pairs for place in both]

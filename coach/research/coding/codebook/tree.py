"""Codes in tree order: each below its parent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from coach.research.coding.models import Code


class Branch(NamedTuple):
    """A code with its depth."""

    code: Code
    depth: int


def in_order(codes: Iterable[Code]) -> list[Branch]:
    """Return all codes in tree order; one without its parent among them is at the top."""
    found = list(codes)
    there = {code.pk for code in found}
    below: dict[int | None, list[Code]] = defaultdict(list)
    for code in sorted(found, key=lambda code: (code.position, code.pk)):
        below[code.parent_id if code.parent_id in there else None].append(code)
    return list(_walk(below, None, 0))


def _walk(below: dict[int | None, list[Code]], parent: int | None, depth: int) -> Iterator[Branch]:
    for code in below[parent]:
        yield Branch(code, depth)
        yield from _walk(below, code.pk, depth + 1)


def code_paths(study_id: int) -> dict[int, str]:
    """Return the names of each code's parents, outermost first; empty for a code at the top."""
    codes = in_order(Code.objects.filter(study=study_id))
    found: dict[int, str] = {}
    names: list[str] = []
    for code, depth in codes:
        names[depth:] = [code.name]
        found[code.pk] = " › ".join(names[:depth])
    return found


def with_what_is_below(code: Code, codes: Iterable[Code]) -> set[int]:
    """Return the keys of a code and of all its descendants."""
    children: dict[int | None, list[int]] = defaultdict(list)
    for each in codes:
        children[each.parent_id].append(each.pk)
    found, waiting = {code.pk}, [code.pk]
    while waiting:
        below = [pk for pk in children[waiting.pop()] if pk not in found]
        found.update(below)
        waiting += below
    return found

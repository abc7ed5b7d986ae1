"""Problems in a message catalogue, as sentences for its translator."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message

from coach.lib.catalogues.typography import bare_marks, tidy

Key = tuple[object, object]
_PLACE = re.compile(r"%\(\w+\)[sdf]|%[sd]|{[^{}]*}|</?[a-z][^>]*>")


def problems_of(standing: Catalog, wanted: Catalog) -> list[str]:
    """Return every problem: missing or unused messages, and errors in translations."""
    found = [*_out_of_step(standing, wanted)]
    for message in standing:
        if message.id:
            found += [f"{_name(message)}: {problem}" for problem in _wrong_with(message)]
    return found


def _out_of_step(standing: Catalog, wanted: Catalog) -> Iterator[str]:
    has, needs = _keys(standing), _keys(wanted)
    yield from (f"missing: {key[1]!r}" for key in needs if key not in has)
    yield from (f"no longer used: {key[1]!r}" for key in has if key not in needs)


def _keys(catalogue: Catalog) -> dict[Key, None]:
    return {(message.context, message.id): None for message in catalogue if message.id}


def _wrong_with(message: Message) -> Iterator[str]:
    if message.fuzzy:
        yield "fuzzy"
    strings = _strings(message.string)
    if not all(strings) or len(strings) != (2 if message.pluralizable else 1):
        yield "not translated"
        return
    for string in strings:
        if string != tidy(string):
            yield f"spaces or apostrophes: {string!r}"
        if marks := bare_marks(string):
            yield f"no space before {marks}: {string!r}"
        if _places(string) not in [_places(each) for each in _strings(message.id)]:
            yield f"other places to fill in, or other tags: {string!r}"
        if (string.startswith("\n"), string.endswith("\n")) != _ends(_strings(message.id)[0]):
            yield f"line breaks at the ends: {string!r}"


def _strings(text: object) -> list[str]:
    return [str(each) for each in text] if isinstance(text, list | tuple) else [str(text or "")]


def _places(text: str) -> Counter[str]:
    return Counter(_PLACE.findall(text))


def _ends(text: str) -> tuple[bool, bool]:
    return text.startswith("\n"), text.endswith("\n")


def _name(message: Message) -> str:
    return repr(_strings(message.id)[0])

"""Form fields of a rule's document: the path of each value, and parsing of its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from coach.lib.pages.plain_text import storable

Path = tuple[str | int, ...]
Kind = Literal[
    "text", "area", "number", "whole", "choice", "many", "lines", "spoken", "tick", "yes_no_open"
]
"""The kinds of form fields. `spoken`: the words of a transcript, one per line."""
Choices = tuple[tuple[str, str], ...]

_CHARACTERS_OF_A_FIELD = 20
"""The number of characters in the narrowest select, beside its arrow (measured)."""
_FEW_CHOICES = 15
_BREAKS = re.compile(r"[\r\n]+")
_SPOKEN = re.compile(r"(\S+)\s+(\S+)\s+(\S+)\s+(\S.*)")
_NOT_IN_IDS = re.compile(r"[^a-zA-Z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One value of the document; `default` applies if the document has no value."""

    path: Path
    label: str
    kind: Kind = "text"
    choices: Choices = ()
    default: Any = None
    optional: bool = False
    help: str = ""
    language: str = ""

    @property
    def name(self) -> str:
        """The field's name in the form."""
        return name_of(self.path)

    @property
    def is_long(self) -> bool:
        """Whether the select needs the width of two fields."""
        is_wide = any(len(words) > _CHARACTERS_OF_A_FIELD for _code, words in self.choices)
        return self.kind == "choice" and (is_wide or len(self.choices) > _FEW_CHOICES)

    @property
    def id(self) -> str:
        """The field's id on the page."""
        return id_of(self.path)


def name_of(path: Path) -> str:
    """Return a path as a field name, divided by `|` because ids of metrics contain dots."""
    return "|".join(str(part) for part in path)


def id_of(path: Path) -> str:
    """Return a path as an id that is valid in CSS selectors."""
    return "f-" + _NOT_IN_IDS.sub("-", name_of(path))


def get(document: Any, path: Path, default: Any = None) -> Any:
    """Return the value at a path, or the default."""
    for part in path:
        try:
            document = document[part]
        except (KeyError, IndexError, TypeError):
            return default
    return document


def put(document: Any, path: Path, value: Any) -> None:
    """Set the value at a path; None deletes it. Creates missing dicts and deletes empty ones."""
    *between, last = path
    root = document
    for part in between:
        if isinstance(document, dict) and part not in document:
            if value is None:
                return
            document[part] = {}
        document = document[part]
    if value is None and isinstance(document, dict):
        document.pop(last, None)
        if not document and len(path) > 1:
            put(root, path[:-1], None)
    else:
        document[last] = value


def shown(field: Field, document: Any) -> Any:
    """Return the value as the form shows it: a text, a list of choices, or a boolean."""
    value = get(document, field.path, field.default)
    if field.kind == "lines":
        return "\n".join(str(each) for each in value or ())
    if field.kind == "spoken":
        return "\n".join(_spoken_line(each) for each in value or ())
    if field.kind == "many":
        return [str(each) for each in value or ()]
    if field.kind == "tick":
        return bool(value)
    if field.kind == "yes_no_open":
        return {True: "yes", False: "no"}.get(value, "")
    return number_text(value) if isinstance(value, float | int) else str(value or "")


def _spoken_line(word: Any) -> str:
    """Return a word as a line ("12.5 12.9 0.9 and"), or any other value as text."""
    if not isinstance(word, dict):
        return str(word)
    numbers = (word.get(key) for key in ("start", "end", "probability"))
    parts = (number_text(n) if isinstance(n, float | int) else str(n) for n in numbers)
    return " ".join((*parts, str(word.get("text", ""))))


def _spoken_word(line: str) -> Any:
    """Return the word of a line, or the line itself if invalid, for validation to report."""
    found = _SPOKEN.fullmatch(line)
    if found is None:
        return line
    start, end, probability = (_number(part, whole=False) for part in found.groups()[:3])
    return {"text": found[4], "start": start, "end": end, "probability": probability}


def number_text(value: float) -> str:
    """Return a number as text, without rounding and without a redundant decimal point."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def lay_over(document: dict[str, Any], fields: Iterable[Field], given: Mapping[str, Any]) -> None:
    """Apply the form's values to the document; unchanged values stay byte for byte.

    `given`: lists of texts by field name, as browsers send them.
    """
    for field in fields:
        if field.kind not in {"tick", "many"} and field.name not in given:
            continue
        value = _read(field, given.get(field.name, []))
        before = get(document, field.path, field.default)
        if not _is_same(field, value, before):
            put(document, field.path, value)


def _is_same(field: Field, value: Any, before: Any) -> bool:
    if field.kind == "many":
        return sorted(value) == sorted(before or ())
    if value in (None, [], "") and before in (None, [], (), ""):
        return True
    return bool(value == (list(before) if isinstance(before, tuple) else before))


def _read(field: Field, texts: list[str]) -> Any:
    if field.kind == "many":
        return list(texts)
    is_list = field.kind in {"lines", "spoken"}
    text = storable(texts[-1] if texts else "")
    lines = [line for each in _BREAKS.split(text) if (line := each.strip())]
    text = " ".join(lines)
    if field.kind == "tick":
        return bool(texts)
    if field.kind == "yes_no_open":
        return {"yes": True, "no": False}.get(text)
    if is_list:
        return lines if field.kind == "lines" else [_spoken_word(line) for line in lines] or None
    if not text and field.optional:
        return None
    if field.kind in {"number", "whole"}:
        return _number(text, whole=field.kind == "whole")
    return text


def _number(text: str, *, whole: bool) -> float | int | str:
    """Return the number, or the text itself if invalid, for validation to report."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if whole and number.is_integer() else number

"""Extraction of the sentences marked for translation in code and templates."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from django.utils.translation.template import templatize

from coach.lib.catalogues import ROOT
from coach.lib.words import measure_words, rule_words

_Places = tuple[int | tuple[int, str], ...] | None
_PLACES: dict[str, _Places] = {
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
KEYWORDS: dict[str, _Places] = {
    **_PLACES,
    **{f"{name}_lazy": places for name, places in _PLACES.items()},
    "_": None,
    "gettext_noop": None,
}
_COMMENT = "Translators:"


def extract_all() -> Catalog:
    """Return a catalogue of all sentences in code and templates, without translations."""
    catalogue = Catalog(charset="utf-8")
    for path in _sources():
        for _line, message, comments, context in _messages(path):
            catalogue.add(
                message,
                locations=[(path.relative_to(ROOT).as_posix(), 1)],
                auto_comments=comments,
                context=context,
            )
    for package, words in (("analysis", measure_words), ("feedback_rules", rule_words)):
        for context, sentence in words.named():
            catalogue.add(sentence, locations=[(package, 1)], context=context)
    return catalogue


def _sources() -> Iterator[Path]:
    for package in ("analysis", "feedback_rules", "coach", "demo"):
        found = (ROOT / package).rglob("*.py")
        yield from sorted(path for path in found if "migrations" not in path.parts)
    yield from sorted(
        path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"}
    )


def _messages(path: Path) -> Iterator[tuple[Any, ...]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        # `templatize` leaves Python tokens, not a program, as Django's own makemessages reads them.
        # Inside brackets the indentation has no meaning.
        text = f"({templatize(text, origin=str(path))})"
    file = BytesIO(text.encode())
    yield from extract("python", file, KEYWORDS, [_COMMENT], {"encoding": "utf-8"})

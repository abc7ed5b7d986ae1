"""Reads, brings up to date and compiles the catalogues."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from coach.lib.catalogues import LANGUAGES, catalogue_of, compiled_of
from coach.lib.catalogues.typography import tidy

# No dates and no names: a change of the catalogue is a change of its sentences.
_HEAD = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plural}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""

# One form for nought and one, one for more: what Babel takes for a language changes from version to
# version (with 2.19 it asks for a third French form, for millions).
_PLURAL_FORMS = "nplurals=2; plural=(n > 1);"


def _empty(language: str) -> Catalog:
    catalogue = Catalog(locale=language, charset="utf-8")
    catalogue.mime_headers = [("Plural-Forms", _PLURAL_FORMS)]
    return catalogue


def read(path: Path, language: str) -> Catalog:
    """A catalogue as it is written; without the file, an empty one."""
    if not path.is_file():
        return _empty(language)
    with path.open("rb") as file:
        return read_po(file, locale=language, charset="utf-8", abort_invalid=True)


def update(language: str, wanted: Catalog, others: Iterable[Path] = ()) -> Catalog:
    """Bring a catalogue in step with the sentences; takes what is new from ``others`` too."""
    known: dict[tuple[object, object], Message] = {}
    for path in (catalogue_of(language), *others):
        for message in read(path, language):
            if message.id and message.string and not message.fuzzy:
                known[message.context, message.id] = message
    fresh = _empty(language)
    for message in wanted:
        if message.id:
            _add(fresh, message, known.get((message.context, message.id)))
    return fresh


def _add(catalogue: Catalog, message: Message, known: Message | None) -> None:
    nothing = ("", "") if message.pluralizable else ""
    string = (known.string if known else None) or nothing
    catalogue.add(
        message.id,
        string=tidy(string) if isinstance(string, str) else tuple(map(tidy, string)),
        locations=message.locations,
        auto_comments=message.auto_comments,
        context=message.context,
        flags=message.flags - {"fuzzy"},
    )


def write(catalogue: Catalog, path: Path) -> None:
    """Write it so that the same sentences always give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(_HEAD.format(language=catalogue.locale, plural=catalogue.plural_forms).encode())
        write_po(file, catalogue, width=96, include_lineno=False, omit_header=True)


def is_stale(language: str) -> bool:
    """Whether what Django reads is missing, or older than what people wrote."""
    written, compiled = catalogue_of(language), compiled_of(language)
    return not compiled.is_file() or compiled.stat().st_mtime < written.stat().st_mtime


def compile_all() -> list[Path]:
    """Make what is stale anew, whole or not at all: others may read it meanwhile."""
    made = []
    for language in filter(is_stale, LANGUAGES):
        target = compiled_of(language)
        beside = target.with_suffix(f".{os.getpid()}.tmp")
        with beside.open("wb") as file:
            write_mo(file, read(catalogue_of(language), language))
        beside.replace(target)
        made.append(target)
    return made

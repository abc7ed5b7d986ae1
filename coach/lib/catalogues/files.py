"""Reading, updating and compiling of message catalogues."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from coach.lib.catalogues import LANGUAGES, catalogue_of, compiled_of
from coach.lib.catalogues.typography import tidy

# Without dates and names, so that a diff of the catalogue shows sentences only.
_HEAD = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plural}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def read(path: Path, language: str) -> Catalog:
    """Read a catalogue; return an empty one if the file is missing."""
    if not path.is_file():
        return Catalog(locale=language, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language, charset="utf-8", abort_invalid=True)


def update(language: str, wanted: Catalog, others: Iterable[Path] = ()) -> Catalog:
    """Return a catalogue in step with the sentences; translations may also come from ``others``."""
    known: dict[tuple[object, object], Message] = {}
    standing = read(catalogue_of(language), language)
    for catalogue in (standing, *(read(path, language) for path in others)):
        for message in catalogue:
            if message.id and message.string and not message.fuzzy:
                known[message.context, message.id] = message
    fresh = Catalog(locale=language, charset="utf-8")
    # The plural forms of its sentences: for French, Babel 2.19 would count a third form.
    fresh.mime_headers = [("Plural-Forms", standing.plural_forms)]
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
    """Write a catalogue deterministically: the same sentences always give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(_HEAD.format(language=catalogue.locale, plural=catalogue.plural_forms).encode())
        write_po(file, catalogue, width=96, include_lineno=False, omit_header=True)


def is_stale(language: str) -> bool:
    """Return whether the compiled catalogue is missing or older than its source."""
    written, compiled = catalogue_of(language), compiled_of(language)
    return not compiled.is_file() or compiled.stat().st_mtime < written.stat().st_mtime


def compile_all() -> list[Path]:
    """Compile stale catalogues, each by an atomic replace, since other processes may be
    reading them.
    """
    made = []
    for language in filter(is_stale, LANGUAGES):
        target = compiled_of(language)
        beside = target.with_suffix(f".{os.getpid()}.tmp")
        with beside.open("wb") as file:
            write_mo(file, read(catalogue_of(language), language))
        beside.replace(target)
        made.append(target)
    return made

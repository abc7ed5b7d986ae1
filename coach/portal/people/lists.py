"""Pasted lists and CSV files of people, read into lines of text.

Tables from spreadsheets differ in encoding, separator and the names of their columns. A cell is
plain text: a formula stays the text that it is.
"""

from __future__ import annotations

import codecs
import csv
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Final

from coach.accounts.models import Language, Role
from coach.lib.pages.plain_text import one_line, storable

MOST_LINES = 500
"""People in one list: a large year group (rule of thumb)."""
MOST_BYTES = 1_000_000
"""Size of a file; 500 lines of text need a tenth of it (rule of thumb)."""

_COLUMNS: Final[dict[str, str]] = {
    name: column
    for column, names in {
        "email": "email, e mail, mail, courriel, address, email address, e mail address, adresse, "
        "adresse email, adresse e mail, adresse mail, adresse electronique, adresse de courriel",
        "name": "name, nom, full name, display name, nom complet, nom et prenom, prenom et nom",
        "first": "first name, firstname, given name, prenom, prenoms",
        "last": "last name, lastname, surname, family name, nom de famille",
        "roles": "role, roles",
        "group": "group, groups, groupe, groupes, cohort, cohorte, class, classe",
        "language": "language, langue, lang",
    }.items()
    for name in names.split(", ")
}
_IN_ORDER: Final = ("email", "name", "roles", "group", "language")
"""Columns of a list without a header."""

_ROLES: Final[dict[str, Role]] = {
    name: role
    for role, names in {
        Role.TRAINEE: "trainee, trainees, student, students, eleve, eleves, etudiant, etudiante",
        Role.COACH: "coach, coaches, coachs, teacher, enseignant, enseignante",
        Role.CURATOR: "curator, curators, responsable des regles",
        Role.RESEARCHER: "researcher, researchers, chercheur, chercheuse, equipe de recherche",
        Role.ADMINISTRATOR: "administrator, administrators, admin, administration, "
        "administrateur, administratrice",
    }.items()
    for name in names.split(", ")
}
_LANGUAGES: Final[dict[str, Language]] = {
    "en": Language.ENGLISH,
    "english": Language.ENGLISH,
    "anglais": Language.ENGLISH,
    "fr": Language.FRENCH,
    "french": Language.FRENCH,
    "francais": Language.FRENCH,
}
_BETWEEN_ROLES: Final = re.compile(r"[,;/|+&]|\band\b|\bet\b", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"[^"]*"')


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLine:
    """One person of a list, as written; an empty cell is an empty text."""

    number: int
    email: str
    name: str = ""
    roles: str = ""
    group: str = ""
    language: str = ""


def decoded(content: bytes) -> str:
    """Return the text of a file in one of the encodings that spreadsheets write."""
    for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        if content.startswith(mark):
            return storable(content.decode("utf-16", errors="replace"))
    try:
        return storable(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        # Excel in Western Europe.
        return storable(content.decode("cp1252", errors="replace"))


def read_list(text: str) -> list[ListLine]:
    """Return the people of a list, each with the number of its line."""
    rows = _rows(text)
    if not rows:
        return []
    columns = [_COLUMNS.get(plain_word(cell), "") for cell in rows[0][1]]
    has_header = any(columns) and not any("@" in cell for cell in rows[0][1])
    if has_header and "email" in columns:
        return [_by_header(number, cells, columns) for number, cells in rows[1:]]
    found: list[ListLine] = []
    for number, cells in rows[1:] if has_header else rows:
        found += _in_order(number, cells)
    return found


def plain_word(text: str) -> str:
    """Return a word without case, accents and punctuation, for comparing."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(each for each in letters if not unicodedata.combining(each))
    return " ".join(re.findall(r"[a-z0-9]+", kept))


def roles_of(text: str) -> tuple[list[Role], list[str]]:
    """Return the roles in a cell, and the words that name none."""
    words = [each.strip() for each in _BETWEEN_ROLES.split(text) if each.strip()]
    roles = {role for each in words if (role := _ROLES.get(plain_word(each)))}
    unknown = [each for each in words if plain_word(each) not in _ROLES]
    return [role for role in Role if role in roles], unknown


def language_of(text: str) -> Language | None:
    """Return the language in a cell; None if the word names none of ours."""
    return _LANGUAGES.get(plain_word(text))


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty. A stray quotation mark spoils one line at most."""
    lines = text.removeprefix("\ufeff").splitlines()
    separator = next(filter(None, map(_separator, lines)), ",")
    found: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, start=1):
        if line.strip().casefold().startswith("sep=") and not found:
            separator = line.strip()[4:5] or separator
            continue
        cells = next(csv.reader([line], delimiter=separator), [])
        cells = [one_line(cell) for cell in cells]
        if any(cells):
            found.append((number, cells))
    return found


def _separator(line: str) -> str:
    """Return the separator in a line; empty if it has only one cell."""
    bare = _QUOTED.sub("", line)
    return next((each for each in ("\t", ";", ",") if each in bare), "")


def _by_header(number: int, cells: Sequence[str], columns: Sequence[str]) -> ListLine:
    said = {column: cell for column, cell in zip(columns, cells, strict=False) if column and cell}
    parts = [said.get("first", ""), said.get("last", "") or said.get("name", "")]
    name = " ".join(filter(None, parts)) if "first" in said else said.get("name", parts[1])
    return ListLine(
        number=number,
        email=_address(said.get("email", "")),
        name=name,
        roles=said.get("roles", ""),
        group=said.get("group", ""),
        language=said.get("language", ""),
    )


def _in_order(number: int, cells: Sequence[str]) -> list[ListLine]:
    """Return the person of a row without a header, or the people of a row of addresses only."""
    filled = [cell for cell in cells if cell]
    if len(filled) > 1 and all("@" in cell for cell in filled):
        return [_alone(number, cell) for cell in filled]
    said = dict(zip(_IN_ORDER, cells, strict=False))
    alone = _alone(number, said.pop("email"))
    return [
        ListLine(
            number=number,
            email=alone.email,
            name=said.get("name") or alone.name,
            roles=said.get("roles", ""),
            group=said.get("group", ""),
            language=said.get("language", ""),
        )
    ]


def _alone(number: int, cell: str) -> ListLine:
    """Return a person from `ada@uni.example` or `Ada <ada@uni.example>`."""
    name = parseaddr(cell)[0] if "<" in cell else ""
    return ListLine(number=number, email=_address(cell), name=name)


def _address(cell: str) -> str:
    return (parseaddr(cell)[1] or cell if "<" in cell else cell).strip().lower()

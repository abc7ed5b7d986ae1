"""Describing files of a bundle: Data Package, manifest, README, terms, hashes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from django.utils import timezone

from analysis import __version__
from coach.research.exports.bundle.readme import COLUMNS, README, TERMS, TERMS_NAME
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.spec import Column, Table
from coach.research.exports.bundle.tables import TABLES
from coach.research.studies.models import ConsentDocument
from coach.research.studies.selectors import changed_weights

FORMAT_VERSION = "1.0"
_PROFILE = "https://datapackage.org/profiles/2.0/"


def write_json(path: Path, document: dict[str, Any]) -> None:
    """Write readable UTF-8 JSON, keeping the order of keys."""
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")


def write_readme(included: Included, folder: Path) -> None:
    """Write the README, the column descriptions and the terms of use."""
    study = included.study
    values = {
        "title": study.title,
        "version": __version__,
        "question": study.question or "(not stated)",
        "contact": study.contact or "(not stated)",
        "ethics": study.ethics or "(not stated)",
        "cut_off": timezone.localdate(included.cut_off).isoformat(),
        "tables": "\n".join(
            f"- `data/{table.name}.csv`: {table.title.lower()}" for table in TABLES
        ),
    }
    (folder / "README.md").write_text(README.format(**values), encoding="utf-8", newline="\n")
    columns = COLUMNS.format(tables="\n\n".join(_columns_of(table) for table in TABLES))
    (folder / "COLUMNS.md").write_text(columns, encoding="utf-8", newline="\n")
    terms = TERMS.format(title=study.title, contact=values["contact"])
    (folder / TERMS_NAME).write_text(terms, encoding="utf-8", newline="\n")


def _columns_of(table: Table) -> str:
    """Return a table's description for readers, with the content of its Data Package entry."""
    lines = [
        f"## {table.name}.csv",
        "",
        f"{table.title}. Key: {', '.join(table.key)}.",
        "",
        "| column | type | unit | meaning | values | may be empty |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    leads = {each.column: f"in {each.table}.csv, {each.to}" for each in table.refers}
    for column in table.columns:
        least = "" if column.least is None else f"from {column.least:g}"
        most = "" if column.most is None else f"to {column.most:g}"
        bounds = f"{least} {most}".strip()
        values = ", ".join(column.allowed) or bounds or leads.get(column.name, "")
        empty = "" if column.required else "yes"
        cells = (column.name, column.kind, column.unit, column.what, values, empty)
        lines.append(f"| {' | '.join(each.replace('|', '&#124;') for each in cells)} |")
    return "\n".join(lines)


def manifest(included: Included, counts: dict[str, int]) -> dict[str, Any]:
    """Return what was exported and under which conditions; the cut-off is its only time."""
    study = included.study
    pinned = study.rule_set
    return {
        "format": "rostrum-study",
        "format_version": FORMAT_VERSION,
        "rostrum_version": __version__,
        "study": {
            "title": study.title,
            "question": study.question,
            "protocol": study.protocol,
            "ethics": study.ethics,
            "contact": study.contact,
            "recipients": study.recipients,
            "planned_takes": study.planned_takes,
            "is_synthetic": study.is_synthetic,
            "is_blinded": study.is_blinded,
        },
        "consent_cut_off": included.cut_off.isoformat(),
        "least_group": study.least_group,
        "formats": sorted(included.formats),
        "pinned": {
            "rule_set": pinned.number if pinned else None,
            "rule_set_digest": pinned.digest if pinned else None,
            "policy": study.policy or None,
            "models": study.weights,
            "models_changed_since": changed_weights(study),
        },
        "conditions": _conditions(included),
        "consent_documents": _documents(included),
        "guides": [
            {"version": each.version, "sha256": each.sha256}
            for each in study.guides.order_by("version")
        ],
        "rows": counts,
        "left_out": "see data/exclusions.csv",
        "qda_loses": (
            "A REFI-QDA project holds users, codes, texts, codings, memos and cases. "
            "Measurements, feedback, decisions, consent and codings of takes are in data/ only."
        ),
    }


def _conditions(included: Included) -> dict[str, Any]:
    """Return letters and shares, with names and seed only if the study is not blinded any more."""
    study = included.study
    is_open = not study.is_blinded or study.unblinded_at is not None
    arms = [
        {
            "letter": each.letter,
            "share": each.weight,
            **({"name": each.name, "what": each.what} if is_open else {}),
        }
        for each in study.conditions.all()
    ]
    return {
        "scheme": (
            "Permuted blocks: block n holds each letter twice its share, in the order of their "
            'letters, shuffled by Python\'s random.Random(f"{seed}:{n}").shuffle; the k-th person '
            "(from 0) has place k modulo the size of a block in block k // size."
        ),
        "arms": arms,
        "seed": study.secret.seed if is_open and arms else None,
    }


def _documents(included: Included) -> list[dict[str, Any]]:
    documents = ConsentDocument.objects.filter(study=included.study)
    return [
        {
            "scope": each.scope,
            "version": each.version,
            "language": each.language,
            "is_material": each.is_material,
            "sha256": each.sha256,
            "path": f"documents/consent-{each.scope}-v{each.version}-{each.language}.txt",
        }
        for each in documents.order_by("scope", "version", "language")
    ]


def datapackage(included: Included, folder: Path) -> dict[str, Any]:
    """Return the Data Package v2: every table with columns, types, units, keys, hash and size."""
    return {
        "$schema": f"{_PROFILE}datapackage.json",
        "name": included.study.slug,
        "title": included.study.title,
        "version": FORMAT_VERSION,
        "resources": [_resource(table, folder) for table in TABLES],
    }


def _resource(table: Table, folder: Path) -> dict[str, Any]:
    path = folder / "data" / f"{table.name}.csv"
    return {
        "$schema": f"{_PROFILE}dataresource.json",
        "name": table.name,
        "type": "table",
        "title": table.title,
        "path": f"data/{table.name}.csv",
        "scheme": "file",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": path.stat().st_size,
        "hash": f"sha256:{digest_of(path)}",
        "dialect": {"lineTerminator": "\n"},
        "schema": _schema(table),
    }


def _schema(table: Table) -> dict[str, Any]:
    return {
        "$schema": f"{_PROFILE}tableschema.json",
        "fields": [_field(column) for column in table.columns],
        "missingValues": [""],
        "primaryKey": list(table.key),
        "foreignKeys": [
            {
                "fields": [each.column],
                # Frictionless requires an empty name here for a reference to the same table.
                "reference": {
                    "resource": "" if each.table == table.name else each.table,
                    "fields": [each.to],
                },
            }
            for each in table.refers
        ],
    }


def _field(column: Column) -> dict[str, Any]:
    constraints: dict[str, Any] = {"required": True} if column.required else {}
    if column.allowed:
        # Both are written, since not every validator knows `categories`.
        constraints["enum"] = list(column.allowed)
    if column.least is not None:
        constraints["minimum"] = column.least
    if column.most is not None:
        constraints["maximum"] = column.most
    field: dict[str, Any] = {
        "name": column.name,
        "type": column.kind,
        "description": column.what,
    }
    if column.unit:
        field["unit"] = column.unit
    if column.allowed:
        field["categories"] = list(column.allowed)
    if constraints:
        field["constraints"] = constraints
    return field


def write_sums(folder: Path) -> None:
    """Write SHA256SUMS of every other file, for `sha256sum -c`."""
    lines = [f"{digest_of(folder / name)}  {name}\n" for name in file_names(folder)]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")


def file_names(folder: Path) -> list[str]:
    """Return every file below a folder except the sums, sorted by name."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in names if name != "SHA256SUMS")


def digest_of(path: Path) -> str:
    """Return the SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

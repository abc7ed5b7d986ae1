"""Registry of the files that researchers can download."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from analysis.metrics import METRICS
from analysis.results import SCHEMA_VERSION
from coach.accounts.models import Purpose, User
from coach.audit.services import record_act
from coach.lib.files.csv_tables import csv_lines, for_spreadsheets
from coach.research.exports.models import Download
from coach.research.exports.records import (
    ITEM_COLUMNS,
    MEASUREMENT_COLUMNS,
    VERDICT_COLUMNS,
    item_rows,
    measurement_rows,
    verdict_rows,
)
from coach.research.exports.selectors import kept_until
from coach.research.exports.transcripts import TRANSCRIPT_COLUMNS, recordings_of, transcript_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """One file; its name is also its URL."""

    name: str
    content_type: str
    label: str | Promise
    what: str | Promise
    render: Callable[[User], Iterable[bytes]]
    """Returns the content in pieces, since it grows with the site."""
    purpose: Purpose = Purpose.RESEARCH_MEASUREMENTS
    """Consent that the takes in it need."""


def _everything(researcher: User) -> Iterator[bytes]:
    """Yield one document, a table's row at a time: it is as long as the three tables together."""
    metrics = [
        {
            "id": metric.id,
            "unit": metric.unit,
            "definition": metric.definition,
            "reference": metric.reference,
            "limitations": metric.limitations,
        }
        for metric in METRICS
    ]
    yield f'{{"schema_version": {_json(SCHEMA_VERSION)},\n"metrics": {_json(metrics)}'.encode()
    for name, rows in (
        ("measurements", measurement_rows(researcher)),
        ("items", item_rows(researcher)),
        ("verdicts", verdict_rows(researcher)),
    ):
        yield f',\n"{name}": ['.encode()
        for number, row in enumerate(rows):
            yield f"{',' if number else ''}\n{_json(row)}".encode()
        yield b"]"
    yield b"}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


FORMATS: tuple[ExportFormat, ...] = (
    ExportFormat(
        name="measurements.csv",
        content_type="text/csv; charset=utf-8",
        label=_("Measurements (CSV)"),
        what=_("One row per measure and take, with the value or the reason why there is none."),
        render=lambda user: csv_lines(MEASUREMENT_COLUMNS, measurement_rows(user)),
    ),
    ExportFormat(
        name="items.csv",
        content_type="text/csv; charset=utf-8",
        label=_("Cards (CSV)"),
        what=_("One row per card, with its rule and outcome."),
        render=lambda user: csv_lines(ITEM_COLUMNS, item_rows(user)),
    ),
    ExportFormat(
        name="verdicts.csv",
        content_type="text/csv; charset=utf-8",
        label=_("Decisions (CSV)"),
        what=_("One row per coach decision, including undone ones."),
        render=lambda user: csv_lines(VERDICT_COLUMNS, verdict_rows(user)),
    ),
    ExportFormat(
        name="rostrum.json",
        content_type="application/json",
        label=_("All tables (JSON)"),
        what=_("The same three tables in one file, with the definition of each measure."),
        render=_everything,
    ),
    ExportFormat(
        name="transcripts.csv",
        content_type="text/csv; charset=utf-8",
        label=_("Transcripts (CSV)"),
        what=_(
            "One row per sentence, from people who agreed to share their words, with "
            "whether it may be quoted. Spoken names are not removed."
        ),
        render=lambda user: for_spreadsheets(csv_lines(TRANSCRIPT_COLUMNS, transcript_rows(user))),
        purpose=Purpose.RESEARCH_TRANSCRIPT,
    ),
)
RECORDINGS = "recordings.zip"
"""Sound and picture of people who consented, generated while it is sent."""
BY_NAME: dict[str, ExportFormat] = {each.name: each for each in FORMATS}


def export(*, researcher: User, chosen: ExportFormat) -> Iterable[bytes]:
    """Return the current file, generated while it is sent, and log the download."""
    _write_down(researcher, chosen.name, chosen.purpose)
    return chosen.render(researcher)


def export_recordings(*, researcher: User) -> Iterator[bytes]:
    """Return the current recordings, and log the download."""
    _write_down(researcher, RECORDINGS, Purpose.RESEARCH_AUDIO)
    return recordings_of(researcher)


def _write_down(researcher: User, file: str, purpose: Purpose) -> None:
    until = kept_until(researcher, purpose)
    Download.objects.create(researcher=researcher, file=file, delete_by=until)
    record_act(action="research.exported", target=researcher, actor=researcher, file=file)

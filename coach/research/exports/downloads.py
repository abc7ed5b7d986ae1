"""The explicit table of what researchers can download."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from analysis.metrics import METRICS
from analysis.results import SCHEMA_VERSION
from coach.accounts.models import Purpose, User
from coach.audit.services import record_act
from coach.lib.csv_tables import csv_bytes
from coach.research.exports.models import Download
from coach.research.exports.records import (
    ITEM_COLUMNS,
    MEASUREMENT_COLUMNS,
    VERDICT_COLUMNS,
    item_rows,
    measurement_rows,
    verdict_rows,
)
from coach.research.exports.said import TRANSCRIPT_COLUMNS, recordings_of, transcript_rows
from coach.research.exports.selectors import kept_until


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """One file: its name is also its URL."""

    name: str
    content_type: str
    label: str | Promise
    what: str | Promise
    render: Callable[[User], bytes]
    purpose: Purpose = Purpose.RESEARCH_MEASUREMENTS
    """Only takes of people who agree to this are in it."""


def _everything(researcher: User) -> bytes:
    document = {
        "schema_version": SCHEMA_VERSION,
        "metrics": [
            {
                "id": metric.id,
                "unit": metric.unit,
                "definition": metric.definition,
                "reference": metric.reference,
                "limitations": metric.limitations,
            }
            for metric in METRICS
        ],
        "measurements": list(measurement_rows(researcher)),
        "items": list(item_rows(researcher)),
        "verdicts": list(verdict_rows(researcher)),
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False).encode()


FORMATS: tuple[ExportFormat, ...] = (
    ExportFormat(
        name="measurements.csv",
        content_type="text/csv; charset=utf-8",
        label=_("Measurements (CSV)"),
        what=_("One row for each measure of each take, or the reason why there is no value."),
        render=lambda user: csv_bytes(MEASUREMENT_COLUMNS, measurement_rows(user)),
    ),
    ExportFormat(
        name="items.csv",
        content_type="text/csv; charset=utf-8",
        label=_("Items (CSV)"),
        what=_("One row for each feedback item, with its rule and what became of it."),
        render=lambda user: csv_bytes(ITEM_COLUMNS, item_rows(user)),
    ),
    ExportFormat(
        name="verdicts.csv",
        content_type="text/csv; charset=utf-8",
        label=_("Verdicts (CSV)"),
        what=_("One row for each decision of a coach, those taken back included."),
        render=lambda user: csv_bytes(VERDICT_COLUMNS, verdict_rows(user)),
    ),
    ExportFormat(
        name="rostrum.json",
        content_type="application/json",
        label=_("Everything (JSON)"),
        what=_("The same three tables in one document, with the definition of each measure."),
        render=_everything,
    ),
    ExportFormat(
        name="transcripts.csv",
        content_type="text/csv; charset=utf-8",
        label=_("What was said (CSV)"),
        what=_(
            "One row for each sentence of people who agreed to that, and whether it may be quoted. "
            "Names that were said stay in it."
        ),
        render=lambda user: csv_bytes(TRANSCRIPT_COLUMNS, transcript_rows(user)),
        purpose=Purpose.RESEARCH_TRANSCRIPT,
    ),
)
RECORDINGS = "recordings.zip"
"""Sound, and picture, of those who agreed to them; made while it is sent."""
BY_NAME: dict[str, ExportFormat] = {each.name: each for each in FORMATS}


def export(*, researcher: User, chosen: ExportFormat) -> bytes:
    """The file as of now; that it was made is written down."""
    content = chosen.render(researcher)
    _write_down(researcher, chosen.name, chosen.purpose)
    return content


def export_recordings(*, researcher: User) -> Iterator[bytes]:
    """The recordings as of now; that they were taken is written down."""
    _write_down(researcher, RECORDINGS, Purpose.RESEARCH_AUDIO)
    return recordings_of(researcher)


def _write_down(researcher: User, file: str, purpose: Purpose) -> None:
    until = kept_until(researcher, purpose)
    Download.objects.create(researcher=researcher, file=file, delete_by=until)
    record_act(action="research.exported", target=researcher, actor=researcher, file=file)

"""What CONTRIBUTING promises of research: a table and a page at a glance are one entry each."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.research.dashboard import pages, registry
from coach.research.dashboard.spec import DashboardColumn, DashboardPage, DashboardRequest, Row
from coach.research.exports.bundle import build, package
from coach.research.exports.bundle.guard import inspect
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.spec import Column as TableColumn
from coach.research.exports.bundle.spec import Table
from coach.research.exports.command_export import export_to
from coach.research.studies.models import Study
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.django_db


def _heads(included: Included) -> Iterable[Row]:
    yield {"study": included.study.slug, "heads": included.study.participants.count()}


HEADS = Table(
    name="heads",
    title="How many people there are",
    key=("study",),
    columns=(
        TableColumn(name="study", kind="string", what="The study"),
        TableColumn(name="heads", kind="integer", what="People who take part", least=0),
    ),
    rows=lambda included: iter(_heads(included)),
)


def test_a_table_of_the_bundle_is_one_entry_and_is_checked_and_described(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (build, package, inspect):
        monkeypatch.setattr(module, "TABLES", (*module.TABLES, HEADS))
    work = tmp_path / "work"
    work.mkdir()
    export_to(
        study=study,
        target=tmp_path / "a.zip",
        folder=work,
        formats=(),
        recipient="A university",
        purpose="To try it",
        agreement="2026-1",
    )
    archive = zipfile.ZipFile(tmp_path / "a.zip")
    lines = list(csv.DictReader(io.StringIO(archive.read("data/heads.csv").decode())))
    assert lines == [{"study": study.slug, "heads": "2"}]
    described = json.loads(archive.read("datapackage.json"))["resources"]
    assert "heads" in {each["name"] for each in described}
    assert "data/heads.csv" in archive.read("README.md").decode()
    assert "data/heads.csv" in archive.read("SHA256SUMS").decode()
    assert "## heads.csv" in archive.read("COLUMNS.md").decode()


def _shown(asked: DashboardRequest) -> Iterable[Row]:
    return _heads(asked.included)


HEADS_AT_A_GLANCE = DashboardPage(
    name="heads",
    title="Heads",
    what="How many people there are.",
    columns=(
        DashboardColumn(name="study", label="Study"),
        DashboardColumn(name="heads", label="People"),
    ),
    rows=_shown,
)


def test_a_page_at_a_glance_is_one_entry_and_what_is_taken_of_it_is_an_act_in_the_log(
    study: Study, researcher: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "GLANCES", (*registry.GLANCES, HEADS_AT_A_GLANCE))
    monkeypatch.setitem(registry.BY_NAME, "heads", HEADS_AT_A_GLANCE)
    client = sign_in(researcher)
    where = reverse("research:glance_of", args=[study.slug, "heads"])
    assert where in client.get(reverse("research:glance", args=[study.slug])).content.decode()
    assert "How many people there are." in client.get(where).content.decode()
    taken = client.get(reverse("research:glance_csv", args=[study.slug, "heads"]))
    assert b"".join(taken).decode().splitlines()[1] == f"{study.slug},2"  # type: ignore[arg-type]
    assert Entry.objects.filter(actor=researcher, object_id=str(study.pk)).exists()

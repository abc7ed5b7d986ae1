"""A bundle of a study, as a file in a folder, and the project in it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from django.urls import reverse

from coach.accounts.models import User
from coach.research.exports.command_export import export_to
from coach.research.exports.execution import execute_export
from coach.research.exports.models import Export
from coach.research.studies.models import Study
from tests.coach.conftest import SignIn


def export(study: Study, folder: Path, *formats: str, name: str = "a") -> zipfile.ZipFile:
    work = folder / f"work-{name}"
    work.mkdir()
    export_to(
        study=study,
        target=folder / f"{name}.zip",
        folder=work,
        formats=formats,
        recipient="A university",
        purpose="To try it",
        agreement="2026-1",
    )
    return zipfile.ZipFile(folder / f"{name}.zip")


def project_of(archive: zipfile.ZipFile) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(archive.read("qda/project.qdpx")))


def made(export: Export) -> Export:
    """What a worker makes of it."""
    execute_export(export.pk)
    export.refresh_from_db()
    return export


def fetched(export: Export, user: User, sign_in: SignIn) -> bytes:
    """What somebody gets who fetches it; nothing where they get none."""
    response = sign_in(user).post(reverse("research:fetch", args=[export.pk]))
    if response.status_code != 200:
        return b""
    return b"".join(response.streaming_content)  # type: ignore[attr-defined]

"""A bundle of a study, as a file in a folder, and the project in it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from coach.research.exports.directly import export_to
from coach.research.studies.models import Study


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

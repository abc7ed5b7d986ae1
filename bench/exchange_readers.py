"""Counts what a package of others reads in a REFI-QDA project; run by `bench exchange`.

Each package needs an interpreter of its own, so this file imports nothing of Rostrum. It prints one
line for each package that is installed: name, version, and the counts as JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

Counts = dict[str, int]


def pyqdpx(path: Path) -> Counts:
    """Return what pyqdpx keeps; it skips selections whose user or code it does not know."""
    from pyqdpx import QDPX  # noqa: PLC0415 - one of them is installed at a time

    project = QDPX(str(path)).get_project()
    codings = sum(len(each.coded_selections) for each in project.sources.values())
    return {"codes": len(project.codes), "texts": len(project.sources), "codings": codings}


def qdpxlib(path: Path) -> Counts:
    """Return what qdpxlib keeps: one row a sentence, with or without codes."""
    from qdpxlib.qdpxlib import QDPXFile  # noqa: PLC0415

    class Whole(QDPXFile):  # type: ignore[misc]
        def _split_codings_by_sentence(self, min_sentence_length: int = 10) -> None:
            self.whole = [each for each in self.codings if each[4]]
            super()._split_codings_by_sentence(min_sentence_length)

    found = Whole(str(path))
    whole = sum(len(each[4]) for each in found.whole)
    return {"codes": len(found.codes), "codings": whole, "sentences": len(found.codings)}


def qdapy(path: Path) -> Counts:
    """Return what qdapy keeps."""
    from qdapy.qdpx import read_qdpx  # noqa: PLC0415

    found = read_qdpx(path)
    return {
        "codes": len(found.codebook),
        "texts": len(found.sources),
        "codings": len(found.fragments),
    }


def pyrefiqda(path: Path) -> Counts:
    """Return what the generated models of the schema hold."""
    from pyrefiqda import RefiProject  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        project = RefiProject.load(path, extract_dir=folder)
    sources = project.sources.text_source if project.sources else []
    selections = [each for source in sources for each in source.plain_text_selection]
    return {"texts": len(sources), "codings": sum(len(each.coding) for each in selections)}


def qualitative_coding(path: Path) -> Counts:
    """Return the rows that `qc init --import` makes: one of each text, line, code and coder."""
    command = [str(Path(sys.executable).with_name("qc")), "init", "--import", str(path)]
    with tempfile.TemporaryDirectory() as folder:
        quiet = os.environ | {"PYTHONBREAKPOINT": "0"}  # 1.7.8 contains a forgotten breakpoint
        subprocess.run(command, cwd=folder, env=quiet, check=True, capture_output=True)
        base = sqlite3.connect(next(Path(folder).rglob("*.sqlite3")))
        tables = {"codes": "code", "texts": "document", "codings": "coded_line"}
        return {
            name: base.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
            for name, table in tables.items()
        }


READERS = {
    "pyqdpx": pyqdpx,
    "qdpxlib": qdpxlib,
    "qdapy": qdapy,
    "pyrefiqda": pyrefiqda,
    "qualitative-coding": qualitative_coding,
}


def main() -> int:
    """Print a line for each installed package."""
    warnings.simplefilter("ignore")
    path = Path(sys.argv[1]).resolve()
    for name, read in READERS.items():
        with contextlib.suppress(PackageNotFoundError):
            number, said = version(name), io.StringIO()
            try:
                with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                    counts = json.dumps(read(path))
            except Exception as problem:  # noqa: BLE001 - of a package that we only try
                counts = f"{type(problem).__name__}: {problem}"
            print(f"{name} {number}: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

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
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

Counts = dict[str, int]


def pyqdpx(path: Path) -> Counts:
    """Return what pyqdpx keeps; it skips selections whose user or code it does not know."""
    project = import_module("pyqdpx").QDPX(str(path)).get_project()
    codings = sum(len(each.coded_selections) for each in project.sources.values())
    return {"codes": len(project.codes), "texts": len(project.sources), "codings": codings}


def qdpxlib(path: Path) -> Counts:
    """Return what qdpxlib keeps: one row a sentence, with or without codes."""
    reader = import_module("qdpxlib.qdpxlib").QDPXFile
    split = reader._split_codings_by_sentence  # noqa: SLF001 - after it, only sentences are left
    read: list[str] = []

    def counted(self: Any, *rest: Any) -> None:
        read.extend(code for each in self.codings for code in each[4])
        split(self, *rest)

    reader._split_codings_by_sentence = counted  # noqa: SLF001
    found = reader(str(path))
    return {"codes": len(found.codes), "codings": len(read), "sentences": len(found.codings)}


def qdapy(path: Path) -> Counts:
    """Return what qdapy keeps."""
    found = import_module("qdapy.qdpx").read_qdpx(path)
    return {
        "codes": len(found.codebook),
        "texts": len(found.sources),
        "codings": len(found.fragments),
    }


def pyrefiqda(path: Path) -> Counts:
    """Return what the generated models of the schema hold."""
    with tempfile.TemporaryDirectory() as folder:
        project = import_module("pyrefiqda").RefiProject.load(path, extract_dir=folder)
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

"""Benchmark `exchange`: REFI-QDA projects are imported, exported again, and compared.

`--projects FOLDER` reads each `*.qdpx`. Each project becomes a study whose texts are declared as
anonymised, and the project file of its export is compared with the original. Codings are compared
by their words, since positions count other characters if a file has line ends of two. A line with
an arrow lists what changed. The checks of an export run too, and their refusals are counted.

`--readers PYTHON ...` reads the exported projects with the packages of others that these
interpreters have, and prints what each of them finds.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as ET

from bench.site import ROOT, installation

_SELECTIONS = ("PlainTextSelection", "TranscriptSelection", "PDFSelection", "PictureSelection")
_OTHERS = ("Variable", "VariableValue", "Case", "Set", "Link", "Graph")
_READERS = ROOT / "bench" / "exchange_readers.py"


def main(arguments: Sequence[str]) -> int:
    """Print what each project has before and after; return 1 if an import or export fails."""
    parser = argparse.ArgumentParser(prog="python -m bench exchange", description=__doc__)
    parser.add_argument("--projects", type=Path, required=True, help="a folder with .qdpx files")
    parser.add_argument(
        "--readers", nargs="+", default=[], help="interpreters with packages of others"
    )
    parser.add_argument("--keep", type=Path, help="a folder for the exported projects")
    given = parser.parse_args(arguments)
    with installation(), tempfile.TemporaryDirectory() as name:
        folder = given.keep or Path(name)
        for path in sorted(given.projects.glob("*.qdpx")):
            target = folder / path.name
            refused = _there_and_back(path, target)
            print(f"\n{path.name}", flush=True)
            for what, before, after in _compared(path, target):
                change = f"{before}" if before == after else f"{before} → {after}"
                print(f"  {what:<32} {change}")
            for code, number in sorted(refused.items()):
                print(f"  {'refused: ' + code:<32} {number}")
            for python in given.readers:
                _read_by_others(python, target)
    return 0


def _there_and_back(path: Path, target: Path) -> Counter[str]:
    """Import a project and write it again; return the refusals of its export by code."""
    users = import_module("tests.coach.factories")
    studies = import_module("coach.research.studies.services")
    models = import_module("coach.research.studies.models")
    refi = import_module("coach.research.exports.importing.refi")
    roles = import_module("coach.accounts.models").Role
    lead = users.UserFactory(roles=[roles.RESEARCHER])
    study = studies.create_study(study=models.Study(title=path.stem), lead=lead)
    refi.load_refi(
        study=study, path=path, actor=lead, language="en", declared="Published by their authors."
    )
    return _export(study, target)


def _export(study: object, target: Path) -> Counter[str]:
    scope = import_module("coach.research.exports.bundle.scope")
    build = import_module("coach.research.exports.bundle.build")
    included = scope.Included(study=study, cut_off=scope.last_change(study), formats=frozenset())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "bundle"
        folder.mkdir()
        refused: Counter[str] = Counter()
        try:
            build.build(included, folder, Path(name) / "bundle.zip", has_agreement=True)
        except build.ExportRefused as refusal:
            refused.update(each.code for each in refusal.problems)
        target.write_bytes((folder / "qda" / "project.qdpx").read_bytes())
    return refused


def _compared(before: Path, after: Path) -> Iterator[tuple[str, object, object]]:
    """Yield pairs of counts, and of objects that are equal in both files."""
    one, two = _Project(before), _Project(after)
    counts, objects = two.counts(), two.objects()
    for what, found in one.counts().items():
        yield what, found, counts[what]
    for what, there in one.objects().items():
        same = sum(objects[what].get(key) == value for key, value in there.items())
        yield f"  with the same {what}", len(there), same


class _Project:
    """The content of a project file, by GUID."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            names = {name.lower(): name for name in archive.namelist()}
            qde = next(name for low, name in names.items() if low.endswith(".qde"))
            self.root = ET.fromstring(archive.read(qde))  # noqa: S314 - files of the person who runs it
            self.files = {low: archive.read(name) for low, name in names.items()}
        for element in self.root.iter():
            element.tag = element.tag.rpartition("}")[2]
        self.texts: dict[ET.Element, str] = {}
        self.parents = {child: parent for parent in self.root.iter() for child in parent}

    def counts(self) -> dict[str, int]:
        tags = Counter(element.tag for element in self.root.iter())
        notes = [each for each in self.root.iter("Note") if self._note(each)]
        described = sum(bool(self._said(each)) for each in self._selections())
        media = sum(tags[f"{kind}Source"] for kind in ("Picture", "PDF", "Audio", "Video"))
        return {
            "coders": tags["User"],
            "codes": tags["Code"],
            "texts": len(self._texts()),
            "pictures, pages, recordings": media,
            "codings": len(list(self._codings())),
            "codings on media": tags["Coding"] - len(list(self._codings())),
            "selections without a code": sum(
                each.find("Coding") is None for each in self._selections()
            ),
            "notes and descriptions of codings": len(notes) + described,
            **{name: tags[name] for name in _OTHERS},
        }

    def objects(self) -> dict[str, dict[str, object]]:
        """Return values by GUID, of each property that is compared."""
        codes = {_guid(each): each for each in self.root.iter("Code")}
        codings = {_guid(each): (each, text) for each, text in self._codings()}
        return {
            "code name": {guid: each.get("name") for guid, each in codes.items()},
            "parent": {guid: _guid(self.parents[each]) for guid, each in codes.items()},
            "colour": {guid: (each.get("color") or "").lower() for guid, each in codes.items()},
            "description": {guid: self._said(each) for guid, each in codes.items()},
            "text": {_guid(each): self._words(each) for each in self._texts()},
            "name of the text": {_guid(each): each.get("name") for each in self._texts()},
            "words of a coding": {g: self._quote(*pair) for g, pair in codings.items()},
            "code of a coding": {g: _target(each) for g, (each, _text) in codings.items()},
            "coder of a coding": {
                g: _key(each.get("creatingUser") or "") for g, (each, _text) in codings.items()
            },
            "date of a coding": {
                g: (each.get("creationDateTime") or "")[:19] for g, (each, _t) in codings.items()
            },
            "note": {_guid(each): self._note(each) for each in self.root.iter("Note")},
            "set": {
                _guid(each): (each.get("name"), sorted(map(_target_of, each)))
                for each in self.root.iter("Set")
            },
            "case": {_guid(each): each.get("name") for each in self.root.iter("Case")},
        }

    def _texts(self) -> list[ET.Element]:
        return [
            each
            for each in self.root.iter()
            if each.tag in {"TextSource", "Transcript"}
            or (each.tag == "Representation" and self.parents[each].tag == "PDFSource")
        ]

    def _selections(self) -> list[ET.Element]:
        return [each for each in self.root.iter() if each.tag in _SELECTIONS]

    def _codings(self) -> Iterator[tuple[ET.Element, ET.Element]]:
        for text in self._texts():
            for coding in text.iter("Coding"):
                yield coding, text

    def _said(self, element: ET.Element) -> str:
        return " ".join((element.findtext("Description") or "").split())

    def _file(self, element: ET.Element) -> str:
        path = element.get("plainTextPath") or ""
        name = path.rpartition("/")[2].lower()
        found = next((self.files[each] for each in self.files if each.endswith(name)), b"")
        return found.decode("utf-8-sig", "replace") if name else ""

    def _note(self, element: ET.Element) -> str:
        said = element.findtext("PlainTextContent") or element.findtext("Description")
        return (said or self._file(element)).strip()

    def _raw(self, text: ET.Element) -> str:
        if text not in self.texts:
            inline = text.findtext("PlainTextContent")
            self.texts[text] = inline if inline is not None else self._file(text)
        return self.texts[text]

    def _words(self, text: ET.Element) -> str:
        return " ".join(self._raw(text).split())

    def _quote(self, coding: ET.Element, text: ET.Element) -> str:
        selection = self.parents[coding]
        raw = self._raw(text)
        if selection.tag == "TranscriptSelection":
            at = {_guid(each): int(each.get("position") or 0) for each in text.iter("SyncPoint")}
            start, end = (at[_key(selection.get(f"{s}SyncPoint") or "")] for s in ("from", "to"))
        elif selection is text:
            start, end = 0, len(raw)
        else:
            start = int(selection.get("startPosition") or 0)
            end = int(selection.get("endPosition") or 0)
        return " ".join(raw[start:end].split())


def _key(guid: str) -> str:
    return guid.strip("{}").lower()


def _guid(element: ET.Element) -> str:
    return _key(element.get("guid") or "")


def _target_of(element: ET.Element) -> str:
    return _key(element.get("targetGUID") or "")


def _target(coding: ET.Element) -> str:
    found = coding.find("CodeRef")
    return _target_of(found) if found is not None else ""


def _read_by_others(python: str, path: Path) -> None:
    command = [python, str(_READERS), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        print(f"  read by {line}")

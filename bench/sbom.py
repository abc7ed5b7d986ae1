"""Benchmark command `sbom`: write what a site consists of (a bill of materials, CycloneDX 1.6).

It lists the Python packages of requirements.lock and PyTorch, the browser libraries, the model
weights and the images of docker-compose.yml. Licences are read from the installed packages.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import yaml
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from analysis import __version__
from analysis.weights import CATALOGUE
from bench.document import ROOT

_PINNED: Final = re.compile(r"^([a-z0-9._-]+)==([^\s;]+)", re.MULTILINE)
_SERVED: Final = ("@fontsource-variable/source-serif-4", "tus-js-client")
"""Packages of package.json that pages use; the others check the code."""
_OURS: Final = {"rostrum"}
"""Our own image."""
_UNDECLARED: Final = {"pyrage": "MIT"}
"""Licences that packages state only in their repository."""


def main(arguments: Sequence[str]) -> int:
    """Write the bill of materials."""
    parser = argparse.ArgumentParser(prog="python -m bench sbom", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "sbom.cdx.json")
    out: Path = parser.parse_args(arguments).out
    bom = Bom(components=_components())
    bom.metadata.component = _component("rostrum", __version__, licence="Apache-2.0")
    bom.register_dependency(bom.metadata.component, bom.components)
    JsonV1Dot6(bom).output_to_file(str(out), allow_overwrite=True, indent=2)
    print(out)
    return 0


def _components() -> Iterator[Component]:
    yield from _of_python()
    yield from _of_browsers()
    yield from _of_weights()
    yield from _of_images()


def _component(
    name: str,
    version: str | None,
    *,
    kind: ComponentType = ComponentType.APPLICATION,
    purl: PackageURL | None = None,
    licence: str | None = None,
    sha256: str | None = None,
) -> Component:
    return Component(
        name=name,
        version=version,
        type=kind,
        bom_ref=str(purl or name),
        purl=purl,
        licenses=[LicenseFactory().make_from_string(licence)] if licence else [],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=sha256)] if sha256 else [],
    )


def _library(ecosystem: str, name: str, version: str, licence: str | None) -> Component:
    namespace, _slash, last = name.rpartition("/")
    purl = PackageURL(ecosystem, namespace or None, last, version)
    return _component(name, version, kind=ComponentType.LIBRARY, purl=purl, licence=licence)


def _of_python() -> Iterator[Component]:
    # The constraints pin PyTorch, which an image installs in a build of its choice.
    pinned = _PINNED.findall((ROOT / "requirements.lock").read_text())
    ceilings = dict(_PINNED.findall((ROOT / "constraints.txt").read_text()))
    for name, version in dict.fromkeys([*pinned, ("torch", ceilings["torch"])]):
        yield _library("pypi", name, version, _licence_of(name))


def _licence_of(name: str) -> str | None:
    """Return the licence that an installed package declares: an expression, or a short name."""
    try:
        said = metadata(name)
    except PackageNotFoundError:  # for another version of Python, or another system
        return None
    if expression := said.get_all("License-Expression"):
        return str(expression[0])
    short = "".join(said.get_all("License") or []).strip().split("\n")[0]
    if re.fullmatch(r"\w[\w.-]+", short):
        return short
    kinds = [each for each in said.get_all("Classifier") or [] if each.startswith("License ::")]
    named = " / ".join(each.rpartition(" :: ")[2] for each in kinds)
    return named or short or _UNDECLARED.get(name)


def _of_browsers() -> Iterator[Component]:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    reached: dict[str, dict[str, Any]] = {}
    waiting = list(_SERVED)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached[name] = packages[f"node_modules/{name}"]
            waiting.extend(reached[name].get("dependencies", ()))
    for name, each in sorted(reached.items()):
        yield _library("npm", name, each["version"], each.get("license"))
    script = (files("django_htmx") / "static/django_htmx/htmx-2.min.js").read_text()
    for version in re.findall(r'version:"([\d.]+)"', script):
        yield _library("npm", "htmx.org", version, "0BSD")


def _of_weights() -> Iterator[Component]:
    for model in CATALOGUE:
        licence = re.search(r"\(([\w.-]+)\)$", model.about)
        for file in model.files:
            yield _component(
                file.path,
                None,
                kind=ComponentType.MACHINE_LEARNING_MODEL,
                licence=licence[1] if licence else None,
                sha256=file.sha256,
            )


def _of_images() -> Iterator[Component]:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    for image in sorted({each["image"] for each in services.values()} - _OURS):
        name, _colon, version = image.partition(":")
        namespace, _slash, last = name.rpartition("/")
        purl = PackageURL("docker", namespace or None, last, version)
        yield _component(name, version, kind=ComponentType.CONTAINER, purl=purl)

"""The bill of materials follows its schema and names every direct dependency."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path

from jsonschema import Draft7Validator
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from referencing import Registry, Resource

from bench.sbom import main
from tests.parts import ROOT

SCHEMAS = files("cyclonedx.schema") / "_res"


def test_it_follows_the_schema_and_names_each_dependency_with_version_and_licence(
    tmp_path: Path,
) -> None:
    assert main(["--out", str(tmp_path / "sbom.json")]) == 0
    bom = json.loads((tmp_path / "sbom.json").read_text())
    schema = json.loads((SCHEMAS / "bom-1.6.SNAPSHOT.schema.json").read_text())
    registry = Registry().with_resources(
        (
            f"http://cyclonedx.org/schema/{name}",
            Resource.from_contents(json.loads((SCHEMAS / name).read_text())),
        )
        for name in ("spdx.SNAPSHOT.schema.json", "jsf-0.82.SNAPSHOT.schema.json")
    )
    assert list(Draft7Validator(schema, registry=registry).iter_errors(bom)) == []

    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    direct = {canonicalize_name(Requirement(each).name) for each in declared}
    direct |= {"htmx.org", "tus-js-client", "@fontsource-variable/source-serif-4"}
    full = {
        each["name"] for each in bom["components"] if each.get("version") and each.get("licenses")
    }
    assert direct - full == set()

"""requirements.lock, which the image installs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)(.*(?:\n    .*)*)", re.MULTILINE)
BY_BUILD = {"torch"}
"""Not locked: the Dockerfile installs PyTorch first, in the build that its argument names."""


def locked() -> dict[str, list[str]]:
    """The versions of each package; some differ by version of Python."""
    found: dict[str, list[str]] = {}
    for name, version, rest in _PINNED.findall((ROOT / "requirements.lock").read_text()):
        assert "--hash=sha256:" in rest, name
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


def test_the_lock_has_a_version_of_each_dependency_that_satisfies_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    versions = locked()
    for each in map(Requirement, project["dependencies"]):
        name = canonicalize_name(each.name)
        if name not in BY_BUILD:
            assert name in versions, f"{name} is missing: run make lock"
            assert all(map(each.specifier.contains, versions[name])), name


def test_the_lock_keeps_the_ceilings_of_every_other_install() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    versions = locked()
    for each in (Requirement(line) for line in lines if line and not line.startswith("#")):
        for version in versions.get(canonicalize_name(each.name), []):
            assert each.specifier.contains(version), each.name

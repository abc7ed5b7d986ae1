"""What `make` promises about the checks of styles and scripts, and what a demonstration needs."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def _needs(target: str) -> str:
    (line,) = re.findall(rf"^{target}:([^#\n]*)", MAKEFILE, re.MULTILINE)
    return str(line)


def test_each_check_is_a_part_of_testing_everything() -> None:
    assert _needs("lint").split() == ["styles", "types"]
    assert "styles" in _needs("test").split()
    assert "--jobs=2 suite types site" in MAKEFILE


def test_styles_and_scripts_are_checked_with_what_the_lock_file_pins() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    lock = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    for name, version in package["devDependencies"].items():
        assert lock[f"node_modules/{name}"]["version"] == version
        assert lock[f"node_modules/{name}"]["dev"]
    assert "node_modules/.package-lock.json" in _needs("styles")
    assert "biome lint" in MAKEFILE


def test_nothing_that_people_use_comes_from_npm() -> None:
    assert "dependencies" not in json.loads((ROOT / "package.json").read_text())
    for target in ("demo", "run", "install"):
        assert "node_modules" not in _needs(target)
    assert "npm" not in (ROOT / "Dockerfile").read_text()


def test_no_script_of_a_package_runs() -> None:
    assert re.search(r"^NPM_CI = ci --ignore-scripts", MAKEFILE, re.MULTILINE)
    assert len(re.findall(r"\bnpm\(", MAKEFILE)) == 1

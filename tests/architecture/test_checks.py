"""What checks styles and scripts is pinned, and is only a tool of developers."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_lock_file_pins_each_tool_as_a_development_dependency() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    lock = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert package["devDependencies"]
    for name, version in package["devDependencies"].items():
        assert lock[f"node_modules/{name}"]["version"] == version
        assert lock[f"node_modules/{name}"]["dev"]

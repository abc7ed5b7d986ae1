"""What exists is documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from analysis.metrics import METRICS
from coach.research.exports.downloads import FORMATS
from feedback_rules.loader import load_rules

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "analysis/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
)
EACH = pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix()
)


@pytest.mark.parametrize("metric", [metric.id for metric in METRICS])
def test_each_measure_stands_in_the_measures_document(metric: str) -> None:
    assert f"`{metric}`" in (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")


def test_each_document_that_the_readme_points_to_is_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = {part.split(")")[0] for part in readme.split("](")[1:]}
    local = {target for target in targets if not target.startswith(("http", "#"))}
    assert {target for target in local if not (ROOT / target).exists()} == set()


def test_the_changelog_counts_the_rules_as_they_are() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"{len(load_rules())} rules with their sources" in changelog


def test_the_guide_names_every_kind_of_download() -> None:
    guide = (ROOT / "docs" / "using.md").read_text(encoding="utf-8")
    for chosen in FORMATS:
        assert chosen.name.rsplit(".", 1)[-1].upper() in guide


@EACH
def test_each_document_that_a_document_points_to_is_there(path: Path) -> None:
    targets = re.findall(r"\]\(([^)\s#]+)", path.read_text(encoding="utf-8"))
    local = {target for target in targets if "://" not in target}
    assert {target for target in local if not (path.parent / target).exists()} == set()


@EACH
def test_each_command_in_a_document_is_one(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) <= set(get_commands())
    for module in re.findall(r"python -m ((?:analysis|bench|demo|feedback_rules)[\w.]*)", text):
        assert (ROOT / module.replace(".", "/")).exists(), module


@EACH
def test_each_service_in_a_document_is_one_of_the_installation(path: Path) -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    options = r"(?: -v \S+| --entrypoint \S+| --?\S+)*"
    asked = rf"docker compose (exec|run|stop|logs){options}((?: [a-z]+)+)"
    for act in re.finditer(asked, path.read_text(encoding="utf-8")):
        first, *others = act[2].split()
        named = {first} if act[1] in {"exec", "run"} else {first, *others}
        assert named <= set(services), act[0]


@EACH
def test_each_setting_in_a_document_stands_in_the_example(path: Path) -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    known = set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", example, re.MULTILINE))
    # Of the tests, the measurements and the command line: no site reads them.
    others = {"ROSTRUM_CHROMIUM", "ROSTRUM_SHARED_MEDIA", "ROSTRUM_DEBUG", "ROSTRUM_BENCH_MEDIA"}
    named = set(re.findall(r"`((?:ROSTRUM|EMAIL|POSTGRES)_[A-Z0-9_]+)", path.read_text("utf-8")))
    assert named - known - others == set()

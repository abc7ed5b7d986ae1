"""What exists is documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from analysis import __version__
from analysis.metrics import METRICS
from coach.research.exports.downloads import FORMATS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "analysis/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
)
EACH = pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix()
)


@pytest.mark.parametrize("metric", [metric.id for metric in METRICS])
def test_each_measure_stands_in_the_measures_document(metric: str) -> None:
    pages = (ROOT / "docs" / "reference").glob("measures*.md")
    assert any(f"`{metric}`" in page.read_text(encoding="utf-8") for page in pages)


def test_the_newest_version_of_the_changelog_is_ours() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    open_one, newest = re.findall(r"^## (.+)$", changelog, re.MULTILINE)[:2]
    assert open_one == "Unreleased"
    assert re.fullmatch(rf"{re.escape(__version__)} - \d{{4}}-\d\d-\d\d", newest)


def test_the_guide_names_every_kind_of_download() -> None:
    guide = (ROOT / "docs" / "guides" / "exporting.md").read_text(encoding="utf-8")
    for chosen in FORMATS:
        assert chosen.name.rsplit(".", 1)[-1].upper() in guide


def headings(document: Path) -> set[str]:
    """The places in a document that a link may name."""
    titles = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


@EACH
def test_each_place_that_a_document_points_to_is_there(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        name, _mark, place = target.partition("#")
        if "://" not in target:
            there = path.parent / name if name else path
            assert there.exists(), target
            assert not place or place in headings(there), target


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


def test_what_the_example_keeps_in_comments_is_what_holds_anyway() -> None:
    """Whoever takes the sign away in front of a number changes nothing yet."""
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    given = dict(re.findall(r"^#(ROSTRUM_[A-Z0-9_]+)=(\d+)$", example, re.MULTILINE))
    code = "".join(path.read_text() for path in (ROOT / "coach").glob("*settings.py"))
    read = dict(re.findall(r'envint\(\s*"(ROSTRUM_\w+)", default=([\d_* ]+)[,)]', code))
    factors = {
        name: [int(each) for each in re.findall(r"\d+", text.replace("_", ""))]
        for name, text in read.items()
    }
    holds = {n: str(f[0] * f[1] ** f[2] if len(f) == 3 else f[0]) for n, f in factors.items()}
    assert len(holds) > 20
    assert {name: value for name, value in given.items() if holds.get(name, value) != value} == {}

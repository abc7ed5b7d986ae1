"""What exists is documented."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.metrics import METRICS
from coach.research.exports.downloads import FORMATS
from feedback_rules.loader import load_rules

ROOT = Path(__file__).resolve().parents[2]


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

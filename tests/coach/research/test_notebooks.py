"""The notebooks of docs/ read a bundle: with pandas where it is there, and by name everywhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from coach.research.exports.bundle.tables import BY_NAME
from coach.research.studies.models import Study
from tests.coach.research.conftest import lay_out

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "notebooks"
PYTHON, R = FOLDER / "study.ipynb", FOLDER / "study.Rmd"
OWN = {"code", "quote"}
"""Columns that the notebooks make."""


def _cells() -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(PYTHON.read_text(encoding="utf-8"))["cells"]
    return cells


def test_no_notebook_holds_what_it_printed() -> None:
    code = [cell for cell in _cells() if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.parametrize("path", [PYTHON, R])
def test_every_table_and_column_that_a_notebook_names_is_in_the_bundle(path: Path) -> None:
    words = (
        "".join("".join(cell["source"]) for cell in _cells() if cell["cell_type"] == "code")
        if path is PYTHON
        else "\n".join(re.findall(r"```\{r\}(.*?)```", path.read_text(), re.DOTALL))
    )
    tables = set(re.findall(r'table(?:_of)?\("(\w+)"\)', words))
    assert len(tables) > 6
    assert tables <= set(BY_NAME)
    columns = {column for name in tables for column in BY_NAME[name].names} | OWN
    named = set(
        re.findall(
            r"(?:items|rules|kept|codings|agreement|measured|measurements|coders)"
            r'(?:\["|\$)(\w+)',
            words,
        )
    )
    assert len(named) > 8
    assert named <= columns


def test_pandas_reads_the_same_words_that_were_coded(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed (pip install pandas)")
    lay_out(study, tmp_path)
    monkeypatch.setenv("BUNDLE", str(tmp_path))
    found: dict[str, Any] = {}
    for cell in _cells():
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), found)  # noqa: S102  # ours, from docs/
    assert "pauses 👩🏽‍🏫, they help" in set(found["codings"]["quote"])
    assert found["together"].loc["pauses", "pauses"] == 1

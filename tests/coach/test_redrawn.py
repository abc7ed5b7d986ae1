"""A page drawn where nobody can open it says its own address: what is typed is kept there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from coach.feedback.models import Feedback
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn

COACH = Path(__file__).resolve().parents[2] / "coach"


def _drawn_by(view: ast.FunctionDef, module: dict[str, ast.FunctionDef]) -> Iterator[str]:
    """The whole pages that a view draws, by itself or through functions of its module."""
    waiting, looked_at = [view], set[str]()
    while waiting:
        function = waiting.pop()
        looked_at.add(function.name)
        for node in ast.walk(function):
            if isinstance(node, ast.Constant) and str(node.value).endswith(".html"):
                yield str(node.value)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = module.get(node.func.id)
                if called is not None and called.name not in looked_at:
                    waiting.append(called)


def _only_posted_to() -> Iterator[tuple[str, str]]:
    for path in COACH.rglob("*views.py"):
        body = ast.parse(path.read_text()).body
        module = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
        for name, view in module.items():
            if "require_POST" in {ast.unparse(each) for each in view.decorator_list}:
                for template in _drawn_by(view, module):
                    if not template.rpartition("/")[2].startswith("_"):
                        yield f"{path.relative_to(COACH)}:{name}", template


def test_every_page_that_answers_where_nothing_can_be_opened_says_its_address() -> None:
    found = set(_only_posted_to())
    assert {template for _view, template in found} >= {"review/desk.html", "feedback/report.html"}
    folder = Path(settings.TEMPLATES[0]["DIRS"][0])
    without = [
        view for view, name in found if "{% block address %}" not in (folder / name).read_text()
    ]
    assert not without


@pytest.mark.parametrize("page", ["feedback:report", "guests:invite"])
def test_the_address_is_the_one_that_the_page_is_opened_under(
    page: str, take: Rehearsal, draft: Feedback, sign_in: SignIn
) -> None:
    address = reverse(page, args=[take.pk])
    said = sign_in(take.owner).get(address).content.decode()
    assert f'data-address="{address}"' in said

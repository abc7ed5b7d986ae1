"""Behind which tests the rules are laid in again, and what is told where that fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest
from django.test import TestCase, TransactionTestCase
from pytest_django import DjangoDbBlocker

from tests.coach.conftest import _DATABASE, _commits, pytest_runtest_teardown


class Committing(TransactionTestCase):
    """Django's own kind of test that commits."""

    __test__ = False

    def test_one(self) -> None:
        """Looked at, never run."""


class RolledBack(TestCase):
    """Django's own kind of test that does not."""

    __test__ = False

    def test_one(self) -> None:
        """Looked at, never run."""


def looked_at() -> None:
    """A test that is looked at, never run."""


def with_fixture(transactional_db: None) -> None:
    """A test that is looked at, never run."""


@pytest.fixture
def module(request: pytest.FixtureRequest) -> pytest.Module:
    """This file, as pytest collects it."""
    found = request.node.getparent(pytest.Module)
    assert isinstance(found, pytest.Module)
    return found


def item_of(module: pytest.Module, *marks: pytest.MarkDecorator) -> pytest.Item:
    item = pytest.Function.from_parent(module, name="looked_at")
    for mark in marks:
        item.add_marker(mark)
    return item


@pytest.mark.parametrize(
    ("mark", "commits"),
    [
        (pytest.mark.django_db, False),
        (pytest.mark.django_db(databases=["default"]), False),
        (pytest.mark.django_db(transaction=True), True),
        (pytest.mark.django_db(True), True),
        (pytest.mark.django_db(reset_sequences=True), True),
    ],
)
def test_marks_say_whether_a_test_commits(
    module: pytest.Module, mark: pytest.MarkDecorator, commits: bool
) -> None:
    assert _commits(item_of(module, mark)) == commits


def test_so_do_fixtures_and_djangos_own_classes(module: pytest.Module) -> None:
    assert not _commits(item_of(module))
    assert _commits(pytest.Function.from_parent(module, name="with_fixture"))
    for name, commits in (("Committing", True), ("RolledBack", False)):
        of_class = pytest.Class.from_parent(module, name=name)
        assert _commits(pytest.Function.from_parent(of_class, name="test_one")) == commits


class Unreachable(DjangoDbBlocker):
    """A database that is gone."""

    def unblock(self) -> AbstractContextManager[None]:
        """Never lets one reach it."""
        raise ConnectionError("gone")


@pytest.fixture
def torn_down(module: pytest.Module) -> Iterator[pytest.Item]:
    """A test that commits, behind which the database is gone."""
    stash = module.config.stash
    before = stash.get(_DATABASE, None)
    stash[_DATABASE] = Unreachable(_ispytest=True)
    yield item_of(module, pytest.mark.django_db(transaction=True))
    del stash[_DATABASE]
    if before is not None:
        stash[_DATABASE] = before


def test_a_failed_teardown_is_told_before_what_failed_behind_it(torn_down: pytest.Item) -> None:
    behind = pytest_runtest_teardown(torn_down)
    next(behind)
    with pytest.raises(ValueError, match="of the test") as told:
        behind.throw(ValueError("of the test"))
    assert "gone" in told.value.__notes__[0]


def test_behind_a_good_one_it_is_told_itself(torn_down: pytest.Item) -> None:
    behind = pytest_runtest_teardown(torn_down)
    next(behind)
    with pytest.raises(ConnectionError, match="gone"):
        behind.send(None)

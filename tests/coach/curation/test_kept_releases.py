"""Releases that a process has read: kept, a few at a time, whatever other threads do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django import DjangoAssertNumQueries

from coach.accounts.models import User
from coach.curation.releases import mute_rule
from coach.rulesets import selectors
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import rule_names_of, rule_set_of


class DroppedAtOnce(dict[tuple[int, str], object]):
    """As another thread would do it: whatever is kept is gone a moment later."""

    def __setitem__(self, key: tuple[int, str], value: object) -> None:
        """Forget it."""


def unread(release: RuleSetRelease) -> RuleSetRelease:
    """As drafting asks for it: without its documents."""
    return RuleSetRelease.objects.defer("documents").get(pk=release.pk)


@pytest.mark.parametrize(("kept", "read"), [("_READ", rule_set_of), ("_NAMES", rule_names_of)])
def test_what_another_thread_drops_is_read_all_the_same(
    release: RuleSetRelease,
    monkeypatch: pytest.MonkeyPatch,
    kept: str,
    read: Callable[[RuleSetRelease], object],
) -> None:
    monkeypatch.setattr(selectors, kept, DroppedAtOnce())
    assert read(release)


def test_takes_of_two_releases_in_turn_read_each_of_them_once(
    release: RuleSetRelease,
    curator: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(selectors, "_READ", {})
    both = [release, mute_rule(rule="FIL001", curator=curator, why="Too many.")]
    turns = [unread(each) for _again in range(2) for each in both]
    with django_assert_num_queries(2):  # the documents of each
        sizes = [len(rule_set_of(each).rules) for each in turns]
    assert sizes == [sizes[0], sizes[0] - 1] * 2


def test_no_more_than_a_few_are_kept(
    release: RuleSetRelease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "_READ", {})
    for number in range(1, 20):
        rule_set_of(RuleSetRelease(number=number, digest=release.digest, documents=[]))
        assert 0 < len(selectors._READ) <= 4

"""Ana's tabs, made once a file."""

from __future__ import annotations

import pytest

from coach.accounts.models import Cohort, User
from tests.coach import cast
from tests.coach.drafts.expired.tabs import Browser, Tabs


@pytest.fixture(scope="module", autouse=True)
def group(for_the_file: None) -> Cohort:
    return cast.monday_group()


@pytest.fixture(scope="module", autouse=True)
def ana(group: Cohort) -> User:
    """Made once: six hundred tests send something in her name."""
    return cast.ana(group)


@pytest.fixture(scope="module", autouse=True)
def opened(ana: User) -> Tabs:
    first = Browser()
    first.arrive(ana)
    second = first.like_it()
    second.arrive(ana)
    return Tabs(first, second)


@pytest.fixture
def cohort(db: None, group: Cohort) -> Cohort:
    return cast.fresh(group)


@pytest.fixture
def trainee(db: None, ana: User) -> User:
    return cast.fresh(ana)


@pytest.fixture
def tab(db: None, opened: Tabs) -> Browser:
    """Ana's, signed in."""
    return opened.first.like_it()


@pytest.fixture
def tab_of_before(db: None, opened: Tabs) -> Browser:
    """A page of Ana's from before she signed in anew."""
    tab = opened.second.like_it()
    tab.token = opened.first.token
    return tab

"""One navigation: menu, first page and gates agree for everybody."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.accounts.navigation import PARTS, PRACTISE, RULES, SitePage, parts_for
from coach.portal.welcome.services import note_welcomed
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", [None, *Role])
def test_everybody_sees_and_may_open_their_parts_and_no_others(
    role: Role | None, sign_in: SignIn
) -> None:
    person = UserFactory(roles=[role] if role else [], is_staff=role is Role.ADMINISTRATOR)
    browser, own = sign_in(person), parts_for(person)
    assert len(own) == (role is not None)
    if own:
        note_welcomed(user=person)
        home = browser.get(reverse("portal:home"))
        assert home.headers["Location"] == reverse(own[0].url)
    page = browser.get(reverse("portal:privacy")).content.decode()
    for part in PARTS:
        url = reverse(part.url)
        assert (f'href="{url}"' in page) == (part in own), part.app
        # One's own takes stay open to who is no trainee any more.
        if part is not PRACTISE:
            assert (browser.get(url).status_code == 200) == (part in own), part.app


def test_the_page_that_one_is_on_is_named(sign_in: SignIn) -> None:
    browser = sign_in(UserFactory(roles=[Role.CURATOR, Role.TRAINEE]))
    for tab in RULES.tabs:
        page = browser.get(reverse(tab.url)).content.decode()
        assert page.count(f'href="{reverse(tab.url)}" aria-current="page"') >= 1, tab.url
    practising = reverse("feedback:takes")
    assert f'href="{practising}" aria-current="page"' in browser.get(practising).content.decode()


@pytest.mark.parametrize("tab", PRACTISE.tabs, ids=str)
def test_pages_of_practice_are_a_bar_on_each_of_them(tab: SitePage, sign_in: SignIn) -> None:
    page = sign_in(UserFactory()).get(reverse(tab.url)).content.decode()
    for other in PRACTISE.tabs:
        assert f'href="{reverse(other.url)}"' in page
    assert f'href="{reverse(tab.url)}" aria-current="page"' in page


def test_page_below_a_tab_names_its_tab(sign_in: SignIn) -> None:
    exercise = reverse("practice:exercise", args=["breathe_instead"])
    page = sign_in(UserFactory()).get(exercise).content.decode()
    assert f'href="{reverse("practice:exercises")}" aria-current="true"' in page


def test_visitors_and_people_without_a_role_have_no_menu(sign_in: SignIn) -> None:
    assert parts_for(UserFactory(roles=[])) == ()
    for browser in (Client(), sign_in(User.objects.get())):
        page = browser.get(reverse("portal:about")).content.decode()
        assert "aria-current" not in page

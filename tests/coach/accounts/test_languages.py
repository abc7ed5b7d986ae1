"""Everybody reads in their own language; addresses name none."""

from __future__ import annotations

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import translation

from coach.accounts.invitations import invite_person
from coach.accounts.models import Language, User
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD

pytestmark = pytest.mark.django_db
FRENCH = {"headers": {"accept-language": "fr-CA,fr;q=0.9,en;q=0.5"}}


@pytest.fixture(autouse=True)
def english_again() -> object:
    """What a request switched to must not stay for the next test."""
    with translation.override("en"):
        yield


def lang_of(page: str) -> str:
    """What the page says of itself."""
    return page.split('<html lang="')[1][:2]


def test_a_visitor_reads_what_the_browser_asks_for() -> None:
    answer = Client().get("/about/", **FRENCH)
    assert lang_of(answer.content.decode()) == "fr"
    assert answer.headers["Content-Language"] == "fr"
    assert lang_of(Client().get("/about/").content.decode()) == "en"
    unknown = Client().get("/about/", headers={"accept-language": "tlh"})
    assert lang_of(unknown.content.decode()) == "en"


def test_whoever_keeps_pages_of_visitors_is_told_that_they_differ_by_language() -> None:
    vary = Client().get("/about/", **FRENCH).headers["Vary"]
    assert {"Accept-Language", "Cookie"} <= set(vary.split(", "))


def test_a_person_reads_their_own_language_whatever_the_browser_asks(
    trainee: User, sign_in: SignIn
) -> None:
    browser = sign_in(trainee)
    page = browser.get(reverse("portal:privacy"), **FRENCH).content.decode()
    assert lang_of(page) == "en"
    trainee.language = Language.FRENCH
    trainee.save()
    answer = browser.get(reverse("portal:privacy"), headers={"accept-language": "en"})
    assert lang_of(answer.content.decode()) == "fr"
    assert answer.headers["Content-Language"] == "fr"


def test_a_person_chooses_and_it_stays_with_them(trainee: User, sign_in: SignIn) -> None:
    wish = {"language": "fr", "next": reverse("portal:privacy")}
    answer = sign_in(trainee).post(reverse("portal:language"), wish, follow=True)
    assert answer.redirect_chain == [(reverse("portal:privacy"), 302)]
    assert lang_of(answer.content.decode()) == "fr"
    trainee.refresh_from_db()
    assert trainee.language == "fr"
    elsewhere = sign_in(trainee).get(reverse("portal:privacy")).content.decode()
    assert lang_of(elsewhere) == "fr"


def test_a_visitor_chooses_for_this_browser(trainee: User) -> None:
    browser = Client()
    answer = browser.post(reverse("portal:language"), {"language": "fr", "next": "/about/"})
    assert answer.headers["Location"] == "/about/"
    assert lang_of(browser.get("/about/").content.decode()) == "fr"
    assert lang_of(Client().get("/about/").content.decode()) == "en"
    trainee.refresh_from_db()
    assert trainee.language == "en"


def test_one_person_never_chooses_for_another(
    trainee: User, stranger: User, sign_in: SignIn
) -> None:
    sign_in(stranger).post(reverse("portal:language"), {"language": "fr"})
    trainee.refresh_from_db()
    stranger.refresh_from_db()
    assert (trainee.language, stranger.language) == ("en", "fr")


@pytest.mark.parametrize("language", ["", "de", "fr-CA", "../fr", "x" * 300])
def test_a_language_that_we_do_not_have_changes_nothing(
    language: str, trainee: User, sign_in: SignIn
) -> None:
    browser = sign_in(trainee)
    browser.post(reverse("portal:language"), {"language": language})
    trainee.refresh_from_db()
    assert trainee.language == "en"
    assert "rostrum_language" not in browser.cookies


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example", "javascript:1", "no page", "portal:privacy"],
)
def test_the_switch_leads_to_no_other_site(elsewhere: str) -> None:
    wish = {"language": "fr", "next": elsewhere}
    answer = Client().post(reverse("portal:language"), wish)
    assert answer.headers["Location"] == reverse("portal:home")


def test_the_switch_needs_the_token_of_its_page_and_a_post() -> None:
    careful = Client(enforce_csrf_checks=True)
    assert careful.post(reverse("portal:language"), {"language": "fr"}).status_code in {302, 403}
    assert "rostrum_language" not in careful.cookies
    assert careful.get(reverse("portal:language")).status_code == 405


def test_every_page_offers_each_language_by_its_own_name(trainee: User, sign_in: SignIn) -> None:
    for page in (
        Client().get(reverse("account_login"), **FRENCH).content.decode(),
        sign_in(trainee).get(reverse("feedback:takes")).content.decode(),
    ):
        assert 'lang="fr" aria-pressed=' in page
        assert ">Français</button>" in page
        assert ">English</button>" in page


def test_mails_are_in_their_readers_language(trainee: User, administrator: User) -> None:
    trainee.language = Language.FRENCH
    trainee.save()
    assert invite_person(person=trainee, site="https://rostrum.example", actor=administrator)
    Client().post(reverse("account_reset_password"), {"email": trainee.email})
    invitation, reset = mail.outbox
    assert invitation.subject == "Votre compte sur Rostrum"
    assert invitation.body.startswith("Bonjour Ana,\n\nRoot vous invite sur Rostrum, où l’on ")
    assert "Hello" not in invitation.body + reset.body
    assert reset.subject == "Choisissez un nouveau mot de passe pour Rostrum"
    assert translation.get_language() == "en"


def test_who_chooses_a_language_and_then_signs_in_goes_on_reading_it(trainee: User) -> None:
    browser = Client()
    browser.post(reverse("portal:language"), {"language": "fr", "next": "/about/"})
    browser.post(reverse("account_login"), {"login": trainee.email, "password": PASSWORD})
    assert lang_of(browser.get(reverse("portal:privacy")).content.decode()) == "fr"
    trainee.refresh_from_db()
    assert trainee.language == "fr"


def test_what_the_browser_remembers_of_others_changes_nobody(
    trainee: User, stranger: User, sign_in: SignIn
) -> None:
    browser = Client()
    browser.post(reverse("portal:language"), {"language": "fr", "next": "/about/"})
    browser.post(reverse("account_login"), {"login": stranger.email, "password": PASSWORD})
    browser.post(reverse("account_logout"))
    assert lang_of(browser.get("/about/").content.decode()) == "fr"
    browser.post(reverse("account_login"), {"login": trainee.email, "password": PASSWORD})
    trainee.refresh_from_db()
    assert trainee.language == "en"

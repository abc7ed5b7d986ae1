"""Tabs of a browser whose sign-in runs out while a form is open."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from coach.accounts.models import User

NOTE = "The pause at 1:05 was meant;\r\nI <b>waited</b> for the slide."


class Browser(Client):
    """A browser with forms that carry their tokens, as people's browsers do."""

    def __init__(self) -> None:
        super().__init__(enforce_csrf_checks=True)
        self.token = ""

    def open(self, path: str) -> str:
        """Open a page and take the token of its forms."""
        page = str(self.get(path).content.decode())
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        if found:
            self.token = found[1]
        return page

    def arrive(self, person: User) -> None:
        """Sign in anew, and open a page with forms."""
        self.sign_in(person)
        self.open("/keys/")

    def sign_in(self, person: User) -> None:
        """Anew, whoever was signed in before: the session and the secret of forms are new."""
        for name in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME):
            self.cookies.pop(name, None)
        self.force_login(person)

    def like_it(self) -> Browser:
        """Another one with the same session and the same page."""
        other = Browser()
        other.cookies, other.token = deepcopy(self.cookies), self.token
        return other

    def sign_out_meanwhile(self) -> None:
        """The session runs out; the page with its form stays open."""
        self.cookies.pop(settings.SESSION_COOKIE_NAME, None)

    def send(
        self, path: str, *, headers: dict[str, str] | None = None, **fields: object
    ) -> HttpResponse:
        """Send a form of the page that was opened last."""
        data = {"csrfmiddlewaretoken": self.token, **fields}
        return self.post(path, data, headers=headers or {})  # type: ignore[return-value]


class Tabs(NamedTuple):
    """Both of Ana's, each with a session and a page of its own."""

    first: Browser
    second: Browser


def page_after(response: HttpResponse) -> str:
    """Where signing in leads."""
    to = urlsplit(response.headers["Location"])
    assert to.path == "/accounts/login/"
    return parse_qs(to.query)["next"][0]

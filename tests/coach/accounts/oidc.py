"""A real OpenID provider in a thread of the tests, and a person's way through it."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

pytest.importorskip("authlib.deprecate")
with warnings.catch_warnings():
    # The provider imports a module of authlib that will move.
    warnings.simplefilter("ignore")
    of_provider = pytest.importorskip("oidc_provider_mock._app")
flask = pytest.importorskip("flask")
serving = pytest.importorskip("werkzeug.serving")


@dataclass
class Provider:
    """The provider at `issuer`, and what it received at its token endpoint."""

    issuer: str
    received: list[dict[str, str]] = field(default_factory=list)

    def know(self, sub: str, **claims: Any) -> None:
        """Let the provider know a person."""
        answer = requests.put(f"{self.issuer}/users/{sub}", json=claims, timeout=10)
        answer.raise_for_status()

    def signs_in(self, address: str, sub: str) -> str:
        """Sign the person in at an address of the provider; return where it sends them to."""
        answer = requests.post(address, data={"sub": sub}, timeout=10, allow_redirects=False)
        assert answer.status_code == 302, answer.text
        return answer.headers["Location"]


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Run the provider on a free port of this machine."""
    app = of_provider.app(require_nonce=True)
    server = serving.make_server("localhost", 0, app, threaded=True)
    provider = Provider(f"http://localhost:{server.server_port}")

    def note() -> None:
        if flask.request.path == "/oauth2/token":
            provider.received.append(flask.request.form.to_dict())

    app.before_request(note)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def left_for(page: HttpResponse) -> str:
    """Return the address at the provider that a page of ours leads to."""
    assert page.status_code == 200, page
    assert page.templates[0].name == "oidc/continue.html"  # type: ignore[attr-defined]
    return str(page.context["address"])  # type: ignore[attr-defined]


def question_of(address: str) -> dict[str, str]:
    """Return the parameters of a question to the provider."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def come_back(client: Client, location: str) -> HttpResponse:
    """Follow the provider's redirect to the site."""
    parts = urlsplit(location)
    return client.get(f"{parts.path}?{parts.query}")  # type: ignore[return-value]


def sign_in_there(client: Client, provider: Provider, sub: str, **form: str) -> HttpResponse:
    """Return the site's answer to a whole sign-in at the provider."""
    address = left_for(client.post(reverse("oidc_sign_in"), form))  # type: ignore[arg-type]
    return come_back(client, provider.signs_in(address, sub))

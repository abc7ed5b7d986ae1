"""The manifest in both languages, its icons, and the public pages of an installed app."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from PIL import Image

from coach.accounts.models import User
from tests.coach.conftest import SignIn


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_manifest_names_the_language_and_icons_of_their_size(language: str) -> None:
    answer = Client().get(reverse("portal:manifest"), {"language": language})
    content = answer.json()
    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert (content["lang"], content["display"], content["scope"]) == (language, "standalone", "/")
    assert {each["purpose"] for each in content["icons"]} == {"any", "maskable"}
    for icon in content["icons"]:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert path
        with Image.open(Path(str(path))) as picture:
            assert icon["sizes"] == f"{picture.width}x{picture.height}"


@pytest.mark.django_db
def test_another_language_is_not_taken_from_the_address() -> None:
    content = Client().get(reverse("portal:manifest"), {"language": "xx"}).json()
    assert content["lang"] == "en"


def test_the_stored_page_says_nothing_about_its_reader(trainee: User, sign_in: SignIn) -> None:
    pages = [
        client.get(reverse("portal:offline"), {"language": "fr"}).content
        for client in (sign_in(trainee), Client())
    ]
    assert pages[0] == pages[1]
    assert 'lang="fr"' in pages[0].decode()


@pytest.mark.django_db
def test_the_worker_comes_from_the_root_under_the_policy_of_every_page() -> None:
    answer = Client().get(reverse("portal:service_worker"), {"language": "fr"})
    assert reverse("portal:service_worker") == "/service-worker.js"
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "/offline/?language=fr" in answer.text.replace("\\u003D", "=")
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]

"""Help: every page leads to its guide, and every guide can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from coach.accounts.models import User
from coach.portal.help import guides
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "fr")


def pages(patterns: list[URLPattern | URLResolver], space: str = "") -> Iterator[str]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from pages(each.url_patterns, each.namespace or space)
        elif space:
            yield f"{space}:{each.name}"


def test_every_part_of_the_site_has_a_guide() -> None:
    known = set(pages(get_resolver().url_patterns))
    parts = {name.partition(":")[0] for name in known}
    assert parts <= set(guides.GUIDE_OF)
    assert set(guides.GUIDE_OF) <= known | parts | {"account"}
    assert set(guides.GUIDE_OF.values()) <= set(guides.paths())


def test_no_two_guides_have_one_name() -> None:
    every = [path for folder in guides.FOLDERS for path in (guides.DOCS / folder).glob("*.md")]
    assert len(every) + 1 == len(guides.paths())  # and docs/accuracy.md


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", guides.paths())
def test_a_guide_leads_only_to_what_is_there(name: str, language: str) -> None:
    guide = guides.guide(name, language)
    assert guide.title
    for href in re.findall(r'href="(/help/[^"#]+|#[^"]*)', guide.html):
        anchor = href.startswith("#") and f'id="{href[1:]}"' in guide.html
        assert anchor or href.strip("/").split("/")[-1] in guides.paths(), href
    for picture in re.findall(r'src="/static/([^"]+)"', guide.html):
        assert finders.find(re.sub(r"\.[0-9a-f]{12}\.", ".", picture)), picture


def test_markup_in_a_guide_is_text() -> None:
    made = guides._html("# A\n\n<script>alert(1)</script> [x](javascript:alert(1))", "guides/a.md")
    assert "<script>" not in made
    assert 'href="javascript' not in made


def test_the_foot_of_a_page_leads_to_its_guide(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    page = client.get(reverse("feedback:takes")).content.decode()
    address = reverse("portal:guide", args=["trainee"])
    assert f'href="{address}"' in page
    shown = client.get(address)
    assert shown.status_code == 200
    assert guides.guide("trainee", "en").html in shown.content.decode()
    assert client.get(reverse("portal:help")).status_code == 200
    assert client.get(reverse("portal:guide", args=["no-such"])).status_code == 404


def test_a_guide_is_in_the_language_of_its_reader(trainee: User, sign_in: SignIn) -> None:
    trainee.language = "fr"
    trainee.save()
    client = sign_in(trainee)
    french = client.get(reverse("portal:guide", args=["trainee"])).content.decode()
    assert guides.guide("trainee", "fr").language == "fr"
    assert guides.guide("trainee", "fr").html in french
    english = client.get(reverse("portal:guide", args=["installing"])).content.decode()
    assert '<article class="guide" lang="en">' in english


def test_visitors_see_no_help(client: Client) -> None:
    assert reverse("portal:help") not in client.get(reverse("portal:sample")).content.decode()

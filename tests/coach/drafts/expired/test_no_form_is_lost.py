"""Every address of the product is sent a form whose sign-in has run out, listed or not."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from tests.coach.drafts.expired.tabs import NOTE, Browser, page_after
from tests.coach.test_strangers import PROGRAM_VIEWS, TUS_VIEWS

pytestmark = pytest.mark.slow


ANSWERS = {
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uuidstr": "00000000-0000-4000-8000-000000000000",  # of the API
    "int": "1",
    "slug": "PAU001",
    "str": "research",
    "path": "1",
}


def _paths(patterns: list[URLPattern | URLResolver], before: str = "/") -> Iterator[str]:
    """An address for every pattern, its places filled in."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _paths(pattern.url_patterns, before + str(pattern.pattern))
        else:
            path = before + str(pattern.pattern)
            path = re.sub(r"<(?:(\w+):)?\w+>", lambda found: ANSWERS[found[1] or "str"], path)
            if not set("(?^$\\") & set(path.removeprefix("/^")):
                yield path


SIGN_IN = {"/accounts/login/", "/admin/login/"}


ALL_PATHS = sorted(
    path
    for path in set(_paths(get_resolver().url_patterns)) - SIGN_IN
    # Programs with a token ask there, and no form leads there.
    if not path.startswith(("/api/", "/scim/"))
)


def test_the_walk_meets_every_app_of_ours() -> None:
    met = {resolve(path).app_name for path in ALL_PATHS}
    assert met >= {"portal", "feedback", "rehearsals", "review", "curation", "research", "admin"}
    assert len(ALL_PATHS) > 60


def kept_at(path: str) -> str:
    """The page of the one form that was sent to this address, with all that it held.

    What such a page shows is the same for every address, and read above.
    """
    kept = FormDraft.objects.get()
    assert (kept.form, kept.fields) == (path, [["note", NOTE]])
    return reverse("portal:kept", args=[kept.pk])


@pytest.mark.parametrize("path", ALL_PATHS)
def test_no_form_of_the_product_loses_what_was_typed(
    path: str, trainee: User, tab: Browser
) -> None:
    """Every address is sent to, listed or not: refused for want of a sign-in, it is kept."""
    tab.sign_out_meanwhile()
    response = tab.send(path, note=NOTE)
    if not 300 <= response.status_code < 400 or "next=" not in response.headers["Location"]:
        return
    following = page_after(response)
    if getattr(resolve(path).func, "is_asked_anew", False):
        tab.sign_in(trainee)
        assert tab.get(following).status_code != 405
    else:
        assert following == kept_at(path)


@pytest.mark.parametrize("path", ALL_PATHS)
def test_no_form_loses_it_to_a_token_of_before(path: str, tab_of_before: Browser) -> None:
    """Pieces of recordings come from programs, no form leads there: a form is not even read."""
    response = tab_of_before.send(path, note=NOTE)
    is_for_programs = resolve(path).view_name in TUS_VIEWS | PROGRAM_VIEWS
    refused = {302, 404, 405, 410} | ({415} if is_for_programs else set())
    assert response.status_code in refused, response.content
    if FormDraft.objects.exists():
        assert response.headers["Location"] == kept_at(path)
    elif response.status_code == 302 and "/accounts/" not in path:
        assert getattr(resolve(path).func, "is_asked_anew", False)

"""Guides: where they are, which one belongs to a page, and their HTML.

They are the Markdown files of docs/, the same that a repository shows. A page has another language
where docs/LANGUAGE has a file of the same name.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from coach.accounts.models import User

DOCS: Final = Path(settings.BASE_DIR) / "docs"
FOLDERS: Final[dict[str, str | Promise]] = {
    "tutorials": _("First steps, one after the other"),
    "guides": _("Guides"),
    "reference": _("Reference"),
    "privacy": _("Data protection and accessibility"),
}
GUIDE_OF: Final = {
    "account": "troubleshooting",
    "admin": "administrator",
    "api": "api",
    "webhooks": "api",
    "lti": "lms",
    "scim": "scim",
    "scim-v2": "scim",
    "v1": "api",
    "v1-uploads": "api",
    "assignments": "practice",
    "curation": "curator",
    "feedback": "trainee",
    "guests": "practice",
    "notices": "practice",
    "portal": "practice",
    "portal:about": "measures",
    "portal:administration": "administrator",
    "portal:profile": "trainee",
    "practice": "practice",
    "questions": "practice",
    "rehearsals": "trainee",
    "slides": "trainee",
    "research": "researcher",
    "research:agreement": "coding",
    "research:bundle": "exporting",
    "research:codebook": "coding",
    "research:coding": "coding",
    "research:interview": "interviews",
    "research:interviews": "interviews",
    "research:load": "exporting",
    "research:passages": "themes",
    "research:recording": "interviews",
    "research:redact": "interviews",
    "research:reel": "themes",
    "research:round": "coding",
    "research:rounds": "coding",
    "research:theme": "themes",
    "research:themes": "themes",
    "research:transcript": "interviews",
    "review": "coach",
    "review:agreement": "second-opinions",
    "review:clips": "second-opinions",
    "review:seconds": "second-opinions",
    "review:team": "second-opinions",
}
"""The guide of each part of the site; a page with a guide of its own comes before its part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpGuide:
    """One page, in the reader's language if there is one, else in English."""

    name: str
    title: str
    language: str
    html: SafeString


def help_page(request: HttpRequest) -> dict[str, object]:
    """Give every template the address of the guide to its page. Empty for visitors."""
    if not isinstance(getattr(request, "user", None), User):
        return {"help_url": ""}
    return {"help_url": SimpleLazyObject(lambda: _help_url(request))}


def _help_url(request: HttpRequest) -> str:
    match = request.resolver_match
    if match is None or match.view_name in {"portal:help", "portal:guide"}:
        return reverse("portal:help")
    part = match.app_name or match.view_name.partition("_")[0]
    name = GUIDE_OF.get(match.view_name) or GUIDE_OF.get(part)
    return reverse("portal:guide", args=[name]) if name else reverse("portal:help")


@cache
def paths() -> dict[str, str]:
    """Return the path below docs/ of each page, by the name in its address."""
    found = (path for folder in FOLDERS for path in sorted((DOCS / folder).glob("*.md")))
    pages = {path.stem: f"{path.parent.name}/{path.name}" for path in found}
    return {**pages, "accuracy": "accuracy.md"}


def by_kind(language: str) -> list[tuple[str | Promise, list[HelpGuide]]]:
    """Return all pages by kind, each kind in the order of its titles."""
    every = {path: guide(name, language) for name, path in paths().items()}
    return [
        (
            label,
            sorted(
                (page for path, page in every.items() if _folder_of(path) == folder),
                key=lambda page: page.title,
            ),
        )
        for folder, label in FOLDERS.items()
    ]


def _folder_of(path: str) -> str:
    return posixpath.dirname(path) or "reference"


@cache
def guide(name: str, language: str) -> HelpGuide:
    """Return a page. Raise KeyError if there is none of this name."""
    place = paths()[name]
    translated = DOCS / language / place
    path = translated if translated.is_file() else DOCS / place
    text = re.sub(r"<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return HelpGuide(
        name=name,
        title=title_of(text),
        language=language if path == translated else "en",
        html=_html(text, place),
    )


def title_of(text: str) -> str:
    """Return the first heading."""
    return text.partition("# ")[2].partition("\n")[0]


def _html(text: str, place: str) -> SafeString:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            before.attrSet("id", _anchor(token.content))
        if token.children:
            token.children = _linked(token.children, place)
    made: str = markdown.renderer.render(list(_scrolling(tokens)), markdown.options, {})
    # Markdown without HTML of its own: everything in it is escaped.
    return mark_safe(made)  # noqa: S308  # see above


def _anchor(heading: str) -> str:
    """Return the name by which links call a heading, as repositories make it."""
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def _linked(tokens: list[Token], place: str) -> list[Token]:
    """Point links and pictures to this site; of a link to another place only its words stay."""
    kept: list[Token] = []
    is_dropped = False
    for token in tokens:
        if token.type == "image":
            name = posixpath.basename(str(token.attrs["src"]))
            token.attrSet("src", static(f"pictures/{name}"))
            token.attrSet("loading", "lazy")
        if token.type == "link_open":
            target = _address(str(token.attrs["href"]), place)
            is_dropped = not target
            token.attrSet("href", target)
        if not (is_dropped and token.type in {"link_open", "link_close"}):
            kept.append(token)
    return kept


def _address(target: str, place: str) -> str:
    name, mark, anchor = target.partition("#")
    if "://" in target or not name:
        return target
    path = posixpath.normpath(posixpath.join(posixpath.dirname(place), name))
    page = posixpath.basename(path).removesuffix(".md")
    if paths().get(page) != path:
        return ""
    return reverse("portal:guide", args=[page]) + mark + anchor


def _scrolling(tokens: list[Token]) -> Iterator[Token]:
    """Let wide tables scroll by themselves, by keyboard too."""
    attributes: dict[str, str | int | float] = {
        "class": "scroll-x",
        "tabindex": 0,
        "role": "group",
        "aria-label": gettext("Table"),
    }
    for token in tokens:
        if token.type == "table_open":
            yield Token("div_open", "div", 1, attrs=attributes)
        yield token
        if token.type == "table_close":
            yield Token("div_close", "div", -1)

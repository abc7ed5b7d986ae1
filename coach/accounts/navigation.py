"""Parts of the site: the name, first page and permission of each.

The menu, the first page after signing in and the permission checks of views all use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page that a part shows as a tab; `url` is the name of its view."""

    url: str
    label: Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePart:
    """One part of the site, an app of its own. `url` is its first page; `stands_in_menu`
    lists it in the menu.
    """

    app: str
    url: str
    label: Promise
    may: Callable[[User], bool]
    stands_in_menu: bool = True
    also: tuple[str, ...] = ()
    """Further apps whose pages belong to it."""
    tabs: tuple[SitePage, ...] = ()


PRACTISE: Final = SitePart(
    app="feedback",
    url="feedback:takes",
    label=_("Practise"),
    also=("practice", "questions"),
    may=lambda user: user.can_practise,
)
REVIEW: Final = SitePart(
    app="review", url="review:queue", label=_("Review"), may=lambda user: user.can_review
)
RULES: Final = SitePart(
    app="curation",
    url="curation:rules",
    label=_("Rules"),
    may=lambda user: user.can_curate,
    tabs=(
        SitePage("curation:rules", _("Rules")),
        SitePage("curation:gallery", _("Gallery")),
        SitePage("curation:publish", _("Publish")),
        SitePage("curation:releases", _("Rule sets")),
        SitePage("curation:dry_runs", _("Dry runs")),
        SitePage("curation:statistics", _("Statistics")),
        SitePage("curation:import", _("Files")),
    ),
)
RESEARCH: Final = SitePart(
    app="research", url="research:home", label=_("Research"), may=lambda user: user.can_research
)
ADMINISTRATION: Final = SitePart(
    app="portal",
    url="portal:administration",
    label=_("Administration"),
    may=lambda user: user.is_staff,
    stands_in_menu=False,
)
PARTS: Final = (PRACTISE, REVIEW, RULES, RESEARCH, ADMINISTRATION)
"""In the order of the menu; users start in the first one that they may open."""


def parts_for(user: User) -> tuple[SitePart, ...]:
    """Return the parts that this person may open."""
    return tuple(part for part in PARTS if part.may(user))


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuEntry:
    """One link; `current` is the value of aria-current, empty on other pages."""

    url: str
    label: Promise
    current: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """The menu at the top of every page, and the tabs of the current part."""

    parts: tuple[MenuEntry, ...] = ()
    others: tuple[MenuEntry, ...] = ()
    """Parts in the menu under the user's own name."""
    tabs_label: str | Promise = ""
    tabs: tuple[MenuEntry, ...] = ()


def menu(request: HttpRequest) -> dict[str, Callable[[], Menu]]:
    """Return the menu for templates, computed only if a page shows it."""
    return {"menu": cache(lambda: _menu(request))}


def _menu(request: HttpRequest) -> Menu:
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return Menu()
    parts, match = parts_for(user), request.resolver_match
    here = next(
        (part for part in parts if match and match.app_name in (part.app, *part.also)), None
    )
    return Menu(
        parts=_entries((part for part in parts if part.stands_in_menu), request, here),
        others=_entries((part for part in parts if not part.stands_in_menu), request, None),
        tabs_label=here.label if here else "",
        tabs=_entries(here.tabs, request, None) if here else (),
    )


def _entries(
    those: Iterable[SitePart | SitePage], request: HttpRequest, here: SitePart | None
) -> tuple[MenuEntry, ...]:
    found = []
    for each in those:
        url = reverse(each.url)
        current = "page" if url == request.path else "true" if each is here else ""
        found.append(MenuEntry(url=url, label=each.label, current=current))
    return tuple(found)

"""Parts of the site: the name, first page and permission of each.

The menu, the first page after signing in and the permission checks of views all use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
    icon: str = ""
    """Its picture in a bar: an SVG path in a square of 24."""


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
    has_bar: bool = False
    """Whether all its pages show the tabs, on a phone as a bar at the bottom."""


PRACTISE: Final = SitePart(
    app="feedback",
    url="feedback:takes",
    label=_("Practise"),
    also=("practice", "questions", "slides", "assignments"),
    may=lambda user: user.can_practise,
    tabs=(
        SitePage(
            "feedback:takes",
            _("Practise"),
            "M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0zM6 11a6 6 0 0 0 12 0M12 17v4",
        ),
        SitePage("practice:plan", _("Plan"), "M5 5h14v15H5zM5 9.5h14M9 3v4M15 3v4M9 14l2 2 4-4"),
        SitePage("practice:progress", _("Progress"), "M4 20h16M5 16l5-5 4 3 5-8"),
        SitePage("practice:exercises", _("Exercises"), "M12 4a8 8 0 1 0 8 8M12 8v4l3 2"),
    ),
    has_bar=True,
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
DEPARTMENT: Final = SitePart(
    app="portal",
    url="portal:department_home",
    label=_("Your department"),
    may=lambda user: user.administers_departments and not user.is_staff,
    stands_in_menu=False,
)
PARTS: Final = (PRACTISE, REVIEW, RULES, RESEARCH, ADMINISTRATION, DEPARTMENT)
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
    icon: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """The menu at the top of every page, and the tabs of the current part."""

    parts: tuple[MenuEntry, ...] = ()
    others: tuple[MenuEntry, ...] = ()
    """Parts in the menu under the user's own name."""
    tabs_label: str | Promise = ""
    tabs: tuple[MenuEntry, ...] = ()
    bar: tuple[MenuEntry, ...] = ()
    """The tabs of a part that shows them on all its pages."""


def menu(request: HttpRequest) -> dict[str, Callable[[], Menu]]:
    """Return the menu for templates, computed only if a page shows it."""
    return {"menu": cache(lambda: _menu(request))}


def _menu(request: HttpRequest) -> Menu:
    user = getattr(request, "user", None)
    if not isinstance(user, User) or user.is_trial:
        return Menu()
    parts, match = parts_for(user), request.resolver_match
    here = next(
        (part for part in parts if match and match.app_name in (part.app, *part.also)), None
    )
    return Menu(
        parts=_entries((part for part in parts if part.stands_in_menu), request, here),
        others=_entries((part for part in parts if not part.stands_in_menu), request, None),
        tabs_label=here.label if here else "",
        tabs=_entries(here.tabs, request, None) if here and not here.has_bar else (),
        bar=_bar(here.tabs, request.path) if here and here.has_bar else (),
    )


def _bar(tabs: Sequence[SitePage], path: str) -> tuple[MenuEntry, ...]:
    """Return the tabs; the one with the longest matching address is current, else the first."""
    urls = [reverse(each.url) for each in tabs]
    nearest = max((url for url in urls if path.startswith(url)), key=len, default=urls[0])
    current = {nearest: "page" if path == nearest else "true"}
    return tuple(
        MenuEntry(url=url, label=tab.label, current=current.get(url, ""), icon=tab.icon)
        for url, tab in zip(urls, tabs, strict=True)
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

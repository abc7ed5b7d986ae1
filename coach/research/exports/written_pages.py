"""Names, addresses and numbers in what coders wrote, for the page that redacts them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.lib.words.punctuation import within_quotes
from coach.research.coding.models import (
    Adjudication,
    Code,
    CodebookVersion,
    CodeChange,
    Coding,
    Memo,
    Round,
    Theme,
    ThemeChange,
    ThemeMemo,
)
from coach.research.coding.written import Writing, texts_in
from coach.research.exports.bundle.guard.words import name_search_for
from coach.research.studies.models import Study

_AROUND: Final = 60
"""Characters before and after a place."""
MOST_SHOWN: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPlace:
    """A word in what somebody wrote that may name a person."""

    about: str
    """The object, as in `BundleProblem.about`."""
    where: str
    link: str
    before: str
    words: str
    after: str


def places_in(study: Study, written: Iterable[Writing]) -> Iterator[WrittenPlace]:
    """Yield the places at which an export would stop."""
    watch = name_search_for(study)
    for each in written:
        for row in _with_owners(each):
            for text in (text for name in each.fields for text in texts_in(getattr(row, name))):
                for _code, start, end in watch.places(text, by_coders=True):
                    yield WrittenPlace(
                        about=key_of(row),
                        where=where_of(row),
                        link=_link(study, row),
                        before=text[max(start - _AROUND, 0) : start],
                        words=text[start:end],
                        after=text[end : end + _AROUND],
                    )


def _with_owners(written: Writing) -> Iterable[Any]:
    related = {
        "coding": ("coder", "code", "text__interview", "round"),
        "memo": ("coder", "code", "interview"),
        "change": ("code",),
        "settled": ("round", "code"),
        "theme_memo": ("theme",),
    }
    return (
        written.rows.select_related(*related.get(written.kind, ()))
        if (written.kind in related)
        else written.rows
    )


def key_of(row: Any) -> str:
    """Return the key of a row, as the export names it."""
    kinds: dict[type, Callable[[Any], str]] = {
        Code: lambda each: f"code:{each.guid}",
        CodebookVersion: lambda each: f"version:{each.number}",
        CodeChange: lambda each: f"change:{each.pk}",
        Coding: lambda each: f"coding:{each.guid}",
        Memo: lambda each: f"memo:{each.guid}",
        Adjudication: lambda each: f"settled:{each.pk}",
        Theme: lambda each: f"theme:{each.guid}",
        ThemeMemo: lambda each: f"theme_memo:{each.pk}",
        ThemeChange: lambda each: f"theme_change:{each.pk}",
        Round: lambda each: f"round:{each.number}",
    }
    return kinds[type(row)](row)


def where_of(row: Any) -> str:
    """Return what a row is, in words."""
    if isinstance(row, Code):
        return _("Code “%(name)s”") % {"name": within_quotes(row.name)}
    if isinstance(row, CodebookVersion):
        return _("Codebook version %(number)s") % {"number": row.number}
    if isinstance(row, CodeChange):
        return _("History of a code")
    if isinstance(row, Theme | ThemeMemo | ThemeChange):
        return _theme_where(row)
    if isinstance(row, Adjudication):
        return _("Reason in round %(number)s") % {"number": row.round.number}
    if isinstance(row, Round):
        return _("Title of round %(number)s") % {"number": row.number}
    return _memo_where(row)


def _theme_where(row: Theme | ThemeMemo | ThemeChange) -> str:
    if isinstance(row, Theme):
        return _("Theme “%(name)s”") % {"name": within_quotes(row.name)}
    if isinstance(row, ThemeMemo):
        return _("Memo of the theme “%(name)s”") % {"name": within_quotes(row.theme.name)}
    return _("History of the themes")


def _memo_where(row: Coding | Memo) -> str:
    interview = row.text.interview if isinstance(row, Coding) and row.text else None
    if isinstance(row, Memo):
        interview = row.interview
    given = {"coder": row.coder.label, "interview": interview.label if interview else ""}
    if interview is None:
        return _("Memo by %(coder)s") % given
    return _("Memo by %(coder)s, %(interview)s") % given


def _link(study: Study, row: Any) -> str:
    if isinstance(row, Code):
        return reverse("research:code", args=[study.slug, row.pk])
    if isinstance(row, CodeChange):
        return reverse("research:code", args=[study.slug, row.code_id])
    if isinstance(row, Theme | ThemeMemo | ThemeChange):
        return reverse("research:themes", args=[study.slug])
    if isinstance(row, CodebookVersion):
        return reverse("research:codebook_version", args=[study.slug, row.number])
    if isinstance(row, Coding | Adjudication | Round):
        coding_round = row if isinstance(row, Round) else row.round
        if coding_round.is_free:
            return reverse("research:rounds", args=[study.slug])
        return reverse("research:round", args=[study.slug, coding_round.number])
    return ""

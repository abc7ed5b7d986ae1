"""Reasons why an export was refused, by cause: every place with its link, and what to do there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as translate
from django.utils.translation import gettext_noop as _

from coach.research.coding.models import (
    Code,
    CodebookVersion,
    Coding,
    Interview,
    Memo,
    Round,
    Theme,
)
from coach.research.exports.bundle.guard.problem import BundleProblem
from coach.research.exports.written_pages import where_of
from coach.research.studies.models import Study

_CAUSES: Final[Mapping[str, tuple[str, str]]] = {
    "known_name": (
        _("Names of people in this study"),
        _(
            "Redact each name where it is written. A part of a name that is also another word "
            "can be allowed."
        ),
    ),
    "still_named": (
        _("Redacted names that still occur"),
        _("Open the text, redact these places too, and lock it again."),
    ),
    "e_mail": (_("Email addresses"), _("Redact each address where it is written.")),
    "phone": (
        _("Telephone and other long numbers"),
        _("Redact each number where it is written. A number of another kind can be allowed."),
    ),
    "inner_state": (
        _("Words for feelings about a person"),
        _("A feeling cannot be inferred from a recording. Change the text, or allow the word."),
    ),
    "redaction_pending": (
        _("Texts that may still contain names"),
        _("Finish the redaction and lock the text, or leave such texts out of the export."),
    ),
    "unnamed_voice": (
        _("Speakers without a recorded consent"),
        _("Choose the participant of each speaker, and record their consent."),
    ),
    "not_covered": (
        _("Rows that no consent covers"),
        _("Record the consent of this person, or request the export again."),
    ),
    "agreement_needed": (
        _("Small groups in which people could be recognised"),
        _("Enter the data agreement with the recipient when you request the export again."),
    ),
    "broken": (
        _("Data that is inconsistent"),
        _("Contact the administrator of this site."),
    ),
}
"""Causes in the order of the page: their titles, and what can be done."""
_AGAIN: Final = _("Request again")
_COPIES: Final = ("qda/", ".vtt", ".TextGrid", ".eaf")
"""Files with copies of a table or a text: a place is listed only if the original has none."""


@dataclass(slots=True, kw_only=True)
class RefusedPlace:
    """One object to repair: its name, its link, and how often the cause occurs in it."""

    words: str
    link: str
    file: str
    count: int = 0
    shown: list[str] = field(default_factory=list)
    """The masked words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalCause:
    """A cause with its places."""

    code: str
    title: str
    advice: str
    places: list[RefusedPlace]


def refusal_causes(study: Study, problems: Iterable[Sequence[str]]) -> list[RefusalCause]:
    """Return the causes of a refusal, each object once."""
    by_code: dict[str, list[BundleProblem]] = defaultdict(list)
    for each in problems:
        by_code[each[0]].append(BundleProblem(*each))
    objects = _objects(study, {each.about for those in by_code.values() for each in those})
    return [
        RefusalCause(
            code=code,
            title=translate(title),
            advice=translate(advice),
            places=_places(study, _told_once(by_code[code]), objects),
        )
        for code, (title, advice) in _CAUSES.items()
        if code in by_code
    ]


def _told_once(problems: list[BundleProblem]) -> list[BundleProblem]:
    """Return the problems; those in a copy only if the original does not have them."""
    first = [each for each in problems if not _is_copy(each)]
    said = {each.what for each in first}
    return first + [each for each in problems if _is_copy(each) and each.what not in said]


def _is_copy(problem: BundleProblem) -> bool:
    file = problem.place.split(",")[0]
    return file.startswith(_COPIES[0]) or file.endswith(_COPIES[1:])


def _places(
    study: Study, problems: list[BundleProblem], objects: Mapping[str, Any]
) -> list[RefusedPlace]:
    found: dict[str, RefusedPlace] = {}
    for each in problems:
        file = each.place.partition(", character")[0]
        key = each.about if each.about in objects else file
        if key not in found:
            words, link = _named(study, each, objects.get(each.about))
            found[key] = RefusedPlace(words=words, link=link, file="" if file == words else file)
        found[key].count += 1
        if each.what and each.what not in found[key].shown:
            found[key].shown.append(each.what)
    return list(found.values())


def _named(study: Study, problem: BundleProblem, row: Any) -> tuple[str, str]:
    if isinstance(row, Interview):
        page = "interview" if problem.code == "unnamed_voice" else "redact"
        return row.label, reverse(f"research:{page}", args=[study.slug, row.number])
    if row is not None:
        return where_of(row), f"{reverse('research:written', args=[study.slug])}#{problem.about}"
    if problem.code == "agreement_needed":
        return translate(_AGAIN), reverse("research:ask_for_bundle", args=[study.slug])
    return problem.place.partition(", character")[0], ""


def _objects(study: Study, abouts: Iterable[str]) -> dict[str, Any]:
    """Return the rows that problems are about, in a query for each kind."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for about in abouts:
        kind, _colon, key = about.partition(":")
        wanted[kind].append(key)
    kinds: dict[str, tuple[QuerySet[Any], str]] = {
        "code": (Code.objects.filter(study=study), "guid"),
        "memo": (Memo.objects.filter(study=study).select_related("coder", "interview"), "guid"),
        "coding": (
            Coding.objects.filter(study=study).select_related("coder", "text__interview"),
            "guid",
        ),
        "version": (CodebookVersion.objects.filter(study=study), "number"),
        "theme": (Theme.objects.filter(study=study), "guid"),
        "round": (Round.objects.filter(study=study), "number"),
    }
    found: dict[str, Any] = {}
    for kind, (rows, name) in kinds.items():
        for row in rows.filter(**{f"{name}__in": wanted[kind]}) if wanted[kind] else ():
            found[f"{kind}:{getattr(row, name)}"] = row
    for row in study.interviews.all() if wanted["interview"] else ():
        found[f"interview:{row.label}"] = row
    return found

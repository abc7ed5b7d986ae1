"""Content of the codebook pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User
from coach.research.coding.codebook.merging import free_codings_of, parts_of, why_not_now
from coach.research.coding.codebook.services import why_it_stays
from coach.research.coding.codebook.tree import in_order
from coach.research.coding.codebook.versions import (
    CodeDifference,
    differences,
    newest_version,
    unkept,
)
from coach.research.coding.erasing import blanked
from coach.research.coding.models import Code, CodebookVersion, CodeChange, Coding, Interview
from coach.research.coding.selectors import (
    codes_for,
    codings_for,
    interviews_left,
    may_edit_codebook,
)
from coach.research.studies.models import Study

DEEPEST = 5
"""Deepest indentation, so that names have room."""

FIELD_WORDS: dict[str, str | Promise] = {
    "name": _("name"),
    "description": _("what it means"),
    "include_when": _("use it when"),
    "exclude_when": _("do not use it when"),
    "examples": _("examples"),
    "colour": _("colour"),
    "is_codable": _("can be applied"),
    "shortcut": _("key"),
    "state": _("state"),
    "parent": _("parent code"),
    "place": _("place"),
}
KIND_WORDS: dict[str, str | Promise] = {
    "added": _("added"),
    "removed": _("removed"),
    "moved": _("moved"),
    "changed": _("changed"),
}


@dataclass(frozen=True, kw_only=True)
class CodeRow:
    """One code in the tree."""

    code: Code
    depth: int
    codings: int


def codebook_page(study: Study, user: User) -> dict[str, Any]:
    """Return the tree with the counts that this person may see, the versions and unsaved
    changes.
    """
    branches = in_order(codes_for(user, study).select_related("merged_into"))
    counts = _counts(codings_for(user).filter(study=study))
    rows = [
        CodeRow(code=code, depth=min(depth, DEEPEST), codings=counts.get(code.pk, 0))
        for code, depth in branches
    ]
    last = newest_version(study)
    return {
        "study": study,
        "edits": may_edit_codebook(user, study),
        "rows": [row for row in rows if row.code.state == Code.State.ACTIVE],
        "former": [row for row in rows if row.code.state != Code.State.ACTIVE],
        "versions": CodebookVersion.objects.filter(study=study)
        .select_related("by")
        .prefetch_related("rounds"),
        "last": last,
        "unkept": [difference_words(each) for each in unkept(study)] if last or rows else [],
    }


def _counts(codings: QuerySet[Coding]) -> dict[int, int]:
    found = codings.order_by().values_list("code").annotate(n=Count("pk"))
    return dict(found)


def difference_words(each: CodeDifference) -> dict[str, Any]:
    """Return a difference in words: the name, the change, the former name, the fields."""
    fields = ", ".join(str(FIELD_WORDS[name]) for name in each.fields)
    details = (KIND_WORDS[each.kind], each.was, fields)
    return {"name": each.name, "details": [str(part) for part in details if part]}


def version_page(version: CodebookVersion) -> dict[str, Any]:
    """Return a saved version with its changes."""
    before = (
        CodebookVersion.objects.filter(study=version.study_id, number__lt=version.number)
        .order_by("-number")
        .first()
    )
    changes = differences(before.document, version.document) if before else []
    return {
        "study": version.study,
        "version": version,
        "before": before,
        "differences": [difference_words(each) for each in changes],
        "codes": [
            {**code, "depth": min(code.get("depth", 0), DEEPEST)} for code in version.document
        ],
    }


def code_page(code: Code, user: User) -> dict[str, Any]:
    """Return the content of a code's page besides its form."""
    return {
        "study": code.study,
        "code": code,
        "codings": codings_for(user).filter(code=code).count(),
        "why_it_stays": why_it_stays(code),
        "why_not_now": why_not_now(code),
        "free_codings": free_codings_of(code).count(),
        "parts": parts_of(code),
        "changes": [_change_words(each) for each in _changes(code)],
    }


def _changes(code: Code) -> QuerySet[CodeChange]:
    return code.changes.select_related("by").prefetch_related("others")


def _change_words(change: CodeChange) -> dict[str, Any]:
    """Return one change in the history, with the codings it moved."""
    after = change.after
    fields = [
        {"name": FIELD_WORDS[name], "was": change.before.get(name, ""), "now": after[name]}
        for name in after
        if name in FIELD_WORDS and name in change.before
    ]
    return {
        "change": change,
        "others": [each.name for each in change.others.all()],
        "fields": fields,
        "moved": len(after.get("codings", ())),
        "same": len(after.get("same", ())),
    }


def quotes_of(code: Code, user: User, most: int) -> list[dict[str, Any]]:
    """Return a code's codings with their words, as far as this person may see them."""
    found = (
        codings_for(user)
        .filter(code=code)
        .filter(Q(text=None) | Q(text__interview__state=Interview.State.LOCKED))
        .exclude(text__interview__in=interviews_left())
        .select_related("text__interview", "coder", "round", "rehearsal")
        .order_by("pk")[:most]
    )
    return [{"coding": each, "words": words_of(each)} for each in found]


def words_of(coding: Coding) -> str:
    """Return the words of a coding without those of withdrawn people; empty for one on a
    recording.
    """
    if coding.text is None or coding.start is None or coding.end is None:
        return ""
    start, end = coding.start, coding.end
    gone = coding.text.turns.filter(
        speaker__participant__withdrawn_at__isnull=False, start__lt=end, end__gt=start
    )
    spans = [(max(turn.start, start) - start, min(turn.end, end) - start) for turn in gone]
    return blanked(coding.text.text[start:end], spans)

"""Content of the page of a file that a worker reads: progress, or the reason for a refusal."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.research.coding.interviews.words import refusal_words
from coach.research.exports.models import BundleImport
from coach.research.exports.selectors import imports_for
from coach.research.exports.sentences import ProblemGroup, by_kind, counted
from coach.research.studies.models import Study

_MOST_LISTED = 20


def loading_page(asked: BundleImport) -> dict[str, Any]:
    """Return the content of the page of one file."""
    title, again = _title_and_form(asked)
    return {
        "asked": asked,
        "title": title,
        "again": again,
        "is_going_on": asked.state in BundleImport.GOING_ON,
        "problems": _problems(asked),
        "counts": counted(asked.counts),
    }


def sent_files(user: User, study: Study, kind: BundleImport.Kind) -> QuerySet[BundleImport]:
    """Return the user's recent files of this kind for a study, newest first."""
    return imports_for(user).filter(study=study, kind=kind, asked_by=user)[:_MOST_LISTED]


def _title_and_form(asked: BundleImport) -> tuple[str, str]:
    slug = asked.study.slug
    if asked.kind == BundleImport.Kind.TRANSCRIPT:
        return _("Import a transcript"), reverse("research:new_interview", args=[slug])
    if asked.kind == BundleImport.Kind.CODEBOOK:
        return _("Import a codebook"), reverse("research:load_codebook", args=[slug])
    return _("Import a bundle or project"), reverse("research:load")


def why_refused(asked: BundleImport) -> str:
    """Return why a transcript was not read, in words."""
    said = [refusal_words(code, what) for code, _place, what in asked.problems]
    return " ".join(said) or _("We could not read this file. Upload it again.")


def _problems(asked: BundleImport) -> list[ProblemGroup]:
    is_transcript = asked.kind == BundleImport.Kind.TRANSCRIPT
    if is_transcript and asked.state == BundleImport.State.REFUSED:
        said = [refusal_words(code, what) for code, _place, what in asked.problems]
        return [ProblemGroup(shown=said, folded=[])]
    return by_kind(asked.problems)

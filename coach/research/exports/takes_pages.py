"""Content of the page of a study's takes, with those excluded by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest

from coach.lib.pages.paging import part_of
from coach.rehearsals.models import Rehearsal
from coach.research.exports.bundle.scope import Included, TakeKey, last_change
from coach.research.exports.names import row_name
from coach.research.studies.models import LeftOut, Pseudonym, Study

TAKES_A_PAGE = 100
"""A rule of thumb."""


def included_now(study: Study) -> Included:
    """Return what an export would contain now."""
    return Included(study=study, cut_off=study.cut_off or last_change(study))


def takes_page(request: HttpRequest, study: Study) -> dict[str, Any]:
    """Return a page of takes by person and number, with the excluded ones and the reasons."""
    included = included_now(study)
    takes = sorted(included.take_keys, key=lambda take: (take.person.name, take.number))
    shown, paging = part_of(request, takes, size=TAKES_A_PAGE)
    made = Rehearsal.objects.filter(pk__in=[take.rehearsal for take in shown])
    moments = dict(made.values_list("pk", "created_at"))
    return {
        "study": study,
        "takes": [
            _row(take, moments[take.rehearsal]) for take in shown if take.rehearsal in moments
        ],
        "paging": paging,
        "left_out": _left_out(study),
    }


def _row(take: TakeKey, made_at: datetime) -> dict[str, Any]:
    return {
        "name": take.name,
        "person": take.person.name,
        "number": take.number,
        "day": take.person.day(made_at),
    }


def _left_out(study: Study) -> list[dict[str, Any]]:
    people = dict(
        Pseudonym.objects.filter(study=study).values_list("user", "participant__pseudonym")
    )
    key = bytes(study.secret.key)
    rows = LeftOut.objects.filter(study=study).select_related("rehearsal", "by").order_by("at")
    return [
        {
            "pk": each.pk,
            "name": f"R-{row_name(key, 'rehearsal', each.rehearsal_id)}",
            "person": people.get(each.rehearsal.owner_id, ""),
            "reason": each.reason,
            "by": each.by,
        }
        for each in rows
    ]

"""Table of consents: who agreed to what, and recording the answers of several people at once."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest
from coach.research.studies.consent_table import (
    asked_scopes,
    consent_rows,
    sheet_key,
    table_counts,
)
from coach.research.studies.forms import ConsentFilterForm, NotedConsentForm
from coach.research.studies.models import Study
from coach.research.studies.noted_consents import add_without_account, note_consents
from coach.research.studies.selectors import (
    by_text,
    may_export,
    may_redact,
    newest_sheets,
    studies_for,
    without_account,
)


@require_http_methods(["GET", "POST"])
@researchers_only
def consents(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the consents of a study by pseudonym; leads and redactors record answers on paper."""
    study = get_object_or_404(studies_for(request.user), slug=slug)
    notes = may_redact(request.user, study)
    if not notes and (request.method == "POST" or not may_export(request.user, study)):
        raise Http404
    people, sheets = without_account(study), by_text(newest_sheets(study))
    interview = _interview(request, study)
    initial = {"said_on": interview.held_on if interview else timezone.localdate()}
    spoken = [g for g in sheets if interview and g[0].language == interview.language]
    if spoken:
        initial["sheet"] = sheet_key(spoken[0])
    form = NotedConsentForm(request.POST or None, sheets=sheets, people=people, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            _note(request, study, form)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect(request.get_full_path())
    return _page(request, study, form if notes and sheets else None, interview)


def _interview(request: SignedInRequest, study: Study) -> Any:
    """Return the interview whose speakers are asked for; None for everybody."""
    number = request.GET.get("interview", "")
    known = number.isdecimal() and len(number) < 6  # numbers are short
    return get_object_or_404(study.interviews, number=int(number)) if known else None


@transaction.atomic
def _note(request: SignedInRequest, study: Study, form: NotedConsentForm) -> None:
    group, people = form.cleaned_data["new"], form.people
    if group:
        people.append(add_without_account(study=study, group=group))
    changed = note_consents(study=study, people=people, answer=form.noted(), actor=request.user)
    words = ngettext("Saved: %(n)d consent changed.", "Saved: %(n)d consents changed.", changed)
    messages.success(request, words % {"n": changed})
    if group:
        words = _("%(pseudonym)s now takes part. Write this pseudonym on the consent form.")
        messages.success(request, words % {"pseudonym": people[-1].pseudonym})


def _page(
    request: SignedInRequest, study: Study, form: NotedConsentForm | None, interview: Any
) -> HttpResponse:
    scopes = asked_scopes(study)
    asked = ConsentFilterForm(request.GET, scopes=scopes)
    chosen = asked.cleaned_data if asked.is_valid() else {"scope": "", "state": ""}
    everybody = consent_rows(study, scopes, interview=interview)
    rows = [each for each in everybody if each.is_shown(chosen["scope"], chosen["state"])]
    # The speakers of one interview are ticked at first.
    ticked = [str(each.person.pk) for each in rows] if interview else []
    context = {
        "study": study,
        "form": form,
        "filter": asked,
        "interview": interview,
        "columns": list(zip(scopes, table_counts(everybody), strict=False)),
        "rows": rows,
        "all": len(everybody),
        "ticked": form.ticked if form and form.is_bound else ticked,
    }
    status = 422 if form and form.errors else 200
    return render(request, "research/studies/consents.html", context, status=status)

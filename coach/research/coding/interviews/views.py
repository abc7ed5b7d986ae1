"""Views of interviews: list, import, guide. `exports.document_views` reads files."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest
from coach.research.coding.interviews.forms import (
    GuideForm,
    ImportInterviewForm,
    NamesForm,
)
from coach.research.coding.interviews.many import MOST_LINES
from coach.research.coding.interviews.pages import interview_rows, preview_page, recording_rows
from coach.research.coding.interviews.redaction_forms import SpeakersForm
from coach.research.coding.interviews.selectors import (
    studies_redacted_by,
    transcripts_for,
    unnamed_interviews,
)
from coach.research.coding.interviews.services import (
    drop_transcript,
    set_known_names,
    take_in,
    write_guide,
)
from coach.research.coding.interviews.speakers import save_speakers
from coach.research.coding.interviews.voices import likely_language, parsed_transcript
from coach.research.coding.models import Transcript
from coach.research.studies.selectors import leads, may_redact, studies_for


@require_GET
@researchers_only
def interviews(request: SignedInRequest, slug: str) -> HttpResponse:
    """List the interviews of a study, with the remaining work on each."""
    study = get_object_or_404(studies_for(request.user), slug=slug)
    rows = interview_rows(study, request.user)
    context = {
        "study": study,
        "rows": rows,
        "unnamed": sum(bool(each.unknown) and not each.has_left for each in rows),  # type: ignore[attr-defined]
        "waiting": transcripts_for(request.user).filter(study=study).count(),
        "may_redact": may_redact(request.user, study),
        "recordings": recording_rows(study) if may_redact(request.user, study) else [],
        "leads": leads(request.user, study),
        "guides": study.guides.all(),
    }
    return render(request, "research/interviews/list.html", context)


@require_http_methods(["GET", "POST"])
@researchers_only
def transcript(request: SignedInRequest, transcript_id: UUID) -> HttpResponse:
    """Show the parsed file and its speakers, then import or delete it."""
    found = get_object_or_404(transcripts_for(request.user), pk=transcript_id)
    step = request.POST.get("step", "")
    if step == "drop":
        drop_transcript(transcript=found, actor=request.user)
        messages.success(request, _("File deleted. Nothing was imported."))
        return redirect("research:interviews", found.study.slug)
    if step in {"also", "never"}:
        return _named(request, found, step)
    seen = parsed_transcript(found.document)
    form = ImportInterviewForm(
        request.POST if step == "take" else None,
        study=found.study,
        seen=seen,
        language=likely_language(seen) or request.user.language,
    )
    if step == "take" and form.is_valid() and (done := _taken_in(request, found, form)):
        return done
    return render(request, "research/interviews/preview.html", preview_page(found, form))


def _named(request: SignedInRequest, found: Transcript, step: str) -> HttpResponse:
    form = NamesForm({"also": request.POST.get("names", "")})
    if form.is_valid():
        names = form.cleaned_data["also"]
        set_known_names(
            transcript=found,
            also=names if step == "also" else [],
            never=names if step == "never" else [],
            actor=request.user,
        )
    return redirect("research:transcript", found.pk)


def _taken_in(
    request: SignedInRequest, found: Transcript, form: ImportInterviewForm
) -> HttpResponse | None:
    try:
        made = take_in(
            transcript=found,
            heading=form.heading(),
            same_as=form.same_as(),
            parts=form.parts(),
            turns=form.whose(),
            actor=request.user,
        )
    except ValidationError as error:
        form.add_error(None, error)
        return None
    messages.success(request, _("%(label)s imported.") % {"label": made.label})
    return redirect("research:redact", made.study.slug, made.number)


@require_http_methods(["GET", "POST"])
@researchers_only
def unnamed(request: SignedInRequest, slug: str) -> HttpResponse:
    """Name the speakers of several interviews at once."""
    study = get_object_or_404(studies_redacted_by(request.user), slug=slug)
    waiting = unnamed_interviews(study)
    forms = [
        SpeakersForm(request.POST or None, interview=each, prefix=str(each.number))
        for each in waiting[:MOST_LINES]
    ]
    changed = [form for form in forms if request.method == "POST" and form.has_changed()]
    right = [form for form in changed if form.is_valid()]
    for form in right:
        save_speakers(
            interview=form.interview,
            said=form.said(),
            actor=request.user,
            language=form.cleaned_data["language"],
        )
    if right:
        messages.success(request, _("Saved."))
    if request.method == "POST" and len(right) == len(changed):
        done = not waiting.exists()
        return redirect("research:interviews" if done else "research:unnamed", slug)
    context = {
        "study": study,
        "forms": [form for form in forms if form not in right],
        "more": max(waiting.count() - len(forms), 0),
    }
    return render(request, "research/interviews/unnamed.html", context)


@require_http_methods(["GET", "POST"])
@researchers_only
def guide(request: SignedInRequest, slug: str) -> HttpResponse:
    """Save a version of the interview guide."""
    study = get_object_or_404(studies_for(request.user), slug=slug)
    if not leads(request.user, study):
        raise Http404
    newest = study.guides.first()
    form = GuideForm(request.POST or None, initial={"text": newest.text if newest else ""})
    if request.method == "POST" and form.is_valid():
        write_guide(study=study, actor=request.user, **form.cleaned_data)
        return redirect("research:interviews", study.slug)
    context = {"form": form, "title": _("Write the interview guide"), "study": study}
    return render(request, "research/studies/form.html", context)

"""Import of transcripts: files are uploaded, one or many, and imported from one table."""

from __future__ import annotations

from time import monotonic
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest
from coach.research.coding.interviews.forms import TranscriptForm
from coach.research.coding.interviews.many import CommonForm, TranscriptLine, lines_of
from coach.research.coding.interviews.reading import READ_BY_WORKERS, NotATranscript, check_file
from coach.research.coding.interviews.selectors import studies_redacted_by, transcripts_for
from coach.research.coding.interviews.services import read_transcript, take_in
from coach.research.coding.interviews.words import refusal_words
from coach.research.exports.document_pages import sent_files, why_refused
from coach.research.exports.document_views import send_to_worker
from coach.research.exports.models import BundleImport
from coach.research.exports.services import note_refused
from coach.research.studies.models import Study

_BEGINNING: Final = 8
"""Number of bytes that identify a file type."""
_NOT_READ: Final = (BundleImport.State.REFUSED, BundleImport.State.FAILED)
_SECONDS: Final = 20.0
"""Time for one press (rule of thumb); what is left then stays ticked."""


@require_http_methods(["GET", "POST"])
@researchers_only
def new_interview(request: SignedInRequest, slug: str) -> HttpResponse:
    """Upload transcripts, and import those that are ready; the others stay."""
    study = get_object_or_404(studies_redacted_by(request.user), slug=slug)
    form = TranscriptForm()
    if request.method == "POST" and request.POST.get("step") == "take":
        return _take(request, study)
    if request.method == "POST":
        form = TranscriptForm(request.POST, request.FILES)
        if form.is_valid() and (answer := _uploaded(request, study, form)):
            return answer
    return _page(request, study, form=form)


def _uploaded(request: SignedInRequest, study: Study, form: TranscriptForm) -> HttpResponse | None:
    """Read the files; one alone has its own page, several are listed with what was refused."""
    files = form.cleaned_data["file"]
    answers = []
    for file in files:
        try:
            answers.append(_transcript(request, study, file))
        except NotATranscript as problem:
            words = refusal_words(problem.code, problem.what)
            if len(files) > 1:
                note_refused(study=study, name=file.name, problem=problem, actor=request.user)
            else:
                form.add_error("file", words)
        except ValidationError as error:
            form.add_error("file", f"{file.name}: {error.messages[0]}")
    if form.errors:
        return None
    return answers[0] if len(files) == 1 else redirect("research:new_interview", study.slug)


def _transcript(request: SignedInRequest, study: Study, file: UploadedFile[Any]) -> HttpResponse:
    name = file.name or ""
    beginning = file.read(_BEGINNING)
    file.seek(0)
    if check_file(name, file.size or 0, beginning) in READ_BY_WORKERS:
        kind = BundleImport.Kind.TRANSCRIPT
        asked = send_to_worker(request, file, name=name, study=study, kind=kind)
        return redirect("research:loading", asked.pk)
    read = read_transcript(study=study, name=name, content=file.read(), actor=request.user)
    return redirect("research:transcript", read.pk)


def _page(
    request: SignedInRequest,
    study: Study,
    *,
    form: TranscriptForm,
    common: CommonForm | None = None,
    lines: list[TranscriptLine] | None = None,
) -> HttpResponse:
    waiting = transcripts_for(request.user).filter(study=study)
    sent = sent_files(request.user, study, BundleImport.Kind.TRANSCRIPT)
    common = common or CommonForm(study=study)
    if lines is None:
        lines = lines_of(study, waiting, language=request.user.language, common=common)
    context = {
        "study": study,
        "form": form,
        "common": common,
        "lines": lines,
        "more": waiting.count() - len(lines),
        "reading": [each for each in sent if each.state in BundleImport.GOING_ON],
        "refused": [(each, why_refused(each)) for each in sent if each.state in _NOT_READ],
    }
    if request.htmx:
        return render(request, "research/interviews/_reading.html", context)
    status = 422 if form.errors else 200
    return render(request, "research/interviews/import.html", context, status=status)


def _take(request: SignedInRequest, study: Study) -> HttpResponse:
    """Import the ticked files that are ready; show the others with what is missing."""
    common = CommonForm(request.POST, study=study)
    waiting = transcripts_for(request.user).filter(study=study)
    lines = lines_of(
        study, waiting, language=request.user.language, common=common, data=request.POST
    )
    done, until = [], monotonic() + _SECONDS
    for line in lines:
        if line.form.is_ticked and monotonic() < until and line.form.is_valid():
            try:
                done.append(_take_line(line, request))
            except ValidationError as error:
                line.problems.append(error.messages[0])
        elif line.form.is_ticked:
            line.problems += [
                str(words) for errors in line.form.errors.values() for words in errors
            ]
    left = [line for line in lines if line not in done]
    if done:
        words = ngettext("%(n)d interview imported.", "%(n)d interviews imported.", len(done))
        messages.success(request, words % {"n": len(done)})
    if not left:
        return redirect("research:interviews", study.slug)
    if not done and not any(line.problems for line in left):
        messages.error(request, _("Tick the files to import first."))
    return _page(request, study, form=TranscriptForm(), common=common, lines=left)


def _take_line(line: TranscriptLine, request: SignedInRequest) -> TranscriptLine:
    take_in(
        transcript=line.transcript,
        heading=line.form.heading(),
        same_as={},
        parts=line.form.parts(),
        turns={},
        actor=request.user,
    )
    return line

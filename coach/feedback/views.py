"""The trainee's pages: takes, the progress of an analysis, the report."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HTMX_STOP_POLLING, HttpResponseClientRedirect

from coach.feedback.answers import answer_alone, answer_camera, correct_talk
from coach.feedback.corrected_reports import report_read_by
from coach.feedback.forms import (
    AnswerForm,
    CorrectionForm,
    DisputeForm,
    PartForm,
    QuestionForm,
    SendForm,
    WaitingForm,
    answers_from,
)
from coach.feedback.messages import (
    answer,
    ask_about_item,
    dispute_item,
    stand_by_dispute,
    withdraw_dispute,
    withdraw_question,
)
from coach.feedback.models import Item, Run
from coach.feedback.pages.analysing import (
    WAITED,
    analysing_page,
    report_after_waiting,
    told_before,
)
from coach.feedback.pages.extensions import (
    REPORT_ROWS,
    page_before_report,
    parts_while_waiting,
)
from coach.feedback.pages.owner_actions import answered_meanwhile_words, taken_back_words
from coach.feedback.pages.owner_questions import thanks_for
from coach.feedback.pages.report import report_page, with_refused_part
from coach.feedback.pages.report_words import corrected_words, noted_words
from coach.feedback.pages.takes import takes_page, talk_page
from coach.feedback.pages.transcript import captions as webvtt
from coach.feedback.paper import report_as_pdf
from coach.feedback.selectors import (
    is_sent,
    is_waiting,
    items_for_owner,
    latest_report_run,
    latest_run,
    questions_to,
)
from coach.feedback.services import (
    analyse_in_language,
    mark_parts,
    send_take,
)
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest, attachment, uuid_of
from coach.notices.services import note_seen
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import (
    own_rehearsals_for,
    own_talks_for,
    readable_rehearsals_for,
    rehearsals_for,
)
from coach.rehearsals.services import (
    note_ease,
    note_opened,
    read_now,
    record_glance,
    record_viewing,
    withdraw_from_coach,
)


@require_GET
@login_required
def takes(request: SignedInRequest) -> HttpResponse:
    """Show the trainee's takes."""
    return render(request, "feedback/takes.html", {"page": takes_page(request)})


@require_GET
@login_required
def talk(request: SignedInRequest, talk_id: UUID) -> HttpResponse:
    """Show all takes of one talk."""
    own = get_object_or_404(own_talks_for(request.user), pk=talk_id)
    return render(request, "feedback/talk.html", {"page": talk_page(request, own)})


@require_GET
@login_required
def analysing(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the stages of the newest run, or redirect to the report once it is done."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    run = latest_run(rehearsal)
    if run is None or run.state == Run.State.DONE:
        return redirect("feedback:report", rehearsal_id)
    context = {
        "page": analysing_page(rehearsal, run),
        "take": rehearsal,
        "form": WaitingForm(initial=answers_from(rehearsal)),
        "parts": parts_while_waiting(rehearsal),
    }
    return render(request, "feedback/analysing.html", context)


@require_GET
@login_required
def analysing_now(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Return the progress that the analysis page polls every two seconds."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    run = latest_run(rehearsal)
    # A person who is writing on the page is not taken away from it.
    if run is None or (run.state == Run.State.DONE and "stay" not in request.GET):
        return HttpResponseClientRedirect(report_after_waiting(rehearsal_id))
    page = analysing_page(rehearsal, run, told_before(request.GET))
    response = render(request, "feedback/_analysing.html", {"page": page})
    if page.finished:
        response.status_code = HTMX_STOP_POLLING
    return response


@require_GET
@login_required
def report(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the report to its owner and to the users who have access."""
    readable = readable_rehearsals_for(request.user).select_related(
        "owner__profile", "cohort", *REPORT_ROWS
    )
    rehearsal = get_object_or_404(readable, pk=rehearsal_id)
    run = latest_report_run(rehearsal)
    if run is None:
        return redirect("feedback:analysing", rehearsal_id)
    first = "" if WAITED in request.GET else page_before_report(rehearsal, request.user)
    if first:
        return redirect(first)
    record_viewing(rehearsal=rehearsal, viewer=request.user, what="report")
    note_seen(person=request.user, rehearsal=rehearsal)
    if rehearsal.owner_id == request.user.pk:
        note_opened(rehearsal=rehearsal)
    page = report_page(rehearsal, run, reader=request.user)
    return render(request, "feedback/report.html", {"page": page})


@require_GET
@login_required
def report_pdf(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Download the report as a PDF."""
    readable = readable_rehearsals_for(request.user).select_related("owner", "cohort")
    rehearsal = get_object_or_404(readable, pk=rehearsal_id)
    run = latest_report_run(rehearsal)
    if run is None:
        return redirect("feedback:analysing", rehearsal_id)
    record_viewing(rehearsal=rehearsal, viewer=request.user, what="report")
    content = report_as_pdf(report_page(rehearsal, run, reader=request.user))
    name = f"{slugify(rehearsal.title) or 'rehearsal'}.pdf"
    headers = attachment(name)
    return HttpResponse(content, content_type="application/pdf", headers=headers)


@require_GET
@login_required
def captions(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Serve the transcript as WebVTT."""
    rehearsal = get_object_or_404(rehearsals_for(request.user), pk=rehearsal_id)
    record_glance(rehearsal=rehearsal, viewer=request.user)
    run = latest_report_run(rehearsal)
    report = report_read_by(request.user, rehearsal, run) if run else None
    text = webvtt(report) if report else "WEBVTT\n"
    return HttpResponse(text, content_type="text/vtt; charset=utf-8")


def _to_report(rehearsal_id: UUID, *, place: str = "") -> HttpResponseRedirect:
    """Redirect to the report, at the place where the user was reading."""
    return HttpResponseRedirect(reverse("feedback:report", args=[rehearsal_id]) + place)


@require_POST
@login_required
def send(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Send this take to the coach."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    form = SendForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return _to_report(rehearsal_id)
    try:
        send_take(rehearsal=rehearsal, **form.cleaned_data)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(
            request, _("Sent. Your coach can now open this take; you can withdraw it.")
        )
    return _to_report(rehearsal_id)


@require_POST
@login_required
def withdraw(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Withdraw the take; `back` is the newer take from whose page this was requested."""
    own = own_rehearsals_for(request.user)
    rehearsal = get_object_or_404(own, pk=rehearsal_id)
    key = uuid_of(request.POST.get("back", ""))
    back = own.filter(pk=key).exclude(pk=rehearsal_id).first() if key else None
    if back is not None and is_sent(rehearsal) and not is_waiting(rehearsal):
        # It was answered since that page was made, and a withdrawal would be final.
        messages.info(request, answered_meanwhile_words(rehearsal))
        return _to_report(rehearsal_id)
    withdraw_from_coach(rehearsal=rehearsal)
    if back is not None:
        messages.success(request, taken_back_words(rehearsal, stays=is_sent(back)))
        return _to_report(back.pk)
    messages.success(
        request,
        _("Withdrawn. This take is private again; your coaches can no longer open it."),
    )
    return _to_report(rehearsal_id)


@require_POST
@login_required
def read_without_waiting(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the findings although the owner had chosen to wait for a coach."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    read_now(rehearsal=rehearsal)
    return _to_report(rehearsal_id)


@require_POST
@login_required
def ease(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Save how easy speaking felt, visible to the owner only."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    try:
        note_ease(rehearsal=rehearsal, after=request.POST.get("after", ""))
        messages.success(request, _("Saved. Only you can see this."))
    except ValidationError:
        messages.error(request, _("This choice does not exist. Nothing was changed."))
    return _to_report(rehearsal_id, place="#ease")


@require_POST
@login_required
def retry(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Start the analysis again, optionally in another language."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    language = request.POST.get("language") or rehearsal.language
    try:
        analyse_in_language(rehearsal=rehearsal, language=language, actor=request.user)
    except ValidationError as error:
        messages.info(request, error.messages[0])
    return redirect("feedback:analysing", rehearsal_id)


@require_POST
@login_required
def part(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Measure only the parts of the recording that the trainee marked."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    form = PartForm(request.POST)
    problem = ""
    if form.is_valid():
        try:
            mark_parts(rehearsal=rehearsal, parts=form.parts(), actor=request.user)
        except ValidationError as error:
            problem = error.messages[0]
    if problem or not form.is_valid():
        return _refused_part(request, rehearsal, form, problem)
    return redirect("feedback:analysing", rehearsal_id)


def _refused_part(
    request: SignedInRequest, rehearsal: Rehearsal, form: PartForm, problem: str
) -> HttpResponse:
    """Show the report with the form for parts as it was submitted, and its error."""
    run = latest_report_run(rehearsal)
    if run is None:
        messages.error(request, problem or first_error(form))
        return redirect("feedback:analysing", rehearsal.pk)
    page = report_page(rehearsal, run, reader=request.user)
    refused = with_refused_part(page, typed=form, problem=problem)
    return render(request, "feedback/report.html", {"page": refused}, status=422)


@require_http_methods(["GET", "POST"])
@login_required
def correct(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Correct the details of a talk, and redraft the feedback."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    form = CorrectionForm(request.POST or None, initial=answers_from(rehearsal))
    if request.method == "POST" and form.is_valid():
        try:
            is_anew = correct_talk(
                rehearsal=rehearsal, correction=form.correction(rehearsal), actor=request.user
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, corrected_words(is_anew=is_anew))
            return _to_report(rehearsal_id)
    context = {"form": form, "take": rehearsal}
    return render(request, "feedback/correct.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def about(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Save the answers about a talk during its analysis, and say so."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    form = WaitingForm(request.POST)
    problem = "" if form.is_valid() else first_error(form)
    if not problem:
        try:
            correct_talk(
                rehearsal=rehearsal, correction=form.correction(rehearsal), actor=request.user
            )
        except ValidationError as error:
            problem = error.messages[0]
    if not request.htmx:
        return redirect("feedback:analysing", rehearsal_id)
    is_late = not problem and form.cleaned_data["setting"] != rehearsal.setting
    context = {"problem": problem, "take": rehearsal, "is_late": is_late}
    return render(request, "feedback/_about_saved.html", context)


@require_POST
@login_required
def alone(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Save or withdraw the answer that the owner was alone, and analyse again."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    answer = request.POST.get("answer", "")
    try:
        answer_alone(rehearsal=rehearsal, answer=answer, actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return _to_report(rehearsal_id)
    return redirect("feedback:analysing", rehearsal_id)


@require_POST
@login_required
def camera(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Save or withdraw the answer about the camera position."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    answer = request.POST.get("answer", "")
    try:
        answer_camera(rehearsal=rehearsal, answer=answer, actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, thanks_for(answer))
    return _to_report(rehearsal_id)


def _own_item(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> Item:
    items = items_for_owner(request.user).filter(feedback__rehearsal=rehearsal_id)
    return get_object_or_404(items.select_related("feedback__rehearsal"), pk=item_id)


@require_POST
@login_required
def dispute(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Save a disagreement with an item."""
    item = _own_item(request, rehearsal_id, item_id)
    form = DisputeForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return _to_report(rehearsal_id, place=f"#card-{item_id}")
    try:
        dispute_item(item=item, owner=request.user, **form.cleaned_data)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, noted_words(item.feedback))
    return _to_report(rehearsal_id, place=f"#card-{item_id}")


@require_POST
@login_required
def undo_dispute(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Withdraw a disagreement with an item."""
    withdraw_dispute(item=_own_item(request, rehearsal_id, item_id), owner=request.user)
    messages.success(request, _("Disagreement withdrawn."))
    return _to_report(rehearsal_id, place=f"#card-{item_id}")


@require_POST
@login_required
def redo_dispute(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Restore a withdrawn disagreement that a coach had answered."""
    stand_by_dispute(item=_own_item(request, rehearsal_id, item_id), owner=request.user)
    messages.success(request, _("Disagreement restored."))
    return _to_report(rehearsal_id, place=f"#card-{item_id}")


@require_POST
@login_required
def ask(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Ask the coach a question about an item."""
    item = _own_item(request, rehearsal_id, item_id)
    form = QuestionForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return _to_report(rehearsal_id, place=f"#card-{item_id}")
    try:
        ask_about_item(item=item, owner=request.user, text=form.cleaned_data["text"])
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(
            request, _("Question sent. We notify you here and by email when your coach answers.")
        )
    return _to_report(rehearsal_id, place=f"#card-{item_id}")


@require_POST
@login_required
def undo_ask(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Withdraw a question about an item."""
    withdraw_question(item=_own_item(request, rehearsal_id, item_id), owner=request.user)
    messages.success(request, _("Question withdrawn."))
    return _to_report(rehearsal_id, place=f"#card-{item_id}")


@require_POST
@login_required
def answer_coach(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Answer the coach's question before the release."""
    asked = questions_to(request.user).filter(rehearsal=rehearsal_id).order_by("-at")
    question = get_object_or_404(asked[:1])
    form = AnswerForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return _to_report(rehearsal_id, place="#asked")
    try:
        answer(said=question, by=request.user, text=form.cleaned_data["text"])
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("Sent. Your coach continues with your take."))
    return _to_report(rehearsal_id, place="#asked")

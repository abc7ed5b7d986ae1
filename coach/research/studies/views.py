"""Views of studies, for members and participants."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.accounts.access import researchers_only
from coach.accounts.models import Language
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.research.studies.allocation import set_conditions
from coach.research.studies.forms import (
    AnswersForm,
    ConditionsForm,
    ExperienceForm,
    MemberForm,
    QuestionnaireForm,
    SheetForm,
    StudyForm,
    WithdrawalForm,
)
from coach.research.studies.models import Participant, Study
from coach.research.studies.pages import asked_of
from coach.research.studies.questionnaires import QuestionnaireData, add_questionnaire
from coach.research.studies.scaffold import scaffold
from coach.research.studies.selectors import (
    leads,
    participant_called,
    participant_of,
    questionnaires_for,
    studies_for,
    studies_open_to,
)
from coach.research.studies.services import (
    change_study,
    close_study,
    create_study,
    remove_member,
    set_member,
    start_study,
    take_over_newest_models,
    take_over_newest_rules,
    unblind_study,
    write_sheets,
)
from coach.research.studies.taking_part import (
    leave_study,
    record_consents,
    send_answers,
)

_ANSWERS = {"yes": True, "no": False}


def study_led_by(request: SignedInRequest, slug: str) -> Study:
    """Return the study if the user leads it. Raises 404 otherwise."""
    study = get_object_or_404(studies_for(request.user), slug=slug)
    if not leads(request.user, study):
        raise Http404
    return study


def _form_page(
    request: SignedInRequest, form: object, title: str | Promise, study: Study | None = None
) -> HttpResponse:
    context = {"form": form, "title": title, "study": study}
    return render(request, "research/studies/form.html", context)


@require_http_methods(["GET", "POST"])
@researchers_only
def new(request: SignedInRequest) -> HttpResponse:
    """Create a study."""
    form = StudyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        study = create_study(study=form.save(commit=False), lead=request.user)
        form.save_m2m()
        return redirect("research:study", study.slug)
    return _form_page(request, form, _("Plan a study"))


@require_http_methods(["GET", "POST"])
@researchers_only
def edit(request: SignedInRequest, slug: str) -> HttpResponse:
    """Change the study's description."""
    study = study_led_by(request, slug)
    form = StudyForm(request.POST or None, instance=study)
    before = form.before()
    if request.method == "POST" and form.is_valid():
        change_study(study=form.save(commit=False), actor=request.user, before=before)
        form.save_m2m()
        messages.success(request, _("Saved."))
        return redirect("research:study", study.slug)
    return _form_page(request, form, _("Edit the study"), study)


@require_http_methods(["GET", "POST"])
@researchers_only
def sheet(request: SignedInRequest, slug: str) -> HttpResponse:
    """Write a version of an information sheet."""
    study = study_led_by(request, slug)
    begun = request.GET.get("headings", "")
    initial = {"text": scaffold(begun), "language": begun} if begun in Language.values else {}
    form = SheetForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        write_sheets(study=study, actor=request.user, **form.cleaned_data)
        return redirect("research:study", study.slug)
    title, languages = _("Write an information sheet"), () if initial else Language.choices
    context = {"form": form, "study": study, "title": title, "languages": languages}
    return render(request, "research/studies/sheet.html", context)


@require_http_methods(["GET", "POST"])
@researchers_only
def conditions(request: SignedInRequest, slug: str) -> HttpResponse:
    """Set the conditions of the study."""
    study = study_led_by(request, slug)
    form = ConditionsForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            set_conditions(study=study, names=form.pairs(), actor=request.user)
        except ValidationError as error:
            form.add_error("names", error)
        else:
            return redirect("research:study", study.slug)
    return _form_page(request, form, _("Set the conditions"), study)


@require_http_methods(["GET", "POST"])
@researchers_only
def questionnaire(request: SignedInRequest, slug: str) -> HttpResponse:
    """Add a questionnaire: own items, or a scale from a file."""
    study = study_led_by(request, slug)
    form = QuestionnaireForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        named = ("title", "moment", "language", "source", "terms")
        heading = QuestionnaireData(**{name: form.cleaned_data[name] for name in named})
        try:
            add_questionnaire(study=study, heading=heading, table=form.table(), actor=request.user)
        except ValidationError as error:
            form.add_error("questions", error)
        else:
            return redirect("research:study", study.slug)
    return _form_page(request, form, _("Add a questionnaire"), study)


@require_http_methods(["GET", "POST"])
@researchers_only
def member(request: SignedInRequest, slug: str) -> HttpResponse:
    """Add, change or remove a member."""
    study = study_led_by(request, slug)
    if request.POST.get("remove"):
        return _without_member(request, study)
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            set_member(study=study, actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return redirect("research:study", study.slug)
    return _form_page(request, form, _("Add a member"), study)


def _without_member(request: SignedInRequest, study: Study) -> HttpResponse:
    found = get_object_or_404(study.members, pk=_number(request.POST["remove"]))
    try:
        remove_member(member=found, actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("research:study", study.slug)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0  # keys are short


@require_http_methods(["GET", "POST"])
@researchers_only
def withdrawal(request: SignedInRequest, slug: str) -> HttpResponse:
    """Record a withdrawal made on paper or aloud."""
    study = study_led_by(request, slug)
    form = WithdrawalForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        participant = participant_called(study, form.cleaned_data["who"])
        if participant is None:
            form.add_error("who", _("No current participant has this name."))
        else:
            method = form.cleaned_data["method"]
            actor = request.user
            leave_study(participant=participant, actor=actor, method=method, recorded_by=actor)
            messages.success(request, _("Withdrawn. Their data is no longer used or exported."))
            return redirect("research:study", study.slug)
    return _form_page(request, form, _("Record a withdrawal"), study)


_STEPS: dict[str, Callable[..., None]] = {
    "start": start_study,
    "take_over_rules": take_over_newest_rules,
    "take_over_models": take_over_newest_models,
    "close": close_study,
    "unblind": unblind_study,
}


@require_POST
@do_not_replay
@researchers_only
def step(request: SignedInRequest, slug: str) -> HttpResponse:
    """Start, close, update or unblind the study."""
    study = study_led_by(request, slug)
    act = _STEPS.get(request.POST.get("step", ""))
    if act is None:
        raise Http404
    try:
        act(study=study, actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("research:study", study.slug)


@require_GET
@login_required
def mine(request: SignedInRequest) -> HttpResponse:
    """List the studies that the user may join or has joined."""
    rows = [
        {"study": study, "participant": participant_of(request.user, study)}
        for study in studies_open_to(request.user)
    ]
    return render(request, "research/studies/mine.html", {"rows": rows})


@require_http_methods(["GET", "POST"])
@login_required
def take_part(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show a study and record the user's consents."""
    study = get_object_or_404(studies_open_to(request.user), slug=slug)
    participant = participant_of(request.user, study)
    has_left = participant is not None and participant.withdrawn_at is not None
    if request.method == "POST" and not has_left:
        return _said(request, study)
    context = {
        "study": study,
        "participant": participant,
        "has_left": has_left,
        "rows": asked_of(study, request.user, participant),
        "form": ExperienceForm(),
        "waiting": questionnaires_for(participant, request.user.language)
        if participant and not has_left
        else [],
    }
    return render(request, "research/studies/take_part.html", context)


def _said(request: SignedInRequest, study: Study) -> HttpResponse:
    answers = {name: _ANSWERS[value] for name, value in request.POST.items() if value in _ANSWERS}
    if sheet := request.POST.get("sheet"):
        rows = asked_of(study, request.user, None)
        answers |= {row["scope"]: True for row in rows if row["sheet"] == sheet}
    form = ExperienceForm(request.POST)
    experience = form.cleaned_data["experience"] if form.is_valid() else ""
    try:
        found = record_consents(
            user=request.user, study=study, answers=answers, experience=experience
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("research:take_part", study.slug)
    messages.success(
        request,
        _("Your choice is saved. You can change it here at any time.")
        if found
        else _("You are not taking part. Nothing was stored, and nothing changes for you."),
    )
    return redirect("research:take_part", study.slug)


@require_POST
@do_not_replay
@login_required
def leave(request: SignedInRequest, slug: str) -> HttpResponse:
    """Leave a study, at once."""
    participant = _own_part(request, slug)
    leave_study(participant=participant, actor=request.user)
    messages.success(request, _("You have left the study. Your data will no longer be used."))
    return redirect("research:take_part", slug)


def _own_part(request: SignedInRequest, slug: str) -> Participant:
    study = get_object_or_404(studies_open_to(request.user), slug=slug)
    participant = participant_of(request.user, study)
    if participant is None or participant.withdrawn_at is not None:
        raise Http404
    return participant


@require_http_methods(["GET", "POST"])
@login_required
def answer(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Answer one questionnaire."""
    participant = _own_part(request, slug)
    waiting = {each.pk: each for each in questionnaires_for(participant, request.user.language)}
    if pk not in waiting:
        raise Http404
    form = AnswersForm(request.POST or None, questionnaire=waiting[pk])
    if request.method == "POST" and form.is_valid():
        send_answers(participant=participant, questionnaire=waiting[pk], answers=form.by_question())
        messages.success(request, _("Thank you. Your answers are saved under your pseudonym."))
        return redirect("research:take_part", slug)
    context = {"form": form, "questionnaire": waiting[pk], "study": participant.study}
    return render(request, "research/studies/answer.html", context)

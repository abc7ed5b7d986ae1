"""Views for excluding takes by hand, and for allowing words that are not names."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import Rehearsal
from coach.research.exports.bundle.guard.words import names_among
from coach.research.exports.takes_pages import included_now, takes_page
from coach.research.studies.exclusions import allow_words, leave_take_out, take_in_again
from coach.research.studies.forms import AllowedWordsForm, LeaveOutForm
from coach.research.studies.models import LeftOut, Study
from coach.research.studies.selectors import may_export, studies_for
from coach.research.studies.views import study_led_by


def _study(request: SignedInRequest, slug: str) -> Study:
    study: Study = get_object_or_404(studies_for(request.user), slug=slug)
    if not may_export(request.user, study):
        raise Http404
    return study


@require_http_methods(["GET", "POST"])
@researchers_only
def takes(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the takes; exclude one or include it again."""
    study = _study(request, slug)
    form = LeaveOutForm(request.POST or None)
    again = request.POST.get("again", "")
    if again.isdecimal() and len(again) < 19:
        rows = LeftOut.objects.filter(study=study)
        take_in_again(left_out=get_object_or_404(rows, pk=again), actor=request.user)
        return redirect("research:takes", slug)
    if request.method == "POST" and form.is_valid():
        _leave_out(request, study, **form.cleaned_data)
        return redirect("research:takes", slug)
    context = takes_page(request, study) | {"form": form}
    return render(request, "research/exports/takes.html", context)


def _leave_out(request: SignedInRequest, study: Study, *, take: str, reason: str) -> None:
    keys = [each.rehearsal for each in included_now(study).take_keys if each.name == take]
    found = Rehearsal.objects.filter(pk__in=keys).first()
    if found is None:
        messages.error(request, _("This take is not in the study."))
        return
    leave_take_out(study=study, rehearsal=found, reason=reason, actor=request.user)


@require_http_methods(["GET", "POST"])
@researchers_only
def words(request: SignedInRequest, slug: str) -> HttpResponse:
    """Save the words that an export may contain although they look like names."""
    study = study_led_by(request, slug)
    form = AllowedWordsForm(
        request.POST or None, initial={"words": "\n".join(study.innocent_words)}
    )
    if request.method == "POST" and form.is_valid():
        for name in names_among(study, form.cleaned_data["words"]):
            said = _("“%(name)s” is the name of a person in this study. Redact it instead.")
            form.add_error("words", said % {"name": within_quotes(name)})
    if request.method == "POST" and form.is_valid():
        allow_words(study=study, words=form.cleaned_data["words"], actor=request.user)
        messages.success(request, _("Saved."))
        return redirect("research:study", slug)
    context = {"form": form, "title": _("Allow words"), "study": study}
    return render(request, "research/studies/form.html", context)

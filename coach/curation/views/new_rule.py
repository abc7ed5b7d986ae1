"""Views of the six questions about a new rule."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from coach.accounts.access import curators_only
from coach.curation.new_rule.document import Answers, is_unfinished, rule_from
from coach.curation.new_rule.forms import AnswersForm, SubjectForm, subject_words
from coach.curation.new_rule.measures import known_of
from coach.curation.services import propose_new_rule
from coach.lib.web.http import SignedInRequest
from coach.lib.words.measure_words import plain_sentence


@require_GET
@curators_only
def new(request: SignedInRequest) -> HttpResponse:
    """Ask the first two questions; the answers stay in the address of the next page."""
    form = SubjectForm(request.GET or None)
    return render(request, "curation/new.html", {"form": form})


@require_http_methods(["GET", "POST"])
@curators_only
def answers(request: SignedInRequest) -> HttpResponse:
    """Ask the other questions, and propose the rule that the answers describe."""
    subject = SubjectForm(request.GET)
    if not subject.is_valid():
        return render(request, "curation/new.html", {"form": subject})
    about = subject.cleaned_data
    known = known_of(about["metric"], request.user)
    form = AnswersForm(request.POST or None, known=known, subject=about)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data["cases"]
        takes = tuple(each for each in known.own if each.id in chosen)
        given = Answers(subject=about, rest=form.cleaned_data, takes=takes)
        if (response := _propose(request, given, form)) is not None:
            return response
    context = {
        "form": form,
        "known": known,
        "subject": subject_words(about),
        "definition": plain_sentence(about["metric"]),
    }
    return render(request, "curation/new_answers.html", context)


def _propose(request: SignedInRequest, given: Answers, form: AnswersForm) -> HttpResponse | None:
    """Store the rule and open it in the editor, or return None with the problem in the form."""
    rule = rule_from(given)
    try:
        proposal = propose_new_rule(rule=rule, author=request.user)
    except ValidationError as error:
        form.add_error("id", error.messages[0])
        return None
    if rule.status == "draft":
        messages.success(request, _draft_words(unfinished=is_unfinished(rule)))
        return redirect("curation:edit", rule.id)
    messages.success(
        request,
        _("Proposed. Its cases hold and its words pass: start a dry run to see what it changes."),
    )
    return redirect("curation:proposal", proposal.pk)


def _draft_words(*, unfinished: bool) -> str:
    if unfinished:
        return _(
            "Saved as a draft. Texts with “…” are still to be written, here or by a colleague."
        )
    return _("Saved as a draft. The checks beside the form say what is left to do.")

"""Views of one interview: redaction, locking, speakers and questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from coach.accounts.access import researchers_only
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.research.coding.interviews.recording_consent import may_be_heard
from coach.research.coding.interviews.redaction.deciding import (
    base_text,
    decide,
    mark,
    mark_words,
    refresh_proposals,
)
from coach.research.coding.interviews.redaction.locking import delete_original, lock_interview
from coach.research.coding.interviews.redaction_forms import (
    DecisionForm,
    QuestionsForm,
    RedactSpanForm,
    RedactWordsForm,
    SpeakersForm,
)
from coach.research.coding.interviews.redaction_page import redaction_page, spoken_turns
from coach.research.coding.interviews.selectors import (
    interviews_for,
    locked_texts_for,
    names_are_kept,
    studies_redacted_by,
    texts_with_names_for,
)
from coach.research.coding.interviews.speakers import (
    people_on_paper,
    recorded_consents,
    save_questions,
    save_speakers,
)
from coach.research.coding.models import Interview, Redaction, Text
from coach.research.coding.selectors import interviews_left
from coach.research.coding.written import memos_on
from coach.research.studies.selectors import may_redact


@require_GET
@researchers_only
def interview(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Show one interview to the study's members: its text once it is locked."""
    found = get_object_or_404(interviews_for(request.user), study__slug=slug, number=number)
    return _interview_page(request, found)


def _interview_page(
    request: SignedInRequest, found: Interview, **refused: forms.Form
) -> HttpResponse:
    """Render the page, with a rejected form as it was filled in."""
    has_left = interviews_left().filter(pk=found.pk).exists()
    text = None if has_left else locked_texts_for(request.user).filter(interview=found).first()
    left = found.speakers.filter(participant__withdrawn_at__isnull=False)
    gone = set(left.values_list("pk", flat=True))
    redacts = may_redact(request.user, found.study)
    context: dict[str, Any] = {
        "interview": found,
        "study": found.study,
        "text": text,
        "has_left": has_left,
        "turns": [each for each in spoken_turns(text) if each.turn.speaker_id not in gone]
        if text
        else [],
        "memos": memos_on(found, request.user) if text else (),
        "may_redact": redacts,
        "has_original": names_are_kept(request.user, found),
        "has_raw": texts_with_names_for(request.user).filter(interview=found).exists(),
    }
    if redacts:
        context["may_listen"] = may_be_heard(found)
        context["form"] = SpeakersForm(interview=found)
        people = people_on_paper(found)
        context |= {"people_on_paper": people, "consents": recorded_consents(people)}
        if (base := base_text(found)) is not None:
            context["questions_form"] = QuestionsForm(interview=found, text=base)
        context |= refused
    status = 422 if refused else 200
    return render(request, "research/interviews/interview.html", context, status=status)


def _redacted(request: SignedInRequest, slug: str, number: int) -> tuple[Interview, Text]:
    """Return the interview and its text to redact, for members who may redact. Raises 404."""
    study = get_object_or_404(studies_redacted_by(request.user), slug=slug)
    found = get_object_or_404(Interview, study=study, number=number)
    text = base_text(found)
    if text is None:
        raise Http404
    return found, text


@require_http_methods(["GET", "POST"])
@researchers_only
def redact(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Show the proposals and save each decision or manual redaction at once."""
    found, text = _redacted(request, slug, number)
    problem = ""
    if request.method == "GET":
        refresh_proposals(text=text)
    else:
        try:
            _ACTS[request.POST.get("step", "")](request, text)
        except KeyError:
            raise Http404 from None
        except ValidationError as error:
            problem = error.messages[0]
        if not request.htmx and not problem:
            return redirect("research:redact", slug, number)
    context = redaction_page(found, text) | {"problem": problem}
    name = "_redaction" if request.htmx else "redact"
    return render(request, f"research/interviews/{name}.html", context)


def _decide(request: SignedInRequest, text: Text) -> None:
    form = DecisionForm(request.POST)
    if not form.is_valid():
        raise ValidationError(_("This request could not be read. Nothing was changed."))
    said = dict(form.cleaned_data)
    row = Redaction.objects.filter(text=text, pk=said.pop("of")).first()
    if row is None:
        raise ValidationError(_("The text has changed in the meantime. Reload the page."))
    decide(redaction=row, actor=request.user, **said)


def _seen(request: SignedInRequest, text: Text) -> None:
    """Raise ValidationError if the text has changed, since offsets refer to the text shown."""
    if request.POST.get("seen", text.sha256) != text.sha256:
        raise ValidationError(_("The text has changed in the meantime. Reload the page."))


def _mark(request: SignedInRequest, text: Text) -> None:
    _seen(request, text)
    form = RedactSpanForm(request.POST)
    if not form.is_valid():
        raise ValidationError(_("Select words in the text first."))
    said = dict(form.cleaned_data)
    span = (said.pop("start"), said.pop("end"))
    mark(text=text, spans=[span], actor=request.user, **said)


def _words(request: SignedInRequest, text: Text) -> None:
    form = RedactWordsForm(request.POST)
    if not form.is_valid():
        raise ValidationError(_("Enter the words to redact, one name per line."))
    if not mark_words(text=text, actor=request.user, **form.cleaned_data):
        raise ValidationError(_("These words do not occur in the text."))


def _left(request: SignedInRequest, text: Text) -> None:
    found = request.POST.get("found", "")
    if not found or not mark_words(
        text=text, words=[found], kind=Redaction.Kind.NAME, same_as="", actor=request.user
    ):
        raise ValidationError(_("These words do not occur in the text."))


def _turn(request: SignedInRequest, text: Text) -> None:
    _seen(request, text)
    number = request.POST.get("turn", "")
    wanted = int(number) if number.isdecimal() and len(number) < 8 else 0
    for spoken in spoken_turns(text):
        if spoken.turn.number == wanted:
            span = (spoken.start, spoken.turn.end)
            mark(text=text, spans=[span], kind=Redaction.Kind.OTHER, same_as="", actor=request.user)
            return
    raise ValidationError(_("Select words within a single turn."))


_ACTS: dict[str, Callable[[SignedInRequest, Text], None]] = {
    "decide": _decide,
    "mark": _mark,
    "words": _words,
    "left": _left,
    "turn": _turn,
}


@require_POST
@researchers_only
def lock(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Lock the redacted text."""
    found, _text = _redacted(request, slug, number)
    if not request.POST.get("read"):
        messages.error(request, _("Read the whole text first, then tick the box to confirm it."))
        return redirect("research:redact", slug, number)
    try:
        text = lock_interview(interview=found, actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("research:redact", slug, number)
    n = text.n_redactions
    said = ngettext(
        "Locked, with %(n)s redaction. It is ready to be coded.",
        "Locked, with %(n)s redactions. It is ready to be coded.",
        n,
    )
    messages.success(request, said % {"n": n})
    return redirect("research:interview", slug, number)


@require_POST
@do_not_replay
@researchers_only
def original(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Delete the original text now."""
    found, _text = _redacted(request, slug, number)
    if delete_original(interview=found, actor=request.user):
        messages.success(request, _("The original has been permanently deleted."))
    return redirect("research:interview", slug, number)


@require_POST
@researchers_only
def speakers(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Save the speakers."""
    found, _text = _redacted(request, slug, number)
    form = SpeakersForm(request.POST, interview=found)
    if form.is_valid():
        language = form.cleaned_data["language"]
        save_speakers(interview=found, said=form.said(), actor=request.user, language=language)
        messages.success(request, _("Saved."))
        return redirect("research:interview", slug, number)
    return _interview_page(request, found, form=form)


@require_POST
@researchers_only
def questions(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Save the question of the guide that each turn asks."""
    found, text = _redacted(request, slug, number)
    form = QuestionsForm(request.POST, interview=found, text=text)
    if form.is_valid():
        save_questions(interview=found, questions=form.said(), actor=request.user)
        messages.success(request, _("Saved."))
    else:
        messages.error(request, _("This request could not be read. Nothing was changed."))
    return redirect("research:interview", slug, number)

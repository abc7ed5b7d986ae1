"""Messages on the review page, from trainee, colleagues and site; questions and answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from analysis.metrics import PROFILE_FAMILIES
from analysis.results import Report
from coach.accounts.models import User
from coach.accounts.profile import Profile, Respect
from coach.accounts.selectors import profile_of
from coach.feedback.forms import AnswerForm, QuestionForm
from coach.feedback.messages import answer, ask_trainee, go_on_without_answer
from coach.feedback.models import Dispute, Question
from coach.feedback.pages.measures import FAMILY_LABELS
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest
from coach.lib.words.dates import date_words
from coach.lib.words.measure_words import label_of
from coach.lib.words.punctuation import within_quotes
from coach.practice.key_messages.page import KeyMessagesPart, key_messages_part
from coach.practice.self_assessment.page import SelfAssessmentSummary, self_assessment_summary
from coach.practice.self_assessment.selectors import assessment_for_coach
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.selectors import standing_grant
from coach.review.access import reviewed_by, try_to_claim
from coach.review.forms import written
from coach.review.models import Review
from coach.review.selectors import newest_sent_to
from coach.review.services import keep_for
from feedback_rules.model import FIRST_LANGUAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class NewerTake:
    """A newer take of the same talk that the trainee has sent."""

    words: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskMessages:
    """The messages to a coach about a take."""

    newer: NewerTake | None
    handed_over: str
    """The message of the colleague who handed the take over; empty without one."""
    note: str
    """The trainee's note with the take."""
    said: SelfAssessmentSummary | None
    """The trainee's self-assessment, if the coach may read it."""
    wishes: tuple[str, ...]
    """The trainee's feedback preferences that differ from the defaults."""
    key_messages: KeyMessagesPart | None
    """The key messages of the talk with the trainee's answers."""

    def __bool__(self) -> bool:
        """Return whether there is any message."""
        shown = (self.newer, self.handed_over, self.note, self.said, self.wishes, self.key_messages)
        return any(shown)


def messages_to_coach(
    rehearsal: Rehearsal,
    review: Review | None,
    asked: Question | None,
    *,
    coach: User,
    is_draft: bool,
    report: Report,
) -> DeskMessages:
    """Return the messages to this coach; `asked` is the open question to the trainee."""
    grant = _grant_of(review) or standing_grant(rehearsal)
    return DeskMessages(
        newer=newer_take(rehearsal, coach) if is_draft else None,
        handed_over=_handed_words(review, coach, asked),
        note=grant.note if grant else "",
        said=said_to_coach(rehearsal),
        wishes=wishes_words(rehearsal),
        key_messages=key_messages_part(rehearsal, report, is_owner=False),
    )


def _grant_of(review: Review | None) -> AccessGrant | None:
    """Return the review's grant, or None if it is revoked; it was fetched with the review."""
    return review.grant if review is not None and review.grant.revoked_at is None else None


def _handed_words(review: Review | None, coach: User, asked: Question | None) -> str:
    """Return the colleague who handed the take over and the note; empty once it is answered."""
    if review is None or review.meant_for_id != coach.pk or review.grant.answered_at is not None:
        return ""
    if not review.handed_note and asked is not None and asked.asker_id == coach.pk:
        return ""  # kept for the coach who asked the trainee something
    giver = review.handed_by or _("A colleague")
    if review.handed_note:
        return _("%(giver)s handed this take to you: “%(note)s”") % {
            "giver": giver,
            "note": within_quotes(review.handed_note),
        }
    return _("%(giver)s handed this take to you.") % {"giver": giver}


def newer_words_of(reviews: Iterable[Any], coach: User) -> Mapping[UUID, str]:
    """Return a sentence for each queued take of which a newer one was sent."""
    takes = [each.rehearsal for each in reviews]
    newest = newest_sent_to(coach, {take.talk_id for take in takes}) if takes else {}
    return {
        take.pk: _("A newer take of this talk has been answered")
        if found.is_answered
        else _("A newer take of this talk is also waiting")
        for take in takes
        if (found := newest.get(take.talk_id)) and found.created_at > take.created_at
    }


def newer_take(take: Rehearsal, coach: User) -> NewerTake | None:
    """Return the newer take of this talk, or None if this is the newest."""
    found = newest_sent_to(coach, [take.talk_id]).get(take.talk_id)
    if found is None or found.created_at <= take.created_at:
        return None
    words = (
        _("%(name)s sent a newer take of this talk on %(date)s. It has already been answered.")
        if found.is_answered
        else _(
            "%(name)s sent a newer take of this talk on %(date)s. It is also waiting for review."
        )
    )
    return NewerTake(
        words=words % {"name": take.owner, "date": date_words(found.created_at)},
        url=reverse("review:desk", args=[found.take]),
    )


def wishes_words(take: Rehearsal) -> tuple[str, ...]:
    """Return a sentence for each preference that differs from the defaults."""
    return (*_left_out(take), *_read(take, profile_of(take.owner)))


def said_to_coach(take: Rehearsal) -> SelfAssessmentSummary | None:
    """Return the trainee's self-assessment if they share it, else None.

    It is not compared with the cards, because the coach has not decided on them yet.
    """
    found = assessment_for_coach(take)
    return self_assessment_summary(found, None) if found else None


def _left_out(take: Rehearsal) -> Iterator[str]:
    if take.disabled_families:
        families = sorted(
            {each for name in take.disabled_families for each in PROFILE_FAMILIES[name]}
        )
        named = ", ".join(str(FAMILY_LABELS[family]) for family in families)
        yield _("Not measured, at their request: %(named)s.") % {"named": named}
    if take.quiet:
        named = ", ".join(map(_quiet_words, take.quiet))
        yield _("Measured, but no cards shown, at their request: %(named)s.") % {"named": named}


def _quiet_words(name: str) -> str:
    if name == FIRST_LANGUAGE:
        return _("What is usual in a first language")
    return str(FAMILY_LABELS[name]) if name in FAMILY_LABELS else label_of(name)


def _read(take: Rehearsal, wishes: Profile) -> Iterator[str]:
    if take.waits_by_choice:
        yield _("They see none of this before you answer.")
    if wishes.gentle:
        yield _("They see strengths before anything to work on.")
    if wishes.reads_one_by_one:
        yield _("They see one card at a time, in this order.")
    if wishes.reads_words_first:
        yield _("They see words first; figures are one click away.")
    if wishes.coach_may_know and wishes.respects:
        said = "; ".join(str(Respect(each).label) for each in wishes.respects)
        yield _("They want you to know: “%(said)s”.") % {"said": within_quotes(said)}


@require_POST
@login_required
def ask(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Ask the trainee a question before the release; the reply time pauses."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = QuestionForm(request.POST)
    problem = try_to_claim(rehearsal, request.user)
    if not problem and not form.is_valid():
        problem = first_error(form)
    if not problem:
        try:
            ask_trainee(feedback=feedback, coach=request.user, text=form.cleaned_data["text"])
        except ValidationError as error:
            problem = error.messages[0]
    if problem:
        messages.error(request, problem)
        return redirect("review:desk", rehearsal_id)
    keep_for(rehearsal=rehearsal, coach=request.user)
    words = _(
        "Question sent. The reply time is paused until %(name)s answers, and we will "
        "notify you then."
    )
    messages.success(request, words % {"name": rehearsal.owner})
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def go_on(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Withdraw the question to the trainee."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    if problem:
        messages.error(request, problem)
    else:
        go_on_without_answer(feedback=feedback, coach=request.user)
        messages.success(request, _("Question withdrawn. The reply time is running again."))
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def answer_trainee(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Answer a question or disagreement of the trainee."""
    rehearsal, _feedback = reviewed_by(request.user, rehearsal_id)
    said = _what_was_said(request, rehearsal_id, item_id)
    try:
        text = written(AnswerForm(request.POST), "text")
        answer(said=said, by=request.user, text=text)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("Sent. %(name)s will be notified.") % {"name": rehearsal.owner})
    place = reverse("review:desk", args=[rehearsal_id])
    return HttpResponseRedirect(f"{place}#item-{item_id}")


def _what_was_said(
    request: SignedInRequest, rehearsal_id: UUID, item_id: UUID
) -> Dispute | Question:
    """Return the message to answer, even if a colleague has answered it in the meantime."""
    match request.POST.get("what"):
        case "dispute":
            on_take = Dispute.objects.filter(item__feedback__rehearsal=rehearsal_id)
            return get_object_or_404(on_take, item=item_id)
        case "question":
            return get_object_or_404(Question, item=item_id, rehearsal=rehearsal_id)
    raise Http404

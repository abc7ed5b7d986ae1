"""Services for questions after a talk: begin, answer, skip, repeat, share, comment, write."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from analysis.metrics import FAMILIES
from coach.accounts.models import Purpose, User
from coach.accounts.selectors import has_consent
from coach.audit.services import record_act
from coach.feedback.models import Run
from coach.feedback.reports import report_of
from coach.feedback.selectors import latest_run
from coach.feedback.services import start_run
from coach.notices.models import Kind as NoticeKind
from coach.notices.services import notify
from coach.questions.choice import choose_questions, language_of
from coach.questions.models import (
    MOST_CHARACTERS,
    AskedQuestion,
    QuestionKind,
    QuestionLanguage,
    QuestionSession,
    WrittenQuestion,
)
from coach.questions.results import nearest_start
from coach.questions.selectors import coached_groups
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal, Talk, Upload
from coach.rehearsals.services import delete_rehearsal, lock_rehearsal
from coach.rehearsals.talk_context import context_of_take
from coach.slides.selectors import titles_of
from coach.uploads.services import UploadGone
from coach.uploads.storing import Again, submit_rehearsal

MEASURED = frozenset({"signal", "pace", "pauses", "fillers", "wording"})
"""The families of which an answer's page shows something; the picture is not analysed."""


def answering_obstacle(take: Rehearsal) -> str:
    """Return why no answer can be recorded now; empty if one can."""
    if not has_consent(take.owner, purpose=Purpose.ANALYSIS):
        # Submitting a new take gives consent and says so; this page does not say so.
        return _(
            "You withdrew your consent to analysis, so we measure nothing here. Submitting a "
            "new take gives this consent again."
        )
    return ""


@transaction.atomic
def begin_session(*, take: Rehearsal, with_hostile: bool) -> QuestionSession:
    """Begin three questions after a take; return the open session if nothing in it was answered.

    Raises ValidationError for a deleted take, and without consent.
    """
    if not lock_rehearsal(take.pk):
        raise ValidationError(_("This take was deleted."))
    if obstacle := answering_obstacle(take):
        raise ValidationError(obstacle)
    last = take.question_sessions.filter(with_hostile=with_hostile).first()
    if last is not None and not _is_touched(last):
        return last
    language = language_of(take, get_language() or "en")
    session = QuestionSession.objects.create(
        take=take, language=language, with_hostile=with_hostile
    )
    titles = titles_of(take.talk)
    chosen = choose_questions(take, language, with_hostile=with_hostile, titles=titles)
    AskedQuestion.objects.bulk_create(
        AskedQuestion(
            session=session,
            position=place,
            kind=each.kind,
            source=each.source,
            key=each.key,
            text=each.text,
            quote=each.sentence.text if each.sentence else "",
            quote_start=each.sentence.start if each.sentence else None,
            quote_end=each.sentence.end if each.sentence else None,
        )
        for place, each in enumerate(chosen)
    )
    record_act(action="questions.begun", target=session, actor=take.owner)
    return session


def _is_touched(session: QuestionSession) -> bool:
    return (
        session.questions.exclude(skipped_at=None).exists()
        or session.questions.exclude(answer=None).exists()
    )


@transaction.atomic
def answer_question(*, question: AskedQuestion, upload: Upload) -> Rehearsal:
    """Make the recording the answer to a question, and analyse it.

    Safe to call twice. Raises ValidationError, UploadGone, StillArriving and StorageUnavailable.
    """
    held = _held(question)
    if held.answer is not None:
        return held.answer
    take = held.session.take
    if obstacle := answering_obstacle(take):
        raise ValidationError(obstacle)
    context = replace(
        context_of_take(take),
        language=held.session.language,
        looks_into_lens_first=False,
        shows_slides=False,
        time_limit=None,
    )
    not_measured = {each for each in FAMILIES if each not in MEASURED}
    recorded = submit_rehearsal(
        owner=take.owner,
        upload=upload,
        context=context,
        form_token=held.pk,
        is_constructed=take.is_constructed,
        again=Again(
            of=take,
            kind=Kind.ANSWER,
            disabled_families=sorted(not_measured | set(take.owner.disabled_families)),
        ),
    )
    if recorded.form_token != held.pk:
        # The upload has become something else in the meantime.
        raise UploadGone
    held.answer, held.skipped_at = recorded, None
    held.save(update_fields=["answer", "skipped_at"])
    record_act(action="questions.answered", target=held, actor=take.owner)
    return recorded


@transaction.atomic
def skip_question(*, question: AskedQuestion) -> None:
    """Leave a question without an answer; an answered one stays answered."""
    held = _held(question)
    if held.answer is None and held.skipped_at is None:
        held.skipped_at = timezone.now()
        held.save(update_fields=["skipped_at"])
        record_act(action="questions.skipped", target=held, actor=held.session.take.owner)


@transaction.atomic
def ask_again(*, question: AskedQuestion) -> None:
    """Ask a question once more; its recording and a coach's comment on it are deleted.

    Raises ValidationError if a hold prevents it.
    """
    held = _held(question)
    answer = held.answer
    held.answer = held.skipped_at = held.commented_at = held.commented_by = None
    held.nearest_start = held.compared_at = None
    held.comment = held.commented_by_name = ""
    held.save()
    if answer is not None:
        delete_rehearsal(rehearsal=answer)
        record_act(action="questions.asked_again", target=held, actor=held.session.take.owner)


@transaction.atomic
def measure_again(*, question: AskedQuestion) -> None:
    """Analyse an answer again whose analysis failed. Raises ValidationError."""
    answer = _held(question).answer
    run = latest_run(answer) if answer is not None else None
    if answer is not None and run is not None and run.state == Run.State.FAILED:
        start_run(rehearsal=answer, actor=answer.owner)


def compare_with_question(run: Run) -> None:
    """Find the sentence of an answer that is nearest to its question; called by a worker."""
    question = AskedQuestion.objects.filter(answer=run.rehearsal_id).first()
    if question is not None:
        start = nearest_start(question.text, report_of(run), question.session.language)
        AskedQuestion.objects.filter(pk=question.pk, answer=run.rehearsal_id).update(
            nearest_start=start, compared_at=timezone.now()
        )


@transaction.atomic
def let_coach_listen(*, session: QuestionSession, may_listen: bool) -> None:
    """Save whether the answers go along with the take when a coach has it."""
    held = QuestionSession.objects.select_for_update().get(pk=session.pk)
    if held.coach_may_listen != may_listen:
        held.coach_may_listen = may_listen
        held.save(update_fields=["coach_may_listen"])
        record_act(
            action="questions.shared", target=held, actor=session.take.owner, after=may_listen
        )


@transaction.atomic
def delete_session(*, session: QuestionSession) -> None:
    """Delete a session with its recordings. Raises ValidationError if a hold prevents it."""
    lock_rehearsal(session.take_id)
    for question in session.questions.select_related("answer"):
        if question.answer is not None:
            delete_rehearsal(rehearsal=question.answer)
    record_act(action="questions.deleted", target=session, actor=session.take.owner)
    session.delete()


@transaction.atomic
def comment_on_answer(*, question: AskedQuestion, coach: User, comment: str) -> None:
    """Save a coach's comment on the content of an answer, and notify its owner.

    Raises ValidationError for an empty comment, and if the answer was deleted in the meantime.
    """
    held = _held(question)
    held.comment = comment.strip()
    if held.answer is None or not held.comment:
        raise ValidationError(_("Write a comment on an answer."))
    held.commented_by, held.commented_by_name = coach, str(coach)
    held.commented_at = timezone.now()
    held.full_clean(exclude=["session", "answer"])
    held.save()
    take = held.session.take
    record_act(action="questions.commented", target=held, actor=coach)
    notify(person=take.owner, kind=NoticeKind.ANSWER, rehearsal=take, about=held)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWords:
    """The content of a written question, with its talk or group."""

    text: str
    kind: str
    language: str
    talk: Talk | None = None
    cohort: int | None = None


@transaction.atomic
def write_question(*, coach: User, words: QuestionWords) -> WrittenQuestion:
    """Save a coach's question for a talk, else for a group. Raises ValidationError."""
    written = WrittenQuestion(author=coach, talk=words.talk)
    _fill(written, coach, words)
    written.save()
    record_act(action="questions.written", target=written, actor=coach)
    return written


@transaction.atomic
def change_question(*, written: WrittenQuestion, words: QuestionWords) -> None:
    """Change a written question; what was asked already keeps its words. Raises ValidationError."""
    held = WrittenQuestion.objects.select_for_update().get(pk=written.pk)
    _fill(held, held.author, words)
    held.save()
    record_act(action="questions.rewritten", target=held, actor=held.author)


@transaction.atomic
def archive_question(*, written: WrittenQuestion, is_archived: bool) -> None:
    """Stop asking a written question, or ask it again."""
    held = WrittenQuestion.objects.select_for_update().get(pk=written.pk)
    if (held.archived_at is not None) != is_archived:
        held.archived_at = timezone.now() if is_archived else None
        held.save(update_fields=["archived_at"])
        action = "questions.archived" if is_archived else "questions.restored"
        record_act(action=action, target=held, actor=held.author)


def _fill(written: WrittenQuestion, coach: User, words: QuestionWords) -> None:
    written.text = " ".join(words.text.split())
    if not written.text or len(written.text) > MOST_CHARACTERS:
        raise ValidationError(
            _("Write a question of at most %(most)d characters.") % {"most": MOST_CHARACTERS}
        )
    if words.kind not in QuestionKind.values or words.language not in QuestionLanguage.values:
        raise ValidationError(_("Choose a kind and a language."))
    written.kind, written.language = words.kind, words.language
    if written.talk is not None:
        return
    if words.cohort is None or not coached_groups(coach).filter(pk=words.cohort).exists():
        raise ValidationError(_("Choose a group that you coach."))
    written.cohort_id = words.cohort


def _held(question: AskedQuestion) -> AskedQuestion:
    """Return the question, locked after its take until the transaction ends."""
    lock_rehearsal(question.session.take_id)
    rows = AskedQuestion.objects.select_for_update(of=("self",))
    return rows.select_related("session__take__owner", "answer").get(pk=question.pk)

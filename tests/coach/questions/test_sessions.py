"""Three questions after a take: asked, answered, skipped, repeated, shared, commented, deleted."""

from __future__ import annotations

from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from analysis.results import Report, Word
from coach.accounts.models import Cohort, Purpose, Role, User
from coach.accounts.services import withdraw_consent
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Run
from coach.feedback.reports import store_report
from coach.notices.models import Notice
from coach.portal.personal.own_data import own_data
from coach.questions.models import AskedQuestion, QuestionKind, QuestionSession, WrittenQuestion
from coach.questions.selectors import shared_questions_for
from coach.questions.services import (
    QuestionWords,
    answer_question,
    ask_again,
    begin_session,
    compare_with_question,
    delete_session,
    let_coach_listen,
    skip_question,
    write_question,
)
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.services import delete_rehearsal, remove_recording, withdraw_from_coach
from coach.uploads.services import finish_upload
from tests.coach.conftest import SignIn
from tests.coach.factories import arrived, folder_of, make_report

pytestmark = pytest.mark.usefixtures("no_broker")


def recorded(owner: User) -> Upload:
    upload = Upload.objects.create(owner=owner, name="answer.webm", expected_bytes=6)
    arrived(upload).parent.mkdir(parents=True, exist_ok=True)
    arrived(upload).write_bytes(b"answer")
    finish_upload(upload=upload, received_bytes=6, sha256="cd" * 32, complete=True)
    return upload


def report_saying(text: str) -> Report:
    words = tuple(
        Word(text=word, start=1.2 + place * 0.5, end=1.6 + place * 0.5, probability=0.9)
        for place, word in enumerate(text.split())
    )
    return make_report(duration=40.0).model_copy(update={"words": words, "events": ()})


def finish(answer: Rehearsal, text: str = "Um, yes. We asked four hundred people.") -> None:
    """Its run is done, as workers leave it: a report and no draft."""
    run = answer.runs.get()
    store_report(run, report_saying(text))
    run.stages.update(state="done")
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished_at=now)
    AskedQuestion.objects.filter(answer=answer).update(compared_at=now)


@pytest.fixture
def session(take: Rehearsal) -> QuestionSession:
    return begin_session(take=take, with_hostile=True)


@pytest.fixture
def question(session: QuestionSession) -> AskedQuestion:
    return session.questions.get(position=0)


@pytest.fixture
def answer(question: AskedQuestion, trainee: User) -> Rehearsal:
    return answer_question(question=question, upload=recorded(trainee))


@pytest.fixture
def heard(sent: Rehearsal, session: QuestionSession, answer: Rehearsal) -> Rehearsal:
    """An answer that goes along with a take that was sent."""
    finish(answer)
    Rehearsal.any_kind.filter(pk=answer.pk).update(has_copy=False)
    let_coach_listen(session=session, may_listen=True)
    assert sent.pk == session.take_id
    return answer


def test_the_first_question_is_calm_and_the_last_may_be_hostile(session: QuestionSession) -> None:
    first, second, third = session.questions.all()
    assert QuestionKind.HOSTILE not in {first.kind, second.kind}
    assert third.kind == QuestionKind.HOSTILE
    assert session.language == "en"


def test_no_hostile_question_comes_to_who_wants_none(take: Rehearsal) -> None:
    kinds = begin_session(take=take, with_hostile=False).questions.values_list("kind", flat=True)
    assert len(kinds) == 3
    assert QuestionKind.HOSTILE not in kinds


def test_beginning_twice_begins_once_and_the_next_session_asks_something_else(
    session: QuestionSession, take: Rehearsal
) -> None:
    assert begin_session(take=take, with_hostile=True) == session
    for each in session.questions.all():
        skip_question(question=each)
    other = begin_session(take=take, with_hostile=True)
    assert other != session
    assert not {e.key for e in session.questions.all()} & {e.key for e in other.questions.all()}


def test_a_question_about_the_talk_comes_with_its_sentence(take: Rehearsal) -> None:
    store_report(take.runs.get(), report_saying("So 40% of our members cycle. It is nice."))
    session = begin_session(take=take, with_hostile=True)
    about = session.questions.get(position=1)
    assert about.source == AskedQuestion.Source.TALK
    assert "“40%”" in about.text
    assert about.quote == "So 40% of our members cycle."
    assert about.quote_start == pytest.approx(1.2)


def test_an_answer_is_no_take_and_is_handed_in_once(
    session: QuestionSession,
    question: AskedQuestion,
    take: Rehearsal,
    trainee: User,
    sign_in: SignIn,
) -> None:
    client, upload = sign_in(trainee), recorded(trainee)
    page = client.get(reverse("questions:session", args=[session.pk]))
    assert page.headers["Permissions-Policy"] == "camera=(self), microphone=(self)"
    assert question.text in unescape(page.content.decode())
    url = reverse("questions:hand_in", args=[question.pk])
    for _time in range(2):
        client.post(url, {"upload": str(upload.pk)})
    answer = Rehearsal.any_kind.get(kind=Kind.ANSWER)
    assert answer.parent == take
    assert list(Rehearsal.objects.all()) == [take]
    assert Feedback.objects.count() == 1
    assert {"gaze", "pitch"} <= set(answer.runs.get().options["disabled_families"])
    assert Entry.objects.filter(action="questions.answered").count() == 1


def test_the_answer_page_shows_facts_and_quotes_the_first_sentence(
    session: QuestionSession, answer: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    for each in session.questions.filter(answer=None):
        client.post(reverse("questions:skip", args=[each.pk]))
    url = reverse("questions:session", args=[session.pk])
    now = reverse("questions:now", args=[session.pk])
    assert "hx-get" in client.get(url).content.decode()
    assert "HX-Refresh" not in client.get(now).headers
    finish(answer)
    assert client.get(now).headers["HX-Refresh"] == "true"
    page = unescape(client.get(url).content.decode())
    assert "1.7 s" in page  # the um before it is no word
    assert '<q lang="en">Um, yes.</q>' in page or "yes." in page
    assert page.count("Skipped.") == 2


def test_an_answer_without_a_word_says_so(
    session: QuestionSession, answer: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    for each in session.questions.filter(answer=None):
        skip_question(question=each)
    finish(answer, "")
    page = sign_in(trainee).get(reverse("questions:session", args=[session.pk])).content.decode()
    assert "We heard no words in this recording." in page


def test_a_failed_analysis_can_be_started_again(
    session: QuestionSession,
    question: AskedQuestion,
    answer: Rehearsal,
    trainee: User,
    sign_in: SignIn,
) -> None:
    for each in session.questions.filter(answer=None):
        skip_question(question=each)
    answer.runs.update(
        state=Run.State.FAILED, finished_at=timezone.now(), problem={"code": "gave_up"}
    )
    client = sign_in(trainee)
    again = reverse("questions:measure", args=[question.pk])
    assert again in client.get(reverse("questions:session", args=[session.pk])).content.decode()
    client.post(again)
    client.post(again)
    assert answer.runs.count() == 2


def test_the_sentence_nearest_to_the_question_is_shown_without_a_figure(
    session: QuestionSession,
    question: AskedQuestion,
    answer: Rehearsal,
    trainee: User,
    sign_in: SignIn,
) -> None:
    AskedQuestion.objects.filter(pk=question.pk).update(text="Who pays for the bicycles?")
    for each in session.questions.filter(answer=None):
        skip_question(question=each)
    finish(answer, "Good evening. The town pays for the bicycles. Thank you.")
    compare_with_question(answer.runs.get())
    page = sign_in(trainee).get(reverse("questions:session", args=[session.pk])).content.decode()
    assert "sentence 2 of 3" in page
    assert "similarity" not in page


@pytest.mark.django_db(transaction=True)
def test_asking_again_deletes_the_answer_alone(
    question: AskedQuestion, answer: Rehearsal, take: Rehearsal
) -> None:
    ask_again(question=question)
    assert list(Rehearsal.any_kind.all()) == [take]
    assert not folder_of(answer).exists()
    question.refresh_from_db()
    assert question.answer is None


@pytest.mark.django_db(transaction=True)
def test_answers_go_with_their_session_and_their_take(
    session: QuestionSession, answer: Rehearsal, take: Rehearsal, trainee: User
) -> None:
    remove_recording(rehearsal=take)
    answer.refresh_from_db()
    assert answer.media_removed_at is not None
    delete_session(session=session)
    assert list(Rehearsal.any_kind.all()) == [take]
    other = begin_session(take=take, with_hostile=True)
    answer_question(question=other.questions.all()[0], upload=recorded(trainee))
    delete_rehearsal(rehearsal=take)
    assert not Rehearsal.any_kind.exists()
    assert not QuestionSession.objects.exists()


def test_without_consent_nothing_is_recorded(take: Rehearsal, trainee: User) -> None:
    withdraw_consent(user=trainee, purpose=Purpose.ANALYSIS)
    with pytest.raises(ValidationError):
        begin_session(take=take, with_hostile=True)


def test_a_stranger_finds_no_session(
    session: QuestionSession,
    question: AskedQuestion,
    answer: Rehearsal,
    stranger: User,
    sign_in: SignIn,
) -> None:
    client = sign_in(stranger)
    for name in ("session", "now"):
        assert client.get(reverse(f"questions:{name}", args=[session.pk])).status_code == 404
    for name in ("share", "delete"):
        assert client.post(reverse(f"questions:{name}", args=[session.pk])).status_code == 404
    for name in ("hand_in", "skip", "again", "measure"):
        assert client.post(reverse(f"questions:{name}", args=[question.pk])).status_code == 404
    assert client.get(reverse("questions:recording", args=[question.pk])).status_code == 404


def test_a_coach_hears_answers_only_if_they_go_along(
    heard: Rehearsal,
    session: QuestionSession,
    question: AskedQuestion,
    coach: User,
    sign_in: SignIn,
) -> None:
    client = sign_in(coach)
    page = reverse("review:answers", args=[session.take_id])
    Rehearsal.any_kind.filter(pk=heard.pk).update(has_copy=True)
    assert question.text in unescape(client.get(page).content.decode())
    assert question in _heard_by(coach)
    let_coach_listen(session=session, may_listen=False)
    assert question.text not in unescape(client.get(page).content.decode())
    assert client.get(reverse("questions:recording", args=[question.pk])).status_code == 404
    let_coach_listen(session=session, may_listen=True)
    withdraw_from_coach(rehearsal=session.take)
    assert client.get(page).status_code == 404
    assert not _heard_by(coach)


def _heard_by(coach: User) -> list[AskedQuestion]:
    return list(shared_questions_for(coach))


def test_a_coach_comments_and_the_trainee_is_told(
    heard: Rehearsal, question: AskedQuestion, coach: User, trainee: User, sign_in: SignIn
) -> None:
    url = reverse("review:comment_on_answer", args=[question.pk])
    assert sign_in(trainee).post(url, {"comment": "Mine"}).status_code in {302, 404}
    sign_in(coach).post(url, {"comment": "Begin with the number."})
    question.refresh_from_db()
    assert (question.comment, question.commented_by) == ("Begin with the number.", coach)
    assert Notice.objects.filter(person=trainee, kind="answer").count() == 1
    data = str(own_data(trainee))
    assert "Begin with the number." in data
    assert question.text in data
    assert heard.pk


def test_a_coachs_question_is_asked_first_and_stays_with_its_group(
    take: Rehearsal, coach: User, cohort: Cohort, stranger: User
) -> None:
    words = QuestionWords(
        text="What would your grandmother say?", kind="friendly", language="en", cohort=cohort.pk
    )
    written = write_question(coach=coach, words=words)
    first = begin_session(take=take, with_hostile=True).questions.get(position=0)
    assert (first.source, first.key) == (AskedQuestion.Source.COACH, str(written.pk))
    with pytest.raises(ValidationError):
        write_question(coach=stranger, words=words)


def test_a_coach_edits_and_archives_own_questions_alone(
    sent: Rehearsal, coach: User, stranger: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    words = {"text": "Who pays for it?", "kind": "hostile", "language": "en"}
    client.post(reverse("review:answers", args=[sent.pk]), words)
    written = WrittenQuestion.objects.get(talk=sent.talk)
    edit = reverse("review:edit_question", args=[written.pk])
    client.post(edit, {**words, "text": "Who will pay for it?"})
    assert "Who will pay for it?" in client.get(reverse("review:questions")).content.decode()
    client.post(edit, {"wish": "archive"})
    written.refresh_from_db()
    assert written.archived_at is not None
    stranger.roles = [*stranger.roles, Role.COACH]
    stranger.save()
    assert sign_in(stranger).post(edit, {"wish": "restore"}).status_code == 404


def test_a_topic_leads_to_the_recorder_with_its_title(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    page = client.get(reverse("questions:topics"), {"n": "0"})
    url = page.context["page"].record_url
    assert page.context["page"].topic in unescape(client.get(url).content.decode())

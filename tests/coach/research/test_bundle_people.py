"""What a bundle holds of people: what they agreed to, and nothing of whoever left."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from django.urls import reverse
from django.utils import timezone

from analysis import __version__
from coach.accounts.models import User
from coach.feedback.models import Verdict
from coach.practice.exercises.catalogue import exercises
from coach.practice.models import (
    ExerciseDone,
    FocusArea,
    KeyMessage,
    KeyMessageVerdict,
    SpanAgain,
)
from coach.rehearsals.models import Rehearsal, Upload
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import (
    Code,
    Interview,
    Memo,
    Round,
)
from coach.research.coding.rounds.selectors import codable_interviews
from coach.research.studies.models import (
    Answer,
    AnswerSheet,
    ConsentDocument,
    ConsentEvent,
    Scope,
    Study,
)
from coach.research.studies.questionnaires import QuestionnaireData, add_questionnaire
from coach.research.studies.taking_part import leave_study
from coach.review.models import ItemTime
from coach.review.rubric.models import Judgement, Occasion, Rating
from coach.review.rubric.words import QUALITIES
from coach.slides.models import Deck, ShownSlides
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.bundling import export, project_of
from tests.coach.research.making import agree, make_interview, mark, rows, take_part


def test_nothing_of_an_open_round_leaves_since_its_coders_may_export(
    study: Study, tmp_path: Path
) -> None:
    coding_round, interview = Round.objects.get(study=study), Interview.objects.get(study=study)
    coding_round.interviews.add(interview)
    coder = coding_round.coders.get(number=2)
    Memo.objects.create(study=study, coder=coder, interview=interview, body="Told too early?")
    Round.objects.update(state=Round.State.OPEN, closed_at=None)
    archive = export(study, tmp_path)
    assert rows(archive, "codings") == []
    assert [memo["body"] for memo in rows(archive, "memos")] == ["Often together."]
    assert "Told too early?" not in " ".join(
        project_of(archive).read(name).decode() for name in project_of(archive).namelist()
    )
    assert b"Coding" not in project_of(archive).read("project.qde").replace(b"CodeBook", b"")
    left_out = {(row["table_name"], row["reason"]) for row in rows(archive, "exclusions")}
    assert ("codings", "round_open") in left_out
    Round.objects.update(state=Round.State.CLOSED)
    assert len(rows(export(study, tmp_path, name="b"), "codings")) == 3


def test_what_was_measured_said_and_decided_is_there(study: Study, tmp_path: Path) -> None:
    archive = export(study, tmp_path)
    values = {row["metric_id"]: row for row in rows(archive, "measurements")}
    assert values["fillers.filled_pauses_per_minute"]["value"] == "8"
    assert all(bool(row["value"]) != bool(row["missing_reason"]) for row in values.values())
    [review] = rows(archive, "coach_reviews")
    assert (review["action"], review["reason_text"]) == ("edited", "Shorter.")
    assert review["item_seconds"] == ""  # nobody timed it
    [take] = rows(archive, "rehearsals")
    assert (take["sequence_no"], take["quality"]) == ("1", "degraded")
    manifest: dict[str, Any] = json.loads(archive.read("export_manifest.json"))
    assert manifest["rows"]["codings"] == 3
    assert manifest["rostrum_version"] == __version__


def test_what_people_practised_is_there_with_the_measure_before_and_after(
    study: Study, sent: Rehearsal, trainee: User, coach: User, tmp_path: Path
) -> None:
    exercise = next(iter(exercises()))
    counted = [{"id": "ums", "value": 4, "unit": "count"}]
    ExerciseDone.objects.create(user=trainee, exercise=exercise, rehearsal=sent, facts=counted)
    ExerciseDone.objects.create(user=UserFactory(), exercise=exercise)
    metric = "fillers.filled_pauses_per_minute"
    SpanAgain.objects.create(take=sent, start=1.0, end=20.5, metric=metric, before=sent)
    FocusArea.objects.create(person=trainee, metric=metric, step=2, set_by=coach, why="Ums.")
    archive = export(study, tmp_path)
    found = {row["kind"]: row for row in rows(archive, "practice")}
    assert len(rows(archive, "practice")) == len(found) == 3
    assert (found["exercise"]["exercise"], found["exercise"]["rehearsal_id"]) == (
        exercise,
        rows(archive, "rehearsals")[0]["rehearsal_id"],
    )
    [count] = rows(archive, "exercise_answers")
    assert [count[name] for name in ("exercise", "fact", "value")] == [exercise, "ums", "4"]
    again = found["stretch_again"]
    assert [again[name] for name in ("start_ms", "end_ms", "value_before", "value_after")] == [
        "1000",
        "20500",
        "8",
        "",
    ]
    assert (found["focus"]["metric_id"], found["focus"]["step"]) == (metric, "2")
    assert "Ums." not in archive.read("data/practice.csv").decode()
    agree(study.participants.get(group="trainee"), Scope.MEASUREMENTS, kind="withdrawn")
    without = export(study, tmp_path, name="b")
    assert rows(without, "practice") == rows(without, "exercise_answers") == []


def test_slides_and_key_messages_are_counted_without_their_words(
    study: Study, sent: Rehearsal, trainee: User, tmp_path: Path
) -> None:
    texts = ["Confidential margin of the factory", "Thank you"]
    deck = Deck.objects.create(
        owner=trainee, talk=sent.talk, name="margin.pdf", size_bytes=1, state="ready", texts=texts
    )
    upload = Upload.objects.create(
        owner=trainee, name="take.webm", state=Upload.State.USED, rehearsal=sent
    )
    ShownSlides.objects.create(upload=upload, deck=deck, changes=[[0, 0], [12, 1]])
    message = KeyMessage.objects.create(talk=sent.talk, place=1, text="Our margin is thin.")
    KeyMessageVerdict.objects.create(message=message, take=sent, at_seconds=None, is_it=False)
    archive = export(study, tmp_path)
    first, second = rows(archive, "slides")
    assert [first[name] for name in ("slide", "timing", "shown_ms", "words")] == [
        *("1", "live", "12000", "5")
    ]
    assert second["times_shown"] == "1"
    [row] = rows(archive, "key_messages")
    assert [row[name] for name in ("message", "state", "confirmed")] == ["1", "left_out", "0"]
    for name in ("data/slides.csv", "data/key_messages.csv"):
        assert "argin" not in archive.read(name).decode()
    agree(study.participants.get(group="trainee"), Scope.MEASUREMENTS, kind="withdrawn")
    without = export(study, tmp_path, name="b")
    assert rows(without, "slides") == rows(without, "key_messages") == []


def test_levels_of_coaches_who_take_part_are_there(
    study: Study, tmp_path: Path, sent: Rehearsal, coach: User
) -> None:
    rating = Rating.objects.create(
        rehearsal=sent, coach=coach, occasion=Occasion.REVIEW, finished_at=timezone.now()
    )
    Judgement.objects.create(rating=rating, quality="content", level=4)
    Judgement.objects.create(rating=rating, quality="language", level=None)
    agree(study.participants.get(group="coach"), Scope.RECONTACT)
    archive = export(study, tmp_path)
    scores = {(row["criterion_id"], row["score"]) for row in rows(archive, "rubric_scores")}
    assert scores == {("content", "4"), ("language", "")}
    assert len(rows(archive, "rubric_criteria")) == len(QUALITIES)
    [outcome] = [row for row in rows(archive, "outcomes") if row["kind"] == "rating"]
    assert (outcome["outcome"], outcome["value"], outcome["unit"]) == ("content", "4", "level")
    [coach_of_study] = [
        row for row in rows(archive, "participants") if row["user_group"] == "coach"
    ]
    assert outcome["rater_id"] == coach_of_study["participant_id"] != outcome["participant_id"]


def test_outcomes_have_every_number_with_person_and_occasion(
    study: Study, tmp_path: Path, trainee: User, researcher: User
) -> None:
    ana = study.participants.get(group="trainee")
    heading = QuestionnaireData(title="Ease", moment="before", language="en")
    table = "key;text;least;most;reversed\ncalm;I feel at ease.;1;5;\nheart;My heart races.;1;5;yes"
    form = add_questionnaire(study=study, heading=heading, table=table, actor=researcher)
    sheet = AnswerSheet.objects.create(participant=ana, questionnaire=form, sent_at=timezone.now())
    for question in form.questions.all():
        Answer.objects.create(sheet=sheet, question=question, number=4)
    archive = export(study, tmp_path)
    found = rows(archive, "outcomes")
    answers = {row["outcome"]: row for row in found if row["kind"] == "answer"}
    assert {name: (row["value"], row["is_reversed"]) for name, row in answers.items()} == {
        "ease.calm": ("4", "false"),
        "ease.heart": ("2", "true"),
    }
    assert {row["occasion"] for row in answers.values()} == {"before"}
    measured = {row["outcome"]: row["value"] for row in found if row["kind"] == "measure"}
    assert measured == {
        row["metric_id"]: row["value"] for row in rows(archive, "measurements") if row["value"]
    }
    assert {row["occasion"] for row in found if row["kind"] == "measure"} == {"only"}
    agree(ana, Scope.MEASUREMENTS, kind=ConsentEvent.Kind.WITHDRAWN)
    assert rows(export(study, tmp_path, name="b"), "outcomes") == []


def test_only_what_somebody_agreed_to_is_there(study: Study, tmp_path: Path) -> None:
    ana = study.participants.get(group="trainee")
    agree(ana, Scope.FEEDBACK, Scope.TRANSCRIPT, kind=ConsentEvent.Kind.WITHDRAWN)
    archive = export(study, tmp_path)
    assert len(rows(archive, "rehearsals")) == 1
    for table in ("feedback_items", "coach_reviews", "interviews", "codings"):
        assert rows(archive, table) == []
    assert not [
        name for name in archive.namelist() if name.startswith(("interviews/", "rehearsals/"))
    ]
    left_out = {(row["table_name"], row["suppressed"]) for row in rows(archive, "exclusions")}
    assert ("interviews", "true") in left_out


def test_who_leaves_takes_along_what_coders_quoted_of_them(
    study: Study, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    quote = "For me, slides are what I read from."
    cal = take_part(study, UserFactory())
    agree(cal, Scope.TRANSCRIPT)
    said = [("I", None, "What do you read from?"), ("P", cal, quote)]
    text = make_interview(study, said).texts.get()
    coding_round = Round.objects.get()
    mark(coding_round, 1, text, "slides", "pauses")
    Code.objects.filter(name="pauses").update(examples=f"{quote}\nI pause.")
    keep_version(study=study, note="", actor=study.created_by)
    Memo.objects.update(body=f"As in “{quote.lower()}” by one of them.")
    assert quote in export(study, tmp_path).read("data/codes.csv").decode()
    leave_study(participant=cal, actor=study.created_by)
    archive = export(study, tmp_path, name="b")
    with zipfile.ZipFile(io.BytesIO(archive.read("qda/project.qdpx"))) as project:
        words = [project.read(name).decode() for name in project.namelist()]
    words += [archive.read(name).decode("utf-8", "replace") for name in archive.namelist()]
    client = sign_in(researcher)
    for kind in ("qdc", "csv"):
        for where in (("codebook_file", kind), ("codebook_version_file", 2, kind)):
            page = reverse(f"research:{where[0]}", args=[study.slug, *where[1:]])
            words.append(client.get(page).content.decode())
            assert "pauses" in words[-1]
    assert not [each for each in words if "slides are what" in each.lower()]
    by_name = {row["name"]: row["examples"] for row in rows(archive, "codes")}
    assert by_name["pauses"] == "[…].\nI pause."
    assert [row["body"] for row in rows(archive, "memos")] == ["As in “[…].” by one of them."]


def test_a_material_change_of_the_text_asks_everybody_again(study: Study, tmp_path: Path) -> None:
    ConsentDocument.objects.create(
        study=study,
        scope=Scope.MEASUREMENTS,
        language="en",
        version=2,
        text="More.",
        sha256="0",
    )
    agree(study.participants.get(group="coach"), Scope.RECONTACT)
    assert rows(export(study, tmp_path), "rehearsals") == []


def test_a_coach_who_agreed_to_nothing_leaves_no_words(study: Study, tmp_path: Path) -> None:
    agree(study.participants.get(group="coach"), Scope.FEEDBACK, kind=ConsentEvent.Kind.WITHDRAWN)
    [review] = rows(export(study, tmp_path), "coach_reviews")
    assert (review["coach_id"], review["reason_text"], review["replacement_body"]) == ("", "", "")
    assert review["was_reworded"] == "true"


def test_how_long_a_coach_worked_on_an_item_is_there_only_where_they_agreed(
    study: Study, tmp_path: Path
) -> None:
    verdict = Verdict.objects.get()
    ItemTime.objects.create(item=verdict.item, coach=verdict.coach, seconds=42.25)
    [review] = rows(export(study, tmp_path, name="c"), "coach_reviews")
    assert review["item_seconds"] == "", "it grew after the cut-off"
    ItemTime.objects.update(updated_at=verdict.at)
    [review] = rows(export(study, tmp_path), "coach_reviews")
    assert review["item_seconds"] == "42.2"
    agree(study.participants.get(group="coach"), Scope.FEEDBACK, kind=ConsentEvent.Kind.WITHDRAWN)
    [review] = rows(export(study, tmp_path, name="b"), "coach_reviews")
    assert review["item_seconds"] == ""


def test_in_a_group_only_those_who_agreed_can_be_read(
    study: Study, group: Interview, tmp_path: Path
) -> None:
    coding_round = Round.objects.get(study=study)
    for coder in (1, 2):
        mark(coding_round, coder, group.texts.get(), "to yourselves", "pauses")
    Study.objects.filter(pk=study.pk).update(least_group=2)
    archive = export(Study.objects.get(pk=study.pk), tmp_path)
    text = archive.read("interviews/INT-02.txt").decode()
    assert "yourselves" not in text
    left_out = {row["table_name"]: row for row in rows(archive, "exclusions")}
    assert (left_out["codings"]["reason"], left_out["codings"]["n_rows"]) == ("not_consented", "2")
    assert text.startswith("P1: I go first.\n")
    assert text.endswith("\nP1: Well.")
    assert len(text) == group.texts.get().n_code_points


def test_a_group_is_there_on_pages_as_in_a_bundle_until_everybody_in_it_has_left(
    study: Study, group: Interview, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    """Also where the first of them leaves: the words of the others are read, coded and exported."""
    first, other = (group.speakers.get(label=label).participant for label in ("P1", "P2"))
    assert first is not None
    assert other is not None
    agree(other, Scope.TRANSCRIPT)
    coding_round = Round.objects.get(study=study)
    coding_round.interviews.add(group)
    mark(coding_round, 1, group.texts.get(), "Keep this", "pauses")
    client = sign_in(researcher)
    listed = reverse("research:interviews", args=[study.slug])
    page = reverse("research:interview", args=[study.slug, group.number])
    code = Code.objects.get(name="pauses")
    marked = f"{reverse('research:passages', args=[study.slug])}?code={code.pk}"
    apart = reverse("research:differences", args=[study.slug, coding_round.number])
    leave_study(participant=first, actor=researcher)

    assert [row["interview_id"] for row in rows(export(study, tmp_path), "interviews")] == [
        group.label
    ]
    row = client.get(listed).content.decode().split(f">{group.label}<")[1].split("</tr>")[0]
    assert (other.pseudonym in row, first.pseudonym in row, "Hidden" in row) == (
        True,
        False,
        False,
    )
    told = client.get(page).content.decode()
    assert ("Keep this to yourselves." in told, "I go first." in told) == (True, False)
    assert "Keep this</q>" in client.get(marked).content.decode()
    assert group.label in client.get(apart).content.decode()
    assert group in codable_interviews(study)

    leave_study(participant=other, actor=researcher)
    assert "Hidden" in client.get(listed).content.decode().split(f">{group.label}<")[1]
    assert "Keep this" not in client.get(page).content.decode()
    assert "</q>" not in client.get(marked).content.decode()
    assert group not in codable_interviews(study)

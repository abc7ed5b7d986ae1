"""A study as its people live it: planned, started, joined, answered, left; and nobody else's."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach.accounts.models import Cohort, Role, User
from coach.audit.models import Entry
from coach.lib.web.reader_zone import COOKIE
from coach.portal.personal.own_data import own_data
from coach.research.exports.bundle.scope import Included, last_change
from coach.research.studies.allocation import block, letter_of, set_conditions
from coach.research.studies.models import (
    Allocation,
    Answer,
    ConsentEvent,
    Member,
    Participant,
    Study,
)
from coach.research.studies.pages import study_page
from coach.research.studies.scaffold import scaffold, still_asked
from coach.research.studies.services import start_study, write_sheet
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join
from tests.coach.research.making import make_study, take_part

MEASURES = "research_measurements"


@pytest.fixture
def open_study(researcher: User, cohort: Cohort) -> Study:
    """One that runs and asks Ana's group for their measurements."""
    study = make_study(researcher)
    study.cohorts.add(cohort)
    write_sheet(
        study=study,
        scope=MEASURES,
        language="en",
        text="We count ums.",
        is_material=True,
        actor=researcher,
    )
    set_conditions(study=study, names=[("with a coach", 1), ("alone", 1)], actor=researcher)
    start_study(study=study, actor=researcher)
    study.refresh_from_db()
    return study


def url(name: str, study: Study, *more: object) -> str:
    return reverse(f"research:{name}", args=[study.slug, *more])


def test_a_study_is_planned_and_started_on_its_pages(
    researcher: User, cohort: Cohort, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    answer = client.post(
        reverse("research:new_study"),
        {
            "title": "Été: first talks",
            "question": "Why?",
            "least_group": 5,
            "recording_days": 20,
            "cohorts": [cohort.pk],
        },
    )
    study = Study.objects.get()
    assert answer.headers["Location"] == url("study", study)
    assert study.slug == "ete-first-talks"
    first = f'<a class="button button--primary" href="{url("sheet", study)}">'
    begun = client.get(url("study", study)).content.decode()
    assert first in begun
    assert begun.count("button--primary") == 1
    assert "Exclude take<" not in client.get(url("takes", study)).content.decode()
    refused = client.post(url("step", study), {"step": "start"}, follow=True)
    assert "Write an information sheet first" in refused.content.decode()
    sheet = {"scopes": MEASURES, "language": "en", "text": "We count ums.", "is_material": "on"}
    client.post(url("sheet", study), sheet)
    assert first not in client.get(url("study", study)).content.decode()
    client.post(url("conditions", study), {"names": "2 with a coach\nalone"})
    client.post(
        url("questionnaire", study),
        {
            "title": "Speaking",
            "moment": "before",
            "language": "en",
            "questions": "I like it.\nWhy?",
        },
    )
    client.post(url("step", study), {"step": "start"})
    study.refresh_from_db()
    assert (study.state, study.policy) == ("running", "ai_first")
    assert study.rule_set is not None
    assert study.weights
    page = client.get(url("study", study)).content.decode()
    assert "with a coach" in page
    assert "We count ums." in page
    acts = set(Entry.objects.values_list("action", flat=True))
    assert {"research.study_created", "research.study_started", "research.sheet_written"} <= acts


def test_a_sheet_is_taken_to_be_in_the_language_of_whoever_writes_it(
    open_study: Study, researcher: User, sign_in: SignIn
) -> None:
    researcher.language = "fr"
    researcher.save()
    for name in ("sheet", "questionnaire"):
        page = sign_in(researcher).get(url(name, open_study)).content.decode()
        assert '<option value="fr" selected>' in page


def test_whom_a_study_does_not_ask_is_told_of_none(
    open_study: Study, stranger: User, sign_in: SignIn
) -> None:
    client = sign_in(stranger)
    assert open_study.title not in client.get(reverse("research:mine")).content.decode()
    assert client.get(url("take_part", open_study)).status_code == 404


def test_somebody_agrees_answers_changes_their_mind_and_leaves(
    open_study: Study, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    assert open_study.title in client.get(reverse("research:mine")).content.decode()
    client.post(url("take_part", open_study), {MEASURES: "yes", "experience": "lt_1y"})
    ana = Participant.objects.get()
    assert (ana.group, ana.cohort, ana.experience) == ("trainee", "G1", "lt_1y")
    assert ana.pseudonym in client.get(url("take_part", open_study)).content.decode()
    assert Allocation.objects.get().participant == ana
    client.post(url("take_part", open_study), {MEASURES: "yes"})
    client.post(url("take_part", open_study), {MEASURES: "no"})
    client.post(url("take_part", open_study), {MEASURES: "yes"})
    kinds = list(ConsentEvent.objects.values_list("kind", flat=True))
    assert kinds == ["granted", "withdrawn", "renewed"]
    client.post(url("leave", open_study))
    ana.refresh_from_db()
    assert ana.withdrawn_at is not None
    assert ConsentEvent.objects.count() == 4
    assert Included(study=open_study, cut_off=last_change(open_study)).people == ()
    page = client.get(url("take_part", open_study)).content.decode()
    assert "You have left this study" in page
    assert own_data(trainee)["takes_part_in_studies"][0]["pseudonym"] == ana.pseudonym


def test_no_log_entry_ties_a_pseudonym_to_a_person(
    open_study: Study, trainee: User, sign_in: SignIn
) -> None:
    sign_in(trainee).post(url("take_part", open_study), {MEASURES: "yes"})
    ana = Participant.objects.get()
    for entry in Entry.objects.all():
        assert ana.pseudonym not in str(entry.detail)
        assert entry.object_type != "research.participant"


def test_a_no_keeps_nothing_of_anybody(open_study: Study, trainee: User, sign_in: SignIn) -> None:
    sign_in(trainee).post(url("take_part", open_study), {MEASURES: "no"})
    assert not Participant.objects.exists()


def test_a_questionnaire_is_answered_once(
    open_study: Study, trainee: User, researcher: User, sign_in: SignIn
) -> None:
    table = (
        "key;text;kind;least;most;choices;reversed;required\n"
        "calm;I like pauses.;scale;1;7;;yes;yes\nwhere;Where?;choice;;;At home|On stage;;\n"
        "why;Why?;text;;;;;\nyears;How many talks?;number;;;;;"
    )
    heading = {"title": "Speaking", "moment": "before", "language": "en", "questions": table}
    sign_in(researcher).post(url("questionnaire", open_study), heading)
    form = open_study.questionnaires.get()
    scale, where, _why, years = form.questions.all()
    client = sign_in(trainee)
    client.post(url("take_part", open_study), {MEASURES: "yes"})
    page = url("answer", open_study, form.pk)
    assert "I like pauses." in client.get(page).content.decode()
    client.post(page, {f"q{scale.pk}": "8"})
    assert not Answer.objects.exists()
    given = {f"q{scale.pk}": "6", f"q{where.pk}": "At home", f"q{years.pk}": "3"}
    client.post(page, given)
    kept = Answer.objects.order_by("question__position").values_list("number", "text")
    assert list(kept) == [(6.0, ""), (None, "At home"), (3.0, "")]
    assert client.get(page).status_code == 404


def test_many_questionnaires_are_counted_together(
    researcher: User, open_study: Study, sign_in: SignIn
) -> None:
    client, heading = sign_in(researcher), {"language": "en", "questions": "How well did it go?"}

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url("study", open_study)).status_code == 200
        return len(queries)

    for moment in ("before", "after"):
        client.post(
            url("questionnaire", open_study), {**heading, "title": "Ease", "moment": moment}
        )
        if moment == "before":
            asked()  # what is read once a process
            with_one = asked()
    assert open_study.questionnaires.count() == 2
    assert asked() == with_one


def test_questionnaires_before_a_talk_stand_above_those_after_it(
    researcher: User, open_study: Study
) -> None:
    for number, moment in enumerate(("after", "before", "after", "before")):
        open_study.questionnaires.create(
            title="Ease", key=f"ease-{number}", moment=moment, language="en"
        )
    page = study_page(open_study, researcher)
    assert page.questionnaires == list(open_study.questionnaires.all())
    assert [each.moment for each in page.questionnaires] == ["before"] * 2 + ["after"] * 2


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("", "no question"),
        ("key,text,least\na,Why?,x", "is not a number"),
        ("text,kind\nWhich?,choice", "two choices"),
        ("text,least,most\nHow?,5,1", "go up"),
        # Each step is a choice on the page of everybody who takes part.
        ("text,least,most\nHow?,0,101", "up to 101 steps"),
        ("text,least,most\nHow?,1,1e9", "up to 101 steps"),
        ("text,least,most\nHow?,1,inf", "up to 101 steps"),
        ("key,text\na,One\na,Two", "same key"),
        ("text,kind\nHow?,guess", "Question 1"),
    ],
)
def test_a_questionnaire_that_cannot_be_asked_says_where(
    table: str, why: str, open_study: Study, researcher: User, sign_in: SignIn
) -> None:
    heading = {"title": "Speaking", "moment": "before", "language": "en", "questions": table}
    page = sign_in(researcher).post(url("questionnaire", open_study), heading)
    assert why in page.content.decode()
    assert not open_study.questionnaires.exists()


def test_conditions_are_balanced_and_the_seed_gives_them_again() -> None:
    shares = [("A", 2), ("B", 1)]
    drawn = [letter_of("a seed", place, shares) for place in range(60)]
    assert Counter(drawn) == {"A": 40, "B": 20}
    assert drawn[:6] == block("a seed", 0, shares)
    assert drawn != [letter_of("another", place, shares) for place in range(60)]


def test_letters_have_no_meaning_for_members_before_the_end(
    open_study: Study, researcher: User, sign_in: SignIn
) -> None:
    allocator = UserFactory(roles=[Role.RESEARCHER])
    Member.objects.create(study=open_study, user=allocator, role=Member.Role.ALLOCATOR)
    hidden = "You cannot see which letter"
    assert hidden in sign_in(researcher).get(url("study", open_study)).content.decode()
    assert hidden not in sign_in(allocator).get(url("study", open_study)).content.decode()
    sign_in(researcher).post(url("step", open_study), {"step": "unblind"})
    assert hidden not in sign_in(researcher).get(url("study", open_study)).content.decode()


LEAD_PAGES = ("edit_study", "sheet", "conditions", "questionnaire")


def test_only_those_who_lead_change_it_and_only_members_see_it(
    open_study: Study, sign_in: SignIn
) -> None:
    other, coder = UserFactory(roles=[Role.RESEARCHER]), UserFactory(roles=[Role.RESEARCHER])
    Member.objects.create(study=open_study, user=coder, role=Member.Role.CODER)
    assert sign_in(other).get(url("study", open_study)).status_code == 404
    assert sign_in(coder).get(url("study", open_study)).status_code == 200
    for name in (*LEAD_PAGES, "ask_for_bundle"):
        assert sign_in(coder).get(url(name, open_study)).status_code == 404
    for name in ("member", "step"):
        assert sign_in(coder).post(url(name, open_study), {"step": "close"}).status_code == 404


def test_a_study_is_never_without_somebody_who_leads_it(
    open_study: Study, researcher: User, sign_in: SignIn
) -> None:
    second = UserFactory(roles=[Role.RESEARCHER])
    client = sign_in(researcher)
    mine = open_study.members.get()
    page = client.post(url("member", open_study), {"remove": mine.pk}, follow=True)
    assert "A study needs a lead" in page.content.decode()
    # Nobody is given the whole study because that stood first in the list.
    assert page.context["member_form"]["role"].value() == Member.Role.CODER
    client.post(url("member", open_study), {"email": second.email, "role": "lead"})
    client.post(url("member", open_study), {"remove": mine.pk})
    assert open_study.members.get().user == second


def test_a_study_ends_on_its_first_day_or_later(
    open_study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    said = {"title": "First talks", "least_group": 5, "recording_days": 20}
    days = {"starts_on": "2026-12-20", "ends_on": "2026-11-20"}
    page = client.post(url("edit_study", open_study), said | days).content.decode()
    assert "The last day is before the first day." in page
    assert 'value="2026-12-20"' in page
    open_study.refresh_from_db()
    assert (open_study.starts_on, open_study.ends_on) == (None, None)
    for last in ("2026-12-20", ""):
        kept = client.post(url("edit_study", open_study), said | days | {"ends_on": last})
        assert kept.status_code == 302


def test_a_refused_member_keeps_what_was_said_and_says_who_gives_the_role(
    open_study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    said = {"email": "nobody@example.org", "role": "redactor"}
    page = client.post(url("member", open_study), said).content.decode()
    assert "No researcher uses this address. An administrator of this site" in page
    assert 'value="nobody@example.org"' in page
    assert '<option value="redactor" selected>' in page
    assert 'aria-invalid="true"' in page
    unread = client.post(url("member", open_study), {"email": "nobody", "role": "coder"})
    assert 'value="nobody"' in unread.content.decode()
    assert open_study.members.count() == 1


def test_people_of_other_groups_are_not_asked(
    open_study: Study, stranger: User, sign_in: SignIn
) -> None:
    assert sign_in(stranger).get(url("take_part", open_study)).status_code == 404
    assert sign_in(stranger).post(url("leave", open_study)).status_code == 404


def test_a_closed_study_takes_nobody_in_and_lets_people_leave(
    open_study: Study, trainee: User, researcher: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take_part(open_study, trainee)
    late = UserFactory()
    join(cohort, late, Role.TRAINEE)
    sign_in(researcher).post(url("step", open_study), {"step": "close"})
    assert sign_in(late).get(url("take_part", open_study)).status_code == 404
    assert sign_in(trainee).post(url("leave", open_study)).status_code == 302
    assert Participant.objects.exclude(withdrawn_at=None).exists()


class TestHeadings:
    """An information sheet begins with headings, if one likes, and is kept once it is filled in."""

    def test_they_are_offered_in_both_languages_and_empty_otherwise(
        self, researcher: User, sign_in: SignIn
    ) -> None:
        url = reverse("research:sheet", args=[make_study(researcher).slug])
        client = sign_in(researcher)
        page = client.get(url).content.decode()
        assert 'href="?headings=en"' in page
        assert 'href="?headings=fr"' in page
        assert "To fill in:" not in page
        page = client.get(url, {"headings": "fr"}).content.decode()
        assert "Pour se retirer" in page
        assert '<option value="fr" selected>' in page
        assert client.get(url, {"headings": "xx"}).status_code == 200

    @pytest.mark.parametrize("language", ["en", "fr"])
    def test_what_is_not_filled_in_is_no_sheet(
        self, language: str, researcher: User, sign_in: SignIn
    ) -> None:
        study = make_study(researcher)
        before = study.documents.count()
        url = reverse("research:sheet", args=[study.slug])
        sent = {"scopes": "research_audio", "language": language, "text": scaffold(language)}
        page = sign_in(researcher).post(url, sent).content.decode()
        assert "Replace this placeholder: “" in page
        assert study.documents.count() == before
        written = re.sub(r"\[.*\]", "We say it here.", scaffold(language))
        assert still_asked(written) == ()
        sign_in(researcher).post(url, sent | {"text": written.replace("\n", "\r\n")})
        assert study.documents.filter(scope="research_audio").get().text == written


def test_the_moment_that_counts_is_typed_by_the_clock_by_which_it_is_read(
    open_study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    client.cookies[COOKIE] = "America/New_York"
    edit, page = url("edit_study", open_study), url("study", open_study)
    form = client.get(edit).context["form"]
    said = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in said.items() if value not in (None, False)}
    client.post(edit, typed | {"cut_off": "2026-11-30T23:59"})
    open_study.refresh_from_db()
    assert open_study.cut_off == datetime(2026, 12, 1, 4, 59, tzinfo=UTC)
    assert "30 November 2026, 23:59" in client.get(page).content.decode()
    # Saved once more it stays where it is.
    assert 'value="2026-11-30T23:59"' in client.get(edit).content.decode()
    client.cookies[COOKIE] = "Europe/Paris"
    assert "1 December 2026, 05:59" in client.get(page).content.decode()
    assert 'value="2026-12-01T05:59"' in client.get(edit).content.decode()
    # “Never”, written as a year: elsewhere that is a year that no clock has, and nothing reads it.
    for typed_year, zone in (
        ("9999-12-31T23:59", "America/New_York"),
        ("0001-01-01T00:00", "Asia/Tokyo"),
    ):
        client.cookies[COOKIE] = zone
        assert (
            "valid date/time" in client.post(edit, typed | {"cut_off": typed_year}).content.decode()
        )
    assert client.get(reverse("research:home")).status_code == 200

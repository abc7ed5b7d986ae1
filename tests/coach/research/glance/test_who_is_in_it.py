"""Analysis at a glance: of whom there is what, as far as consent goes."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import Code, Coder, Coding, Interview, Round
from coach.research.dashboard.completeness import figures_of
from coach.research.studies.models import Scope, Study
from coach.research.studies.pages import study_page
from coach.research.studies.taking_part import leave_study
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis
from tests.coach.research.glance.looking import asked_of, rows, url
from tests.coach.research.making import agree, mark


def test_completeness_says_what_is_there_of_what_was_planned(
    coded: Study, researcher: User
) -> None:
    Study.objects.filter(pk=coded.pk).update(planned_takes=3)
    coded.refresh_from_db()
    found = {row["group"]: row for row in rows("completeness", asked_of(coded, researcher))}
    assert (found["Trainee"]["takes"], found["Trainee"]["planned_takes"]) == (1, 3)
    assert found["Coach"]["planned_takes"] is None
    assert found["Trainee"]["interviews"] == 1


def test_codings_count_only_where_consent_stands(
    coded: Study, group: Interview, researcher: User
) -> None:
    text = group.texts.get()
    mark(Round.objects.get(), 1, text, "I go first.", "pauses")
    mark(Round.objects.get(), 1, text, "Keep this", "pauses")
    Coder.objects.filter(number=2).update(kind=Coder.Kind.MODEL)
    figures = figures_of(asked_of(coded, researcher).included)
    assert (figures["codings"], figures["by_models"]) == (3, 1)
    agree(
        coded.participants.get(voices__interview__kind="interview"),
        Scope.TRANSCRIPT,
        kind="withdrawn",
    )
    figures = figures_of(asked_of(coded, researcher).included)
    assert (figures["codings"], figures["by_models"]) == (0, 0)


def test_the_page_of_a_study_counts_nothing_of_who_has_left(
    coded: Study, group: Interview, trainee: User, sent: Rehearsal, researcher: User
) -> None:
    mark(Round.objects.get(), 1, group.texts.get(), "Well.", "pauses")
    mark(Round.objects.get(), 1, group.texts.get(), "Keep this", "pauses")
    Coding.objects.create(
        study=coded,
        round=Round.objects.get(),
        coder=Coder.objects.get(number=1),
        code=Code.objects.get(name="pauses"),
        rehearsal=sent,
        start_ms=0,
        end_ms=900,
    )
    shown = study_page(coded, researcher).figures
    assert (shown["interviews"], shown["codings"]) == (2, 6)
    leave_study(
        participant=coded.participants.get(voices__interview__kind="interview"), actor=trainee
    )
    shown = study_page(coded, researcher).figures
    assert (shown["interviews"], shown["codings"]) == (1, 1)
    assert figures_of(asked_of(coded, researcher).included)["codings"] == 0


def test_the_interview_of_who_has_left_is_not_said_to_be_ready(
    coded: Study, researcher: User, trainee: User, sign_in: SignIn
) -> None:
    client, interview = sign_in(researcher), Interview.objects.get()
    pages = (url("interviews", coded), url("interview", coded, str(interview.number)))
    for page in pages:
        assert "Ready to be coded" in client.get(page).content.decode()
    left = coded.participants.get(group="trainee")
    Interview.objects.update(participant=left)
    leave_study(participant=left, actor=trainee)
    for page in pages:
        text = client.get(page).content.decode()
        assert "Hidden: this person has left the study." in text
        assert "Ready to be coded" not in text


def test_who_counts_takes_reads_no_rows_of_them(coded: Study, researcher: User) -> None:
    with CaptureQueriesContext(connection) as captured:
        asked = asked_of(coded, researcher)
        figures_of(asked.included)
        for name in ("completeness", "rules-and-coaches", "items", "measures"):
            assert rows(name, asked)
    read = " ".join(each["sql"] for each in captured)
    for column in ('"rehearsals_rehearsal"."title"', '"feedback_run"."options"', '."document"'):
        assert column not in read


def test_takes_of_a_study_come_page_by_page(
    coded: Study, researcher: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coach.research.exports.takes_pages.TAKES_A_PAGE", 1)
    trainee = coded.participants.get(group="trainee").link.user
    take = RehearsalFactory(owner=trainee, cohort=trainee.rehearsals.get().cohort)
    finish_analysis(take)
    client, address = sign_in(researcher), reverse("research:takes", args=[coded.slug])
    pages = [client.get(address, {"page": number}) for number in (1, 2)]
    shown = [row["name"] for page in pages for row in page.context["takes"]]
    assert len(shown) == len(set(shown)) == 2
    assert "1–1 of 2" in pages[0].text

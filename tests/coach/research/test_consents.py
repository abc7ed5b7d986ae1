"""Consents as a table of people and scopes, changed for several people at once with one sheet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import reverse

from coach.accounts.models import Cohort, Role, User
from coach.research.studies.consent import consents_at
from coach.research.studies.models import ConsentDocument, ConsentEvent, Member, Participant, Study
from coach.research.studies.services import start_study, write_sheet, write_sheets
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import bundle_of, make_study, rows, take_part

SOUND, PICTURE, QUOTES = "research_audio", "research_video", "research_quotes"


@pytest.fixture
def asked(researcher: User) -> Study:
    """A study that asks for sound and picture on one sheet, and for quotes on another."""
    study = make_study(researcher)
    for scopes, text in (([SOUND, PICTURE], "We record you."), ([QUOTES], "We quote you.")):
        write_sheets(
            study=study,
            scopes=scopes,
            language="en",
            text=text,
            is_material=True,
            actor=researcher,
        )
    return study


def url(study: Study, name: str = "consents") -> str:
    return reverse(f"research:{name}", args=[study.slug])


def key(text: str) -> str:
    """The key of the sheet with this text in the form."""
    return f"en-{ConsentDocument.objects.filter(text__startswith=text)[0].sha256}"


def said(study: Study) -> set[tuple[str, str, str]]:
    """The last answer of each person to each scope."""
    events = ConsentEvent.objects.order_by("at", "pk").values_list(
        "participant__pseudonym", "scope", "kind"
    )
    return {
        (*key, kind) for key, kind in {(who, scope): kind for who, scope, kind in events}.items()
    }


def test_several_people_agree_on_one_sheet_to_all_it_asks_and_withdraw_one_of_it(
    asked: Study, researcher: User, sign_in: SignIn
) -> None:
    ada, bo = (Participant.objects.create(study=asked, pseudonym=name) for name in ("ADA", "BO"))
    client = sign_in(researcher)
    form = {
        "person": [ada.pk, bo.pk],
        "sheet": key("We record you."),
        "answer": "yes",
        "method": "paper",
        "said_on": "2026-03-03",
    }
    told = client.post(url(asked), form, follow=True).content.decode()
    assert "Saved: 4 consents changed." in told
    assert "3 Mar 2026 · version 1, English · on paper" in told
    assert len(re.findall("2 of 2 agree", told)) == 2
    one = form | {"person": [bo.pk], "only": SOUND, "answer": "no"}
    client.post(url(asked), one)
    assert said(asked) == {
        ("ADA", SOUND, "granted"),
        ("ADA", PICTURE, "granted"),
        ("BO", SOUND, "withdrawn"),
        ("BO", PICTURE, "granted"),
    }
    refused = client.post(url(asked), form | {"only": QUOTES})
    assert refused.status_code == 422
    assert "This sheet does not ask for that." in refused.content.decode()
    assert (
        "Tick the people first." in client.post(url(asked), form | {"person": []}).content.decode()
    )
    for scope, state, names in (
        (SOUND, "withdrawn", ["BO"]),
        (PICTURE, "agrees", ["ADA", "BO"]),
        (PICTURE, "missing", []),
        (QUOTES, "missing", ["ADA", "BO"]),
        ("", "agrees", ["ADA", "BO"]),
    ):
        page = client.get(url(asked), {"scope": scope, "state": state}).context["rows"]
        assert [each.person.pseudonym for each in page] == names


def test_a_bundle_says_scope_by_scope_what_one_sheet_asked_for(
    asked: Study, researcher: User, sign_in: SignIn, tmp_path: Path
) -> None:
    ada = Participant.objects.create(study=asked, pseudonym="ADA")
    form = {"answer": "yes", "method": "paper", "said_on": "2026-03-03"}
    form |= {"sheet": key("We record you.")}
    sign_in(researcher).post(url(asked), form | {"person": ada.pk})
    bundle = bundle_of(asked, tmp_path, "bundle")
    texts = [bundle.read(f"documents/consent-{scope}-v1-en.txt") for scope in (SOUND, PICTURE)]
    assert texts == [b"We record you.\n"] * 2
    assert {each["scope"] for each in rows(bundle, "consents")} == {SOUND, PICTURE}


def test_a_sheet_that_changed_is_to_be_asked_again_and_who_left_is_not(
    asked: Study, researcher: User, sign_in: SignIn
) -> None:
    ada = Participant.objects.create(study=asked, pseudonym="ADA")
    gone = Participant.objects.create(
        study=asked, pseudonym="GONE", withdrawn_at="2026-01-01T00:00Z"
    )
    client = sign_in(researcher)
    form = {
        "sheet": key("We quote you."),
        "answer": "yes",
        "method": "paper",
        "said_on": "2026-03-03",
    }
    assert client.post(url(asked), form | {"person": [gone.pk]}).status_code == 422
    client.post(url(asked), form | {"person": [ada.pk]})
    write_sheet(
        study=asked,
        scope=QUOTES,
        language="en",
        text="We quote you at length.",
        is_material=True,
        actor=researcher,
    )
    page = client.get(url(asked), {"scope": QUOTES, "state": "missing"})
    assert [each.person.pseudonym for each in page.context["rows"]] == ["ADA"]
    assert "ask again" in page.content.decode()
    everybody = client.get(url(asked)).content.decode()
    assert "left the study on 1 January 2026" in everybody


def test_a_participant_agrees_to_all_of_one_sheet_and_revokes_one_of_it(
    asked: Study, cohort: Cohort, trainee: User, researcher: User, sign_in: SignIn
) -> None:
    asked.cohorts.add(cohort)
    start_study(study=asked, actor=researcher)
    client = sign_in(trainee)
    page = client.get(url(asked, "take_part")).content.decode()
    assert page.count("We record you.") == 1
    (sheet,) = re.findall(r'name="sheet" value="(\w+)"', page)
    client.post(url(asked, "take_part"), {"sheet": sheet, QUOTES: "no"})
    person = Participant.objects.get(link__user=trainee)
    at = ConsentEvent.objects.latest("at").at
    assert consents_at(asked, at)[person.pk] == {SOUND, PICTURE}
    client.post(url(asked, "take_part"), {SOUND: "yes", PICTURE: "no", QUOTES: "no"})
    at = ConsentEvent.objects.latest("at").at
    assert consents_at(asked, at)[person.pk] == {SOUND}
    # Their answers are their own: nobody records others.
    form = {
        "sheet": key("We record you."),
        "answer": "yes",
        "method": "paper",
        "said_on": "2026-03-03",
    }
    Participant.objects.create(study=asked)
    assert sign_in(researcher).post(url(asked), form | {"person": [person.pk]}).status_code == 422


@pytest.mark.parametrize(
    ("role", "reads", "records"),
    [
        ("lead", 200, True),
        ("redactor", 200, True),
        ("analyst", 200, False),
        ("coder", 404, False),
        (None, 404, False),
    ],
)
def test_who_reads_the_table_and_who_records_answers(
    asked: Study, sign_in: SignIn, role: str | None, reads: int, records: bool
) -> None:
    Participant.objects.create(study=asked, pseudonym="ADA")
    other = UserFactory(roles=[Role.RESEARCHER])
    if role:
        Member.objects.create(study=asked, user=other, role=role)
    client = sign_in(other)
    page = client.get(url(asked))
    assert page.status_code == reads
    assert ("Record the answer" in page.content.decode()) is records
    assert client.post(url(asked), {"sheet": key("We record you.")}).status_code == (
        422 if records else 404
    )


def test_a_stranger_sees_no_consent(asked: Study, stranger: User, sign_in: SignIn) -> None:
    take_part(asked, UserFactory())
    assert sign_in(stranger).get(url(asked)).status_code == 404

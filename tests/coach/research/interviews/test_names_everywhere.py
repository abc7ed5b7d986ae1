"""A name that was accepted is gone everywhere in its text, however it is written."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.research.coding.interviews.redaction.deciding import (
    NEW_TOKEN,
    accepted_names_left,
    decide,
    names_left,
    propose_redactions,
)
from coach.research.coding.interviews.redaction.locking import lock_interview
from coach.research.coding.interviews.transcript_text import SpokenTurn, lay_text
from coach.research.coding.models import Code, Interview, Memo, Redaction, Speaker, Text
from coach.research.exports.bundle.guard import problems_in
from coach.research.studies.models import Scope, Study
from tests.coach.factories import UserFactory
from tests.coach.research.conftest import lay_out
from tests.coach.research.making import agree, make_study, take_part

SAID = (
    "Zoë and Zo\u00ade left. Then ZOË DUPONT came, and zoe too. I like Dupont’s way. 我叫李娜。",
    "I met Marie Dupont, her aunt. Bo says hello; وقالت مريم.",
)


@pytest.fixture
def text(researcher: User) -> Text:
    """Of an interview with Zoë Dupont, Bo and 李娜."""
    interview = Interview.objects.create(
        study=make_study(researcher, "names"),
        number=1,
        mode="phone",
        language="en",
        held_on=date(2026, 3, 3),
    )
    voices = [
        Speaker.objects.create(
            interview=interview, label=f"P{number}", role="participant", called=name
        )
        for number, name in enumerate(("Zoë Dupont", "Bo", "李娜"), start=1)
    ]
    said = [
        SpokenTurn(speaker=voice, words=words) for voice, words in zip(voices, SAID, strict=False)
    ]
    made = lay_text(interview, said, Text.Kind.RAW)
    propose_redactions(text=made)
    return made


def accept(text: Text, words: str, actor: User, **said: object) -> str:
    row = next(e for e in text.redactions.all() if text.text[e.start : e.end] == words)
    given = {"state": "approved", "kind": "NAME", "same_as": "", "only_here": False, **said}
    return decide(redaction=row, actor=actor, **given)[0].token  # type: ignore[arg-type]


def accept_all(text: Text, actor: User) -> None:
    while row := text.redactions.filter(state=Redaction.State.PROPOSED).first():
        accept(text, text.text[row.start : row.end], actor)


def test_a_name_is_gone_whatever_its_place_case_and_accents(text: Text, researcher: User) -> None:
    proposed = {text.text[e.start : e.end] for e in text.redactions.all()}
    assert {"Zoë", "Zo\u00ade", "ZOË DUPONT", "Bo", "李娜", "Marie"} <= proposed
    accept_all(text, researcher)
    assert not names_left(text)
    locked = lock_interview(interview=text.interview, actor=researcher)
    assert locked.text == (
        "P1: [NAME-1] and [NAME-1] left. Then [NAME-1] came, and [NAME-1] too. "
        "I like [NAME-1]’s way. 我叫[NAME-2]。\n"
        "P2: I met [NAME-3] [NAME-1], her aunt. [NAME-4] says hello; وقالت مريم."
    )


def test_one_person_has_one_token_unless_somebody_says_otherwise(
    text: Text, researcher: User
) -> None:
    assert accept(text, "ZOË DUPONT", researcher) == "[NAME-1]"
    assert accept(text, "Zoë", researcher) == "[NAME-1]"
    assert accept(text, "Dupont", researcher, same_as=NEW_TOKEN) == "[NAME-2]"


def test_what_was_left_is_listed_and_refuses_the_export(
    text: Text, researcher: User, client: Client, tmp_path: Path
) -> None:
    study = text.interview.study
    accept_all(text, researcher)
    accept(text, "Zoë", researcher, state="rejected", only_here=True)
    assert names_left(text) == {"Zoë": 1}
    client.force_login(researcher)
    page = client.get(reverse("research:redact", args=[study.slug, 1])).context
    assert page["left"] == [("Zoë", 1)]
    assert [(each.count, each.shown[-1]) for each in page["unread"]] == [(2, "مريم"), (1, "我叫")]
    url = reverse("research:redact", args=[study.slug, 1])
    client.post(url, {"step": "left", "found": "Zoë"})
    assert not names_left(text)
    accept(text, "Zoë", researcher, state="rejected", only_here=True)
    locked = lock_interview(interview=text.interview, actor=researcher)
    assert accepted_names_left(text.interview, locked) == {"Zoë": 1}
    take_part(study, UserFactory())
    agree(study.participants.get(), Scope.TRANSCRIPT)
    text.interview.speakers.update(participant=study.participants.get())
    Interview.objects.update(participant=study.participants.get())
    found = problems_in(lay_out(study, tmp_path), tmp_path)
    assert ("still_named", "interview:INT-01") in {(each.code, each.about) for each in found}


GUARDED = (
    ("gerard dupont", True),
    ("as G\u00aderard said", True),
    ("DUPONT says so", True),
    ("Dupontel et gerarde", False),
)


@pytest.mark.parametrize(("words", "is_name"), GUARDED)
def test_the_guard_folds_names_in_what_coders_write(
    study: Study, tmp_path: Path, words: str, is_name: bool
) -> None:
    User.objects.filter(pseudonyms__study=study).update(name="Gérard Dupont")
    Code.objects.filter(name="helping").update(name=words)
    Memo.objects.update(body=words)
    found = problems_in(lay_out(study, tmp_path), tmp_path)
    places = {each.place.split(",")[0] for each in found if each.code == "known_name"}
    assert ({"data/codes.csv", "data/memos.csv"} <= places) is is_name
    about = {each.about.split(":")[0] for each in found if each.place.startswith("data/")}
    assert about <= {"code", "memo"}

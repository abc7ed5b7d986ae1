"""A name in what coders wrote can be redacted at any time, by its author or a redactor."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.research.coding.codebook.services import change_code
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import (
    Code,
    CodebookVersion,
    CodeChange,
    Coding,
    Memo,
    Round,
    Theme,
    ThemeChange,
    ThemeMemo,
)
from coach.research.coding.written import writings
from coach.research.exports.execution import execute_export
from coach.research.exports.models import BundleImport
from coach.research.exports.services import ask_for_export
from coach.research.exports.written_pages import places_in
from coach.research.studies.models import Member, Study
from coach.research.studies.taking_part import leave_study
from coach.research.themes.services import add_theme, change_theme
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_interview, take_part

NAME = "Ge\u0301rard Dupont"


@pytest.fixture
def named(study: Study, researcher: User, trainee: User) -> Study:
    """A study of a closed round, with Gérard's name in everything that is written."""
    User.objects.filter(pk=trainee.pk).update(name="Gérard Dupont")
    code = Code.objects.get(name="helping")
    code.name = "gerard dupont"
    change_code(code=code, actor=researcher)
    Coding.objects.filter(coder__number=1).update(memo=f"Ask {NAME}, 06 12 34 56 78")
    Memo.objects.update(body="DUPONT says so.")
    keep_version(study=study, note="with Gérard", actor=researcher)
    theme = add_theme(study=study, name="Gérard’s time", actor=researcher)
    memo = "Dupont waits."
    change_theme(theme=theme, name="Time of Dupont", memo=memo, codes=[], actor=researcher)
    assert Round.objects.get().state == Round.State.CLOSED
    return study


def everything(study: Study) -> str:
    """What is stored of the coders' writing, and of the acts on it."""
    rows = [
        *Code.objects.values_list("name", "examples"),
        *CodebookVersion.objects.values_list("document", "note"),
        *CodeChange.objects.values_list("before", "after"),
        *Coding.objects.values_list("memo"),
        *Memo.objects.values_list("title", "body"),
        *Theme.objects.values_list("name"),
        *ThemeMemo.objects.values_list("body"),
        *ThemeChange.objects.values_list("before", "after"),
        *Entry.objects.filter(action__startswith="research.").values_list("detail"),
        *BundleImport.objects.values_list("name", "problems"),
    ]
    return json.dumps([list(map(str, each)) for each in rows], ensure_ascii=False).casefold()


def test_a_redactor_redacts_every_place_and_it_is_on_record(
    named: Study, researcher: User, client: Client
) -> None:
    client.force_login(researcher)
    url = reverse("research:written", args=[named.slug])
    places = client.get(url).context["places"]
    assert {each.about.split(":")[0] for each in places} >= {
        *("code", "version", "coding", "memo", "theme", "theme_memo", "theme_change"),
    }
    book = CodebookVersion.objects.get(number=2)
    for each in places:
        client.post(url, {"about": each.about, "found": each.words})
    assert not list(places_in(named, writings(named)))
    assert "dupont" not in everything(named)
    assert Memo.objects.get().body == "[…] says so."
    assert CodebookVersion.objects.get(number=2).digest != book.digest
    assert Entry.objects.filter(action="research.version_redacted").exists()


def test_a_coder_redacts_their_own_memos_only(named: Study, client: Client) -> None:
    coder = UserFactory(roles=[Role.RESEARCHER])
    url = reverse("research:written", args=[named.slug])
    client.force_login(coder)
    assert client.get(url).status_code == 404
    Member.objects.create(study=named, user=coder, role=Member.Role.CODER)
    assert not client.get(url).context["places"]
    round_coder = named.rounds.get().coders.get(number=1)
    round_coder.user = coder
    round_coder.save()
    client.post(url, {"words": "dupont"})
    memos = set(Coding.objects.filter(coder=round_coder).values_list("memo", flat=True))
    assert all("Dupont" not in memo for memo in memos)
    assert Code.objects.filter(name="gerard dupont").exists()


def test_a_full_name_is_never_allowed(named: Study, researcher: User, client: Client) -> None:
    client.force_login(researcher)
    url = reverse("research:allow_words", args=[named.slug])
    assert client.post(url, {"words": "GERARD DUPONT"}).context["form"].errors
    client.post(url, {"words": "tempo"})
    named.refresh_from_db()
    assert named.innocent_words == ["tempo"]


def test_nothing_of_somebody_who_left_stands_in_a_version_or_log(
    named: Study, trainee: User
) -> None:
    BundleImport.objects.create(study=named, name="Entretien Gérard Dupont.docx")
    leave_study(participant=named.participants.get(link__user=trainee), actor=trainee)
    assert "dupont" not in everything(named)
    assert "gérard" not in everything(named)
    assert Code.objects.filter(name="[…]").exists()


def test_a_refusal_names_every_cause_once_with_its_link(
    named: Study, researcher: User, client: Client
) -> None:
    make_interview(named, [("P", None, "Well.")]).speakers.update(role="participant")
    export = ask_for_export(
        study=named, researcher=researcher, recipient="A", purpose="B", agreement="", formats=[]
    )
    execute_export(export.pk)
    client.force_login(researcher)
    causes = client.get(reverse("research:bundle", args=[export.pk])).context["row"]["causes"]
    by_code = {each.code: each.places for each in causes}
    assert list(by_code) == ["known_name", "phone", "unnamed_voice", "agreement_needed"]
    written = reverse("research:written", args=[named.slug])
    memo = Memo.objects.get()
    assert f"{written}#memo:{memo.guid}" in {each.link for each in by_code["known_name"]}
    assert all(each.link for each in by_code["known_name"])
    assert len({each.link for each in by_code["known_name"]}) == len(by_code["known_name"])
    assert [each.link for each in by_code["unnamed_voice"]] == [
        reverse("research:interview", args=[named.slug, 2])
    ]


def test_done_names_what_stayed_behind(study: Study, researcher: User) -> None:
    silent = take_part(study, UserFactory())
    make_interview(study, [("P", silent, "Well.")])
    export = ask_for_export(
        study=study, researcher=researcher, recipient="A", purpose="B", agreement="1", formats=[]
    )
    execute_export(export.pk)
    export.refresh_from_db()
    assert ["interviews", "not_consented", 1, ["INT-02"]] in export.left_behind

"""Passages by words, codes and people, and candidate themes with their memos and history."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.portal.personal.own_data import own_data
from coach.research.coding.codebook.merging import merge_codes
from coach.research.coding.models import (
    Assignment,
    Code,
    Coding,
    Round,
    Theme,
    ThemeChange,
    ThemeMemo,
)
from coach.research.exports.importing import load_bundle
from coach.research.exports.models import ExportedPseudonym
from coach.research.studies.models import Member, Study
from coach.research.studies.taking_part import leave_study
from coach.research.themes.retrieval import PassageQuery, passages_for
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import bundle_of, make_study, rows


def url(name: str, *more: object) -> str:
    return reverse(f"research:{name}", args=["first-talks", *more])


@pytest.fixture
def rui(study: Study, researcher: User, sign_in: SignIn) -> Client:
    return sign_in(researcher)


@pytest.fixture
def theme(rui: Client) -> Theme:
    """A theme with both codes and two versions of its memo."""
    rui.post(url("themes"), {"name": "Taking time"})
    made = Theme.objects.get()
    codes = list(Code.objects.values_list("pk", flat=True))
    for memo in ("A first idea.", "Silence as a means."):
        rui.post(url("theme", made.pk), {"name": made.name, "memo": memo, "codes": codes})
    return made


def found(user: User, **asked: object) -> list[str]:
    study = Study.objects.get()
    return [each.words for each in passages_for(user, study, PassageQuery(**asked))]  # type: ignore[arg-type]


def test_words_are_found_whatever_their_case_and_accents(study: Study, researcher: User) -> None:
    assert found(researcher, words="A MON  avis") == ["À mon avis, التوقّف يساعد كثيرًا."]
    assert found(researcher, words="quite")[0].startswith("I like pauses")
    assert found(researcher, words="P: I like") == []
    assert found(researcher, words="unsaid") == []


def test_two_codes_on_the_same_words_and_either(study: Study, researcher: User) -> None:
    pauses, helping = (Code.objects.get(name=name) for name in ("pauses", "helping"))
    coding = Coding.objects.filter(code=pauses).latest("end")
    text = coding.text
    assert text is not None
    start = text.text.index("they help")
    Coding.objects.create(
        study=study, round=coding.round, coder=coding.coder, code=helping, text=text,
        start=start, end=start + len("they help; q"),
    )  # fmt: skip
    asked = {"codes": frozenset({pauses.pk}), "also": helping.pk}
    assert found(researcher, **asked, is_both=True) == ["they help"]
    assert len(found(researcher, **asked)) == 4
    assert found(researcher, **asked, words="they help", is_both=True) == ["they help"]
    coach = study.participants.get(group="coach")
    assert found(researcher, **asked, participant=coach.pk) == []
    assert len(found(researcher, **asked, group="trainee")) == 4
    # What a code of an open round says is seen by its coder only; rejected codes by nobody.
    Coding.objects.filter(code=helping).update(status=Coding.Status.REJECTED)
    assert len(found(researcher, **asked)) == 2
    Round.objects.update(state=Round.State.OPEN)
    assert found(researcher, **asked) == []


def test_the_page_counts_and_goes_out_as_a_table_without_names(
    study: Study, rui: Client, researcher: User
) -> None:
    code = Code.objects.get(name="pauses")
    page = rui.get(url("passages"), {"code": code.pk})
    assert page.context["counts"] == {"passages": 2, "interviews": 1, "takes": 0, "people": 1}
    table = rui.get(url("passages_csv"), {"code": code.pk})
    lines = b"".join(table).decode() if table.streaming else table.content.decode()
    ana = study.participants.get(group="trainee")
    assert lines.count(ana.pseudonym) == 2
    assert ExportedPseudonym.objects.get().pseudonym == ana.pseudonym
    # A name in a memo stops it, as it stops a bundle.
    User.objects.filter(email="ana@example.org").update(name="Ana Gomez")
    Coding.objects.filter(code=code).update(memo="Ask Ms Gomez.")
    refused = rui.get(url("passages_csv"), {"code": code.pk})
    assert refused.status_code == 302
    assert ExportedPseudonym.objects.count() == 1
    # Without consent to their words nothing of them leaves.
    Coding.objects.update(memo="")
    leave_study(participant=ana, actor=researcher)
    assert found(researcher, codes=frozenset({code.pk})) == []


def test_a_theme_keeps_its_memos_and_its_history(
    theme: Theme, rui: Client, researcher: User
) -> None:
    page = rui.get(url("theme", theme.pk))
    assert page.context["memo"] == "Silence as a means."
    assert page.context["counts"]["passages"] == 3
    assert [each.body for each in theme.memos.all()] == ["Silence as a means.", "A first idea."]
    assert [each.by.user for each in theme.memos.all()] == [researcher] * 2
    rui.post(url("themes"), {"name": "Breath"})
    other = Theme.objects.get(name="Breath")
    rui.post(url("theme_step", other.pk), {"step": "up"})
    assert [each.name for each in Theme.objects.all()] == ["Breath", "Taking time"]
    rui.post(url("theme_step", theme.pk), {"step": "merge", "into": other.pk})
    assert other.codes.count() == 2
    assert other.memos.count() == 2
    rui.post(url("theme_step", other.pk), {"step": "remove"})
    last = ThemeChange.objects.first()
    assert last is not None
    assert (last.kind, last.before["memo"]) == ("removed", "Silence as a means.")
    assert "Taking time" in rui.get(url("themes")).content.decode()


def test_a_merged_code_stays_in_its_theme(theme: Theme, researcher: User) -> None:
    pauses, helping = (Code.objects.get(name=name) for name in ("pauses", "helping"))
    theme.codes.set([pauses])
    merge_codes(code=pauses, into=helping, actor=researcher)
    assert list(theme.codes.all()) == [helping]


def test_themes_go_out_and_come_in_again(
    theme: Theme, study: Study, researcher: User, tmp_path: Path
) -> None:
    with bundle_of(study, tmp_path, "first") as archive:
        assert [row["name"] for row in rows(archive, "themes")] == ["Taking time"]
        memos = [row["body"] for row in rows(archive, "theme_memos")]
    assert memos == ["A first idea.", "Silence as a means."]
    empty = make_study(researcher, "replication")
    load_bundle(study=empty, path=tmp_path / "first.zip", actor=researcher)
    [again] = Theme.objects.filter(study=empty)
    assert (again.name, again.guid, again.codes.count()) == (theme.name, theme.guid, 2)
    assert [each.body for each in again.memos.all()][::-1] == memos


def test_nothing_of_a_person_who_left_stands_in_themes(
    theme: Theme, rui: Client, study: Study, researcher: User
) -> None:
    ana = study.participants.get(group="trainee")
    User.objects.filter(email="ana@example.org").update(name="Ana Gomez")
    codes = list(Code.objects.values_list("pk", flat=True))
    for said in ("Gomez", "Gomez and others"):
        rui.post(url("theme", theme.pk), {"name": f"Time of {said}", "memo": said, "codes": codes})
    leave_study(participant=ana, actor=researcher)
    kept = [*Theme.objects.values_list("name"), *ThemeMemo.objects.values_list("body")]
    assert "Gomez" not in str([*kept, *ThemeChange.objects.values_list("before", "after")])


def test_ones_own_memos_of_themes_are_ones_own_data(theme: Theme, researcher: User) -> None:
    assert "Silence as a means." in str(own_data(researcher)["coding"])


def test_strangers_read_nothing_and_allocators_change_nothing(
    theme: Theme, study: Study, sign_in: SignIn
) -> None:
    pages = [url("passages"), url("themes"), url("theme", theme.pk), url("passages_csv")]
    stranger = UserFactory(email="s@example.org", name="S", roles=[Role.RESEARCHER])
    client = sign_in(stranger)
    assert {client.get(page).status_code for page in pages} == {404}
    assert client.post(url("theme_step", theme.pk), {"step": "remove"}).status_code == 404
    Member.objects.create(study=study, user=stranger, role=Member.Role.ALLOCATOR)
    assert client.get(url("passages_csv")).status_code == 404
    assert client.post(url("theme", theme.pk), {"name": "x"}).status_code == 404
    assert client.post(url("theme_step", theme.pk), {"step": "remove"}).status_code == 404
    assert not Assignment.objects.exists()
    assert Theme.objects.exists()

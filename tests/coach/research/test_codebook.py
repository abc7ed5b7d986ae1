"""The codebook: its tree, its versions, and what becomes of codings when codes merge or split."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.research.coding.agreement import agreement_rows
from coach.research.coding.codebook.merging import merge_codes, sort_codings, split_code
from coach.research.coding.codebook.tree import in_order
from coach.research.coding.codebook.versions import differences, document_of, keep_version
from coach.research.coding.models import Code, CodebookVersion, Coding, Round, Text
from coach.research.coding.selectors import codings_for
from coach.research.studies.models import Member, Study
from coach.research.studies.taking_part import leave_study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_study, mark

SLUG = "first-talks"


def url(name: str, *more: object) -> str:
    return reverse(f"research:{name}", args=[SLUG, *more])


@pytest.fixture
def empty(researcher: User) -> Study:
    """Rui's study, with nothing in it."""
    return make_study(researcher, SLUG)


@pytest.fixture
def rui(empty: Study, researcher: User, sign_in: SignIn) -> Client:
    """Rui's browser."""
    return sign_in(researcher)


def add(client: Client, name: str, **more: object) -> Code:
    """A code, by the page."""
    fields = {"name": name, "colour": "#2a9d8f", "is_codable": "on", **more}
    answer = client.post(url("new_code"), fields)
    assert answer.status_code == 302, answer.content.decode()
    return Code.objects.get(name=" ".join(name.split()))


def close_rounds() -> None:
    Round.objects.update(state=Round.State.CLOSED)


def names() -> list[tuple[str, int]]:
    return [(code.name, depth) for code, depth in in_order(Code.objects.all())]


def test_what_has_a_code_is_read_together_by_who_may_see_its_codings(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    """Of the closed round of the fixture: two stretches that begin alike, one with a memo."""
    client, pauses = sign_in(researcher), Code.objects.get(name="pauses")
    page = f"{reverse('research:passages', args=[study.slug])}?code={pauses.pk}"
    told = client.get(page).content.decode()
    assert page in client.get(reverse("research:codebook", args=[study.slug])).content.decode()
    for said in (
        "pauses 👩🏽‍🏫</q>",
        "pauses 👩🏽‍🏫, they help</q>",
        "INT-01 · 2 · P",
        "At once 🙂",
    ):
        assert said in told
    assert told.count("</q>") == 2
    found = client.get(f"{page}&words=+THEY++help+").content.decode()
    assert (found.count("</q>"), "they help</q>" in found) == (1, True)
    assert "</q>" not in client.get(f"{page}&words=unsaid").content.decode()
    assert client.get(f"{page}&words=%00x&from={'9' * 30}").status_code == 200
    # What others mark in an open round is not seen, and nobody reads who has left.
    Round.objects.update(state=Round.State.OPEN)
    assert "</q>" not in client.get(page).content.decode()
    close_rounds()
    leave_study(participant=study.participants.get(group="trainee"), actor=researcher)
    assert "</q>" not in client.get(page).content.decode()


def test_who_saves_later_takes_back_nothing_that_a_colleague_wrote(rui: Client) -> None:
    code = add(rui, "pauses", description="Silence.\nOf any length.", examples="I wait.")
    page = rui.get(url("code", code.pk))
    shown = page.context["form"]
    mine = {each.name: each.value() or "" for each in shown if each.name != "parent"}
    assert f'name="seen" value="{mine["seen"]}"' in page.content.decode()
    theirs = mine | {"description": "Silence of a second.", "include_when": "It is named."}
    assert rui.post(url("code", code.pk), theirs).status_code == 302
    # Sent as browsers send lines; nobody touched the description here.
    mine["description"] = mine["description"].replace("\n", "\r\n")
    assert rui.post(url("code", code.pk), mine | {"examples": "I breathe."}).status_code == 302
    code.refresh_from_db()
    assert (code.description, code.include_when, code.examples) == (
        "Silence of a second.",
        "It is named.",
        "I breathe.",
    )
    # Both changed it: both are shown, and the next press knows.
    refused = rui.post(url("code", code.pk), mine | {"description": "Quiet."})
    told = refused.content.decode()
    assert "Someone else changed this in the meantime: “Silence of a second.”" in told
    assert "Quiet.</textarea>" in told
    again = mine | {"description": "Quiet.", "seen": refused.context["form"]["seen"].value()}
    assert rui.post(url("code", code.pk), again).status_code == 302
    code.refresh_from_db()
    assert code.description == "Quiet."


def test_codes_stand_in_a_tree_and_are_moved_in_it(rui: Client) -> None:
    pauses, pace = add(rui, "pauses"), add(rui, "pace")
    add(rui, "long  ones", parent=pauses.pk, description="Two seconds.")
    rui.post(url("move_code", pace.pk), {"to": "up"})
    assert names() == [("pace", 0), ("pauses", 0), ("long ones", 1)]
    rui.post(url("move_code", pace.pk), {"to": "up"})
    fields = {"name": "pauses", "is_codable": "on", "parent": pace.pk, "colour": "#ABC"}
    rui.post(url("code", pauses.pk), fields)
    assert names() == [("pace", 0), ("pauses", 1), ("long ones", 2)]
    pauses.refresh_from_db()
    assert pauses.colour == "#aabbcc"
    page = rui.get(url("codebook")).content.decode()
    assert "Two seconds." in page
    assert (
        f".code-{pauses.pk} {{ --code: #aabbcc; }}" in rui.get(url("code_colours")).content.decode()
    )
    kinds = set(pauses.changes.values_list("kind", flat=True))
    assert kinds == {"added", "changed", "moved"}
    assert "research.code_moved" in set(Entry.objects.values_list("action", flat=True))


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"colour": "#2a9d8fff"}, "do not support transparency"),
        ({"colour": "red"}, "do not support transparency"),
        ({"name": "Pauses "}, "Another code already has this name"),
        ({"shortcut": "x"}, "Select a valid choice"),
    ],
)
def test_a_code_that_other_tools_could_not_read_is_refused(
    fields: dict[str, str], why: str, rui: Client
) -> None:
    add(rui, "pauses")
    page = rui.post(url("new_code"), {"name": "pace", "colour": "#2a9d8f", **fields})
    assert why in page.content.decode()
    assert Code.objects.count() == 1


def test_a_heading_is_told_as_one_and_what_nobody_was_given_is_not_counted(rui: Client) -> None:
    add(rui, "silences")
    rui.post(url("new_code"), {"name": "delivery", "colour": "#2a9d8f"})
    for is_codable, told in (
        (False, "This code only groups other codes."),
        (True, "You cannot see any passages with this code."),
    ):
        page = rui.get(url("code", Code.objects.get(is_codable=is_codable).pk)).content.decode()
        assert f'<p class="lead">{told}</p>' in page


def test_no_code_stands_below_itself(rui: Client) -> None:
    pauses = add(rui, "pauses")
    long = add(rui, "long", parent=pauses.pk)
    page = rui.post(url("code", pauses.pk), {"name": "pauses", "parent": long.pk, "colour": ""})
    assert "Select a valid choice" in page.content.decode()
    pauses.refresh_from_db()
    assert pauses.parent is None


@pytest.mark.parametrize(
    ("language", "first"), [("en", "T1 Division of labour"), ("fr", "T1 Répartition du travail")]
)
def test_eleven_themes_are_a_beginning_in_either_language(
    language: str, first: str, rui: Client
) -> None:
    rui.post(url("begin_codebook"), {"language": language})
    found = list(Code.objects.order_by("position"))
    assert len(found) == 11
    assert found[0].name == first
    assert all(code.description and code.include_when and code.exclude_when for code in found)
    assert len({code.colour for code in found}) == 11
    rui.post(url("begin_codebook"), {"language": language})
    assert Code.objects.count() == 11


def test_a_version_never_changes_and_the_next_one_says_what_is_new(rui: Client) -> None:
    pauses, pace = add(rui, "pauses"), add(rui, "pace")
    rui.post(url("keep_codebook"), {"note": "To begin\0 with."})
    rui.post(url("keep_codebook"), {"note": "Nothing new."})
    first = CodebookVersion.objects.get()
    rui.post(url("code", pauses.pk), {"name": "silences", "is_codable": "on", "colour": "#2a9d8f"})
    rui.post(url("code_state", pace.pk), {"step": "retire"})
    add(rui, "tone")
    rui.post(url("keep_codebook"), {"note": "Better names."})
    assert [code["name"] for code in first.document] == ["pauses", "pace"]
    first.refresh_from_db()
    assert [code["name"] for code in first.document] == ["pauses", "pace"]
    second = CodebookVersion.objects.get(number=2)
    found = {
        each.name: (each.kind, each.fields) for each in differences(first.document, second.document)
    }
    assert found == {
        "silences": ("changed", ("name",)),
        "pace": ("changed", ("state",)),
        "tone": ("added", ()),
    }
    page = rui.get(url("codebook_version", 2)).content.decode()
    assert "silences" in page
    assert "Better names." in page
    rui.post(url("code_state", pauses.pk), {"step": "remove"})
    assert Code.objects.filter(pk=pauses.pk).exists()  # a version has it
    rui.post(url("code_state", pace.pk), {"step": "restore"})
    pace.refresh_from_db()
    assert pace.state == Code.State.ACTIVE


def test_merging_moves_every_coding_and_leaves_a_trace(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    coding_round = Round.objects.get()
    text = study.interviews.get().texts.get()
    helping, pauses = Code.objects.get(name="helping"), Code.objects.get(name="pauses")
    twin = mark(coding_round, 1, text, "pauses 👩🏽‍🏫", "helping", memo="Here too.")
    moved = helping.codings.exclude(pk=twin.pk).get()
    close_rounds()
    client = sign_in(researcher)
    client.post(url("merge_code", helping.pk), {"into": pauses.pk})
    helping.refresh_from_db()
    assert (helping.state, helping.merged_into) == ("merged", pauses)
    moved.refresh_from_db()
    assert moved.code == pauses
    assert not Coding.objects.filter(pk=twin.pk).exists()
    kept = Coding.objects.get(coder__number=1, start=twin.start, end=twin.end, code=pauses)
    assert kept.memo == "At once 🙂\nHere too."
    trace = helping.changes.get(kind="merged").after
    assert trace["codings"] == [str(moved.guid)]
    assert trace["same"] == [{"guid": str(twin.guid), "kept": str(kept.guid), "memo": "Here too."}]
    assert "1 coding moved." in client.get(url("code", helping.pk)).content.decode()


def test_nothing_moves_while_a_round_is_coded_with_it(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    Round.objects.update(state=Round.State.OPEN)
    book = keep_version(study=study, note="", actor=researcher)
    Round.objects.update(codebook=book)
    helping, pauses = Code.objects.get(name="helping"), Code.objects.get(name="pauses")
    client = sign_in(researcher)
    for name, fields in (("merge_code", {"into": pauses.pk}), ("split_code", {"names": "a\nb"})):
        page = client.post(url(name, helping.pk), fields)
        assert "Close the round first" in page.content.decode()
    assert helping.codings.count() == 1
    assert Code.objects.count() == 2


def test_a_split_code_is_sorted_coding_by_coding(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    close_rounds()
    pauses = Code.objects.get(name="pauses")
    first, second = pauses.codings.order_by("pk")
    client = sign_in(researcher)
    client.post(url("split_code", pauses.pk), {"names": "short ones\nlong ones"})
    page = client.get(url("sort_codings", pauses.pk)).content.decode()
    assert "pauses 👩🏽‍🏫, they help" in page
    long = Code.objects.get(name="long ones")
    answers = {f"c{first.pk}": long.pk, f"c{second.pk}": "", "cx": long.pk, f"c{10**20}": long.pk}
    client.post(url("sort_codings", pauses.pk), answers)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.code, second.code) == (long, pauses)
    traces = [change.after for change in pauses.changes.filter(kind="split")]
    assert {"codings": {str(first.guid): "long ones"}} in traces


def test_a_code_of_another_study_is_merged_into_none(study: Study, researcher: User) -> None:
    close_rounds()
    other = Code.objects.create(study=make_study(researcher, "other"), name="pace")
    code = Code.objects.get(name="helping")
    with pytest.raises(Exception, match="Choose another code"):
        merge_codes(code=code, into=other, actor=researcher)


def test_of_an_open_round_everybody_sees_their_own_codings_alone(
    study: Study, researcher: User, stranger: User
) -> None:
    coding_round = Round.objects.get()
    Round.objects.update(state=Round.State.OPEN)
    assert not codings_for(researcher).exists()
    coding_round.coders.filter(number=1).update(user=researcher)
    assert {each.coder.number for each in codings_for(researcher)} == {1}
    coding_round.coders.filter(number=1).update(kind="model")
    assert not codings_for(researcher).exists()
    close_rounds()
    assert codings_for(researcher).count() == 3
    assert not codings_for(stranger).exists()


def test_who_codes_reads_the_codebook_and_only_few_hands_change_it(
    study: Study, stranger: User, sign_in: SignIn
) -> None:
    code = Code.objects.get(name="pauses")
    coder = UserFactory(name="Ida", roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=coder, role=Member.Role.CODER)
    outsider = UserFactory(name="Jon", roles=[Role.RESEARCHER])
    reads = [url("codebook"), url("code_colours"), url("passages")]
    changes = [
        url("new_code"),
        url("code", code.pk),
        url("merge_code", code.pk),
        url("split_code", code.pk),
        url("sort_codings", code.pk),
    ]
    posts = [
        url("begin_codebook"),
        url("keep_codebook"),
        url("move_code", code.pk),
        url("code_state", code.pk),
    ]
    member, other = sign_in(coder), sign_in(outsider)
    assert {member.get(page).status_code for page in reads} == {200}
    assert {member.get(page).status_code for page in changes} == {404}
    assert {member.post(page, {"to": "up"}).status_code for page in changes + posts} == {404}
    nobody = sign_in(stranger)
    for client in (other, nobody):
        assert {client.get(page).status_code for page in reads + changes} == {404}
        assert {client.post(page).status_code for page in changes + posts} == {404}


def test_a_closed_round_keeps_its_agreement_when_codes_are_merged_or_sorted(
    study: Study, researcher: User
) -> None:
    """`study` of conftest: C1 and C2 have `pauses` in one turn, C1 alone has `helping`."""
    coding_round = Round.objects.get()
    book = coding_round.codebook
    book.document = document_of(study)
    book.save()
    texts = list(Text.objects.prefetch_related("turns__speaker"))
    pauses, helping = (Code.objects.get(name=name) for name in ("pauses", "helping"))
    same = Coding.objects.filter(code=pauses).earliest("pk")
    Coding.objects.create(
        study=study,
        round=coding_round,
        coder=same.coder,
        code=helping,
        text=same.text,
        start=same.start,
        end=same.end,
        memo="Both.",
    )
    before = list(agreement_rows(coding_round, texts))
    merge_codes(code=helping, into=pauses, actor=researcher)
    assert list(agreement_rows(coding_round, texts)) == before
    same.refresh_from_db()
    assert sorted(same.coded_as) == sorted([pauses.guid, helping.guid])
    (made,) = split_code(code=pauses, names=["long pauses"], actor=researcher)
    moved = list(Coding.objects.filter(code=pauses))
    sort_codings(code=pauses, into={each.pk: made for each in moved}, actor=researcher)
    assert not Coding.objects.filter(code=pauses).exists()
    assert list(agreement_rows(coding_round, texts)) == before
    guids = {row["code_guid"] for row in before}
    assert guids == {str(pauses.guid), str(helping.guid)}

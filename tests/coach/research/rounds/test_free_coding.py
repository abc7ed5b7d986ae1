"""Free coding: without a round, with new codes while reading, each change on record."""

from __future__ import annotations

import pytest

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.research.coding.agreement import agreement_rows
from coach.research.coding.models import Assignment, Code, CodeChange, Coding, Round, Text
from coach.research.studies.models import Member, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.rounds.coding import HTMX, send, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def freely(study_to_code: Study, ida: User, sign_in: SignIn) -> Assignment:
    """Ida codes the interview freely."""
    sign_in(ida).post(url("open_free", 1))
    return Assignment.objects.get(coder__user=ida)


def test_new_codes_are_named_while_reading_and_in_vivo(
    freely: Assignment, ida: User, sign_in: SignIn
) -> None:
    client = sign_in(ida)
    page = send(client, ida, "they help", "pauses", new="named", name=" calm\0  ways ")
    assert "calm ways" in page
    assert 'id="codes"' in page
    send(client, ida, "<really>", "pauses", new="in-vivo")
    assert {each.code.name for each in Coding.objects.all()} == {"calm ways", "<really>"}
    # A name that is there already is applied, in whatever case it is typed.
    send(client, ida, "a lot", "pauses", new="named", name="PAUSES")
    assert Coding.objects.latest("pk").code.name == "pauses"
    page = send(client, ida, "a lot", "pauses", new="named", name="")
    assert "1 to 120" in page
    assert CodeChange.objects.filter(kind="added", by=ida).count() == 2


def test_a_code_is_replaced_renamed_and_merged_on_record(
    freely: Assignment, ida: User, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(ida)
    send(client, ida, "they help", "pauses")
    coding = Coding.objects.get()
    more = {"code": Code.objects.get(name="helping").pk, "replace": coding.pk}
    client.post(url("mark", freely.pk), more, headers=HTMX)
    coding.refresh_from_db()
    assert coding.code.name == "helping"
    change = CodeChange.objects.get(kind="recoded")
    assert (change.code.name, change.by, change.after["into"]) == ("pauses", ida, "helping")
    details = Entry.objects.get(action="research.recoded").detail
    assert (details["code"], details["into"]) == ("pauses", "helping")
    client.post(url("undo_coding", freely.pk))
    coding.refresh_from_db()
    assert coding.code.name == "pauses"
    # Ida may change what she added; the codes of others she may not.
    send(client, ida, "a lot", "pauses", new="named", name="much")
    mine, pauses = Code.objects.get(name="much"), Code.objects.get(name="pauses")
    assert client.get(url("code", pauses.pk)).status_code == 404
    assert client.get(url("code", mine.pk)).status_code == 200
    to = f"?from={freely.pk}"
    answer = client.post(url("merge_code", mine.pk) + to, {"into": pauses.pk})
    assert answer.headers["Location"] == url("coding", freely.pk)
    mine.refresh_from_db()
    assert mine.merged_into == pauses


def test_others_codings_are_shown_by_choice_and_are_not_ones_own(
    freely: Assignment, ida: User, researcher: User, sign_in: SignIn
) -> None:
    send(sign_in(ida), ida, "they help", "pauses")
    coding = Coding.objects.get()
    lead = sign_in(researcher)
    lead.post(url("open_free", 1))
    own = Assignment.objects.get(coder__user=researcher)
    shown = f'data-coding="{coding.pk}"'
    assert shown not in lead.get(url("coding", own.pk)).content.decode()
    lead.post(url("show_others", own.pk), {"show": "yes"})
    assert shown in lead.get(url("coding", own.pk)).content.decode()
    more = {"code": Code.objects.get(name="helping").pk, "replace": coding.pk}
    assert lead.post(url("mark", own.pk), more).status_code == 404
    assert lead.post(url("unmark", own.pk), {"coding": coding.pk}).status_code == 404
    assert lead.get(url("coding", freely.pk)).status_code == 404


def test_free_coding_is_no_round(
    freely: Assignment, ida: User, researcher: User, sign_in: SignIn
) -> None:
    send(sign_in(ida), ida, "they help", "pauses")
    free = Round.objects.get()
    assert free.is_free
    assert free.number == 0
    lead = sign_in(researcher)
    for page in ("round", "differences", "agreement"):
        assert lead.get(url(page, 0)).status_code == 404
    assert "INT-01" in lead.get(url("rounds")).content.decode()
    assert not any(row["n_units"] for row in agreement_rows(free, [Text.objects.get()]))


def test_new_codes_stay_out_of_rounds(opened: Round, ida: User, sign_in: SignIn) -> None:
    page = send(sign_in(ida), ida, "they help", "pauses", new="named", name="new one")
    assert "coder__refused" in page
    assert not Code.objects.filter(name="new one").exists()


def test_strangers_and_allocators_do_not_code_freely(
    study_to_code: Study, ida: User, sign_in: SignIn
) -> None:
    stranger = UserFactory(email="s@example.org", name="S", roles=[Role.RESEARCHER])
    assert sign_in(stranger).post(url("open_free", 1)).status_code == 404
    Member.objects.filter(user=ida).update(role=Member.Role.ALLOCATOR)
    assert sign_in(ida).post(url("open_free", 1)).status_code == 404
    assert not Assignment.objects.exists()


def test_while_a_round_uses_a_code_only_free_codings_are_replaced(
    freely: Assignment, opened: Round, ida: User, researcher: User, sign_in: SignIn
) -> None:
    pauses, helping = (Code.objects.get(name=name) for name in ("pauses", "helping"))
    coder, text = freely.coder, Text.objects.get()
    for coding_round in (freely.round, opened):
        Coding.objects.create(
            study=text.interview.study, round=coding_round, coder=coder, code=pauses, text=text,
            start=30, end=40,
        )  # fmt: skip
    new = Code.objects.create(study=text.interview.study, name="silence")
    client = sign_in(researcher)
    page = client.get(url("code", pauses.pk)).content.decode()
    assert "Close the round first" in page
    refused = client.post(url("merge_code", pauses.pk), {"into": helping.pk})
    assert "Close the round first" in refused.content.decode()
    client.post(url("merge_code", pauses.pk), {"into": helping.pk, "what": "free"})
    codes = dict(Coding.objects.values_list("round__number", "code__name"))
    assert codes == {0: "helping", 1: "pauses"}
    change = CodeChange.objects.get(kind="recoded")
    assert (change.by, len(change.after["codings"])) == (researcher, 1)
    # A code that no round uses goes into one that a round uses.
    client.post(url("merge_code", new.pk), {"into": pauses.pk})
    new.refresh_from_db()
    assert new.merged_into == pauses
    assert sign_in(ida).post(url("merge_code", pauses.pk), {"what": "free"}).status_code == 404

"""After a round: differences by turn and code, decisions with their reasons, and agreement."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.research.coding.adjudication.differences import differences_in
from coach.research.coding.adjudication.pages import agreement_table, differences_page
from coach.research.coding.adjudication.services import Resolution, settle
from coach.research.coding.agreement import agreement_rows
from coach.research.coding.models import (
    Adjudication,
    Code,
    CodebookVersion,
    Coder,
    Coding,
    Interview,
    Round,
    Text,
)
from coach.research.coding.rounds.services import close_round, open_round
from coach.research.studies.models import Member, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.conftest import included_in
from tests.coach.research.making import make_interview, mark


def url(name: str, *more: object) -> str:
    return reverse(f"research:{name}", args=["first-talks", *more])


@pytest.fixture
def closed(study: Study, researcher: User) -> Round:
    """C1 (Rui) has `helping` where C2 has nothing; both have `pauses` in one turn."""
    coding_round = Round.objects.get()
    coding_round.interviews.set(Interview.objects.all())
    coding_round.coders.filter(number=1).update(user=researcher)
    close_round(coding_round=coding_round, actor=researcher)
    coding_round.refresh_from_db()
    return coding_round


def text() -> Text:
    return Text.objects.get()


def decide(client: Client, decision: str, note: str = "") -> str:
    """Settle the one difference; the address that comes next."""
    found = differences_in(Round.objects.get(), text())[0]
    fields = {"decision": decision, "note": note}
    answer = client.post(url("differences_of", 1, 1) + f"?difference={found.key}", fields)
    assert answer.status_code == 302
    return answer.headers["Location"]


def test_only_a_code_that_some_have_and_others_have_not_is_a_difference(closed: Round) -> None:
    (found,) = differences_in(closed, text())
    assert found.code.name == "helping"
    assert [each.words for each in found.marked] == ["التوقّف"]
    assert [each.coder.number for each in found.marked for each in [each.coding]] == [1]
    assert [coder.number for coder in found.without] == [2]


def test_what_a_model_marked_is_no_difference_between_people(closed: Round) -> None:
    model = Coder.objects.create(study=closed.study, number=3, kind=Coder.Kind.MODEL)
    closed.coders.add(model)
    mark(closed, 3, text(), "quite" if "quite" in text().text else "help", "helping")
    assert len(differences_in(closed, text())) == 1


def test_a_decision_says_who_when_and_why_and_has_a_coding_of_its_own(
    closed: Round, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    page = client.get(url("differences_of", 1, 1)).content.decode()
    assert "التوقّف" in page
    assert "not here" in page
    own = Coding.objects.get(code__name="helping")
    decide(client, f"as-{own.coder_id}", "He means the pause.")
    settled = Adjudication.objects.get()
    assert (settled.decision, settled.note, settled.by) == (
        "keep",
        "He means the pause.",
        researcher,
    )
    made = settled.coding
    assert made is not None
    assert made.pk != own.pk
    assert (made.start, made.end, made.status) == (own.start, own.end, "adjudicated")
    own.refresh_from_db()
    assert own.status == "independent"
    page = client.get(url("differences_of", 1, 1)).content.decode()
    assert "All disagreements are resolved." in page
    assert "He means the pause." in page
    assert "1 of 1 resolved." in client.get(url("differences", 1)).content.decode()


def test_a_code_that_does_not_hold_is_not_kept_until_somebody_decides_again(
    closed: Round, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    own = Coding.objects.get(code__name="helping")
    decide(client, "drop")
    own.refresh_from_db()
    assert own.status == "rejected"
    decide(client, "open")
    own.refresh_from_db()
    assert own.status == "independent"
    assert not Adjudication.objects.exists()
    decide(client, "all", "All of it.")
    decide(client, "drop", "On second thoughts.")
    assert Adjudication.objects.get().note == "On second thoughts."
    assert not Coding.objects.filter(status="adjudicated").exists()
    before = [entry.detail["before"] for entry in Entry.objects.filter(action="research.settled")]
    assert any(each.get("note") == "All of it." for each in before)


def test_all_of_one_coder_is_taken_at_once_after_a_count_and_undone_at_once(
    closed: Round, researcher: User, sign_in: SignIn
) -> None:
    """C2 alone has `pauses` twice in a turn: both spans are theirs."""
    client, pauses = sign_in(researcher), Code.objects.get(name="pauses")
    Coding.objects.filter(code=pauses, coder__number=1).delete()
    second = closed.coders.get(number=2)
    words = differences_in(closed, text())[0]
    start = words.start if words.code == pauses else differences_in(closed, text())[1].start
    Coding.objects.create(
        study=closed.study,
        round=closed,
        coder=second,
        code=pauses,
        text=text(),
        start=start,
        end=start + 2,
    )
    page = url("differences_of", 1, 1)
    fields = {"decision": f"all-{second.pk}", "count": "3", "note": "C2 read it twice."}
    told = client.post(page, fields, follow=True).content.decode()
    assert "have changed in the meantime" in told
    told = client.post(page, fields | {"count": "2"}, follow=True).content.decode()
    assert "2 disagreements resolved as C2 coded them." in told
    made = Adjudication.objects.order_by("code__name", "start")
    assert [(each.code.name, each.decision) for each in made] == [
        ("helping", "drop"),
        ("pauses", "keep"),
        ("pauses", "keep"),
    ]
    assert {each.note for each in made} == {"C2 read it twice."}
    assert Entry.objects.filter(action="research.settled").count() == 2
    client.post(page, {"decision": "undo"})
    assert not Adjudication.objects.exists()
    assert set(Coding.objects.values_list("status", flat=True)) == {"independent"}


def test_another_code_takes_the_place_of_one_that_does_not_apply(
    closed: Round, researcher: User, sign_in: SignIn
) -> None:
    client, (found,) = sign_in(researcher), differences_in(closed, text())
    heading = Code.objects.create(study=closed.study, name="Ways", is_codable=False, position=8)
    Code.objects.create(study=closed.study, name="waiting", parent=heading, position=9)
    page = url("differences_of", 1, 1)
    at = f"{page}?difference={found.key}"
    for name, words in (
        ("Ways", "Choose a code of the codebook"),
        ("helping", "Choose a code other than"),
    ):
        told = client.post(at, {"decision": "code", "code": name}, follow=True).content.decode()
        assert words in told
    CodebookVersion.objects.update(document=[])
    client.post(at, {"decision": "code", "code": "Waiting ", "note": "Silence."})
    assert dict(Adjudication.objects.values_list("code__name", "decision")) == {
        "helping": "drop",
        "waiting": "keep",
    }
    kept = Adjudication.objects.get(code__name="waiting").coding
    assert kept is not None
    assert (kept.start, kept.end) == (found.marked[0].start, found.marked[0].end)
    told = client.get(page).content.decode()
    assert "Ways › " in told
    assert "Applied in place of another code." in told
    assert "1 of 1 resolved." in client.get(url("differences", 1)).content.decode()
    client.post(page, {"decision": "undo"})
    assert not Adjudication.objects.exists()
    assert len(differences_in(closed, text())) == 1


def test_what_was_settled_changes_no_agreement(
    closed: Round, researcher: User, sign_in: SignIn
) -> None:
    texts = [included_in(closed.study).conversations[0].text]
    before = list(agreement_rows(closed, texts))
    decide(sign_in(researcher), "drop")
    decide(sign_in(researcher), "all")
    assert list(agreement_rows(closed, texts)) == before


def test_what_somebody_had_not_finished_is_missing_not_empty(
    study: Study, researcher: User
) -> None:
    ida = UserFactory(name="Ida", roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=ida, role=Member.Role.CODER)
    book = study.codebooks.get()
    book.document = [
        {"guid": str(code.guid), "name": code.name, "is_codable": True}
        for code in Code.objects.all()
    ]
    book.save()
    second = open_round(
        study=study,
        title="",
        codebook=book,
        coders=[researcher, ida],
        interviews=list(Interview.objects.all()),
        actor=researcher,
    )
    share = second.assignments.get(coder__user=researcher)
    Coding.objects.create(
        study=study,
        round=second,
        coder=share.coder,
        code=Code.objects.get(name="pauses"),
        text=text(),
        start=text().text.index("pauses"),
        end=text().text.index("pauses") + 6,
    )
    second.assignments.filter(pk=share.pk).update(finished_at=timezone.now())
    assert differences_in(second, text()) == []
    rows = list(agreement_rows(second, [text()]))
    assert {row["n_units"] for row in rows} == {0}
    assert {row["undefined_reason"] for row in rows} == {"too_few_units"}
    second.assignments.update(finished_at=timezone.now())
    assert len(differences_in(second, text())) == 1
    assert {row["n_units"] for row in agreement_rows(second, [text()])} == {2}


def test_agreement_stands_on_a_page_and_in_a_table_and_what_is_undefined_says_why(
    closed: Round, researcher: User, sign_in: SignIn
) -> None:
    Code.objects.create(study=closed.study, name="unused", position=9)
    client = sign_in(researcher)
    page = client.get(url("agreement", 1)).content.decode()
    assert "undefined: nobody used this code, or it is in every turn" in page
    # A share under a heading that speaks of per cent would read as less than one of them.
    assert "Percent agreement</th>" in page
    assert "<td>1</td><td>100%</td><td>1.00</td>" in page
    assert '<span class="rows__note">undefined: only one interview</span></td></tr>' in page
    answer = client.get(url("agreement_csv", 1))
    rows = {
        row["code"]: row for row in csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    }
    assert [rows["pauses"][name] for name in ("n_units", "n_both", "n_neither")] == ["2", "1", "1"]
    assert float(rows["pauses"]["krippendorff_alpha"]) == pytest.approx(1.0)
    assert rows["unused"]["cohen_kappa"] == ""
    assert rows["unused"]["undefined_reason"] == "no_variation"
    exported = list(agreement_rows(closed, [text()]))
    assert {row["code_guid"] for row in rows.values()} == {row["code_guid"] for row in exported}


def test_agreement_is_in_the_order_of_the_codebook_where_headings_group_the_codes(
    closed: Round,
) -> None:
    codes = {code.name: code for code in Code.objects.all()}
    for place, (heading, below) in enumerate([("a", ["pauses", "later"]), ("b", ["helping"])]):
        above = Code.objects.create(
            study=closed.study, name=heading, position=place, is_codable=False
        )
        for number, name in enumerate(below):
            code = codes.get(name) or Code(study=closed.study, name=name)
            code.parent, code.position = above, number
            code.save()
    names = [row["code"].name for row in agreement_table(closed)]
    assert names == ["pauses", "later", "helping"]


@pytest.mark.parametrize("coders", [1, 3])
def test_agreement_stands_on_a_page_however_many_coded(
    coders: int, closed: Round, researcher: User, sign_in: SignIn
) -> None:
    closed.coders.remove(*closed.coders.filter(number__gt=coders))
    for number in range(closed.coders.count() + 1, coders + 1):
        closed.coders.add(Coder.objects.create(study=closed.study, number=number))
    answer = sign_in(researcher).get(url("agreement", 1))
    assert answer.status_code == 200
    assert "<td>all</td>" in answer.content.decode()
    assert sign_in(researcher).get(url("agreement_csv", 1)).status_code == 200


def test_of_an_open_round_no_difference_and_no_agreement_is_told(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    Round.objects.update(state=Round.State.OPEN)
    client = sign_in(researcher)
    pages = [
        url("differences", 1),
        url("differences_of", 1, 1),
        url("agreement", 1),
        url("agreement_csv", 1),
    ]
    assert {client.get(page).status_code for page in pages} == {404}
    assert client.post(url("differences_of", 1, 1) + "?difference=2-1").status_code == 404


def test_who_neither_coded_nor_runs_rounds_reads_and_settles_nothing(
    closed: Round, stranger: User, sign_in: SignIn
) -> None:
    found = differences_in(closed, text())[0]
    ida = UserFactory(name="Ida", roles=[Role.RESEARCHER])
    Member.objects.create(study=closed.study, user=ida, role=Member.Role.CODER)
    member = sign_in(ida)
    assert "Not here <kbd" not in member.get(url("differences_of", 1, 1)).content.decode()
    outsider = sign_in(UserFactory(name="Jon", roles=[Role.RESEARCHER]))
    pages = [
        url("differences", 1),
        url("differences_of", 1, 1),
        url("agreement", 1),
        url("agreement_csv", 1),
    ]
    for client in (outsider, sign_in(stranger)):
        assert {client.get(page).status_code for page in pages} == {404}
    for client in (member, outsider):
        page = url("differences_of", 1, 1) + f"?difference={found.key}"
        assert client.post(page, {"decision": "drop"}).status_code == 404
    assert not Adjudication.objects.exists()


def test_two_who_settle_the_same_at_once_leave_one_decision(
    closed: Round, researcher: User
) -> None:
    seen_by_both = differences_in(closed, text())[0]
    own = seen_by_both.marked[0].coding
    for spans in (((own.start or 0, own.end or 0),), ()):
        settle(
            coding_round=closed,
            difference=seen_by_both,
            decision=Resolution(spans=spans),
            actor=researcher,
        )
    assert Adjudication.objects.get().decision == "drop"
    assert not Coding.objects.filter(status="adjudicated").exists()


def test_what_a_colleague_has_settled_meanwhile_is_told_and_stays(
    closed: Round, researcher: User, sign_in: SignIn
) -> None:
    lead = UserFactory(name="Lena", roles=[Role.RESEARCHER])
    Member.objects.create(study=closed.study, user=lead, role=Member.Role.LEAD)
    mine, hers = sign_in(researcher), sign_in(lead)
    decide(mine, "all", "It is said.")
    told = hers.get(decide(hers, "drop").partition("#")[0]).content.decode()
    assert "Rui has resolved this in the meantime." in told
    assert Adjudication.objects.get().note == "It is said."
    decide(hers, "open")
    decide(hers, "drop")
    assert Adjudication.objects.get().by == lead


def test_a_round_of_many_texts_asks_four_times_for_each(
    closed: Round, study: Study, researcher: User
) -> None:
    """Its codebook and its coders are asked once: with a hundred texts the page took 24 seconds."""
    ana = study.participants.get(group="trainee")

    def asked() -> int:
        with CaptureQueriesContext(connection) as captured:
            differences_page(closed, researcher)
        return len(captured)

    before = asked()
    for number in range(3):
        made = make_interview(study, [("P", ana, f"Pauses help, {number} times.")])
        mark(closed, 1, made.texts.get(), "Pauses", "pauses")
        closed.interviews.add(made)
    assert asked() - before <= 3 * 4
    rows = differences_page(closed, researcher)["rows"]
    assert [row["differences"] for row in rows] == [1, 1, 1, 1]

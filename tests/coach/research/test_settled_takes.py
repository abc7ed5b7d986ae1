"""Where coders of a take differ: agreement second by second, what is settled, what leaves of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone
from sklearn.metrics import cohen_kappa_score

from coach.accounts.models import Role, User
from coach.lib.agreement import CodedUnit, Level, krippendorff_alpha
from coach.rehearsals.models import Rehearsal
from coach.research.coding.adjudication.differences import take_differences_in
from coach.research.coding.adjudication.services import Resolution, settle
from coach.research.coding.agreement import take_agreement_rows
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import (
    Adjudication,
    Assignment,
    Code,
    Coder,
    Coding,
    Memo,
    Round,
)
from coach.research.coding.rounds.services import close_round, open_round
from coach.research.exports.bundle.tables import BY_NAME
from coach.research.exports.bundle.writing import rows_of
from coach.research.exports.importing import load_bundle
from coach.research.studies.models import ConsentEvent, Participant, Scope
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.conftest import included_in
from tests.coach.research.making import agree, bundle_of, make_study


def url(name: str, *more: object) -> str:
    return reverse(f"research:{name}", args=["first-talks", *more])


@pytest.fixture
def differing(ana: Participant, researcher: User) -> Round:
    """Rui and Ida coded her minute: both `opening` at its start, Rui alone `closing` at its end."""
    agree(ana, Scope.AUDIO, Scope.VIDEO, Scope.MEASUREMENTS)
    closing = Code.objects.create(study=ana.study, name="closing", position=1)
    Code.objects.create(study=ana.study, name="unused", position=2)
    ida = UserFactory(name="Ida", roles=[Role.RESEARCHER])
    ana.study.members.create(user=ida, role="coder")
    book = keep_version(study=ana.study, note="", actor=researcher)
    made = open_round(
        study=ana.study,
        title="",
        codebook=book,
        coders=[researcher, ida],
        interviews=[],
        takes=[Rehearsal.objects.get()],
        actor=researcher,
    )
    opening = Code.objects.get(name="opening")
    for number, code, start, end in (
        (1, opening, 500, 10_000),
        (2, opening, 2_000, 12_500),
        (1, closing, 50_000, 60_000),
    ):
        Coding.objects.create(
            study=ana.study,
            round=made,
            coder=made.coders.get(number=number),
            code=code,
            rehearsal=Rehearsal.objects.get(),
            start_ms=start,
            end_ms=end,
        )
    Memo.objects.create(
        study=ana.study,
        coder=made.coders.get(number=1),
        rehearsal=Rehearsal.objects.get(),
        body="Two tries.",
    )
    made.assignments.update(finished_at=timezone.now())
    close_round(coding_round=made, actor=researcher)
    made.refresh_from_db()
    return made


def test_stretches_that_overlap_agree_and_one_alone_is_settled_like_any_difference(
    differing: Round, researcher: User, sign_in: SignIn
) -> None:
    (found,) = take_differences_in(differing, Rehearsal.objects.get())
    assert (found.code.name, found.words) == ("closing", "0:50–1:00")
    assert [coder.number for coder in found.without] == [2]
    client = sign_in(researcher)
    share = differing.assignments.order_by("pk")[0].pk
    page = client.get(url("differences_of_take", 1, share)).content.decode()
    assert url("take_media", Rehearsal.objects.get().pk) in page
    assert "1 disagreement to resolve." in page
    answer = client.post(
        url("differences_of_take", 1, share) + f"?difference={found.key}",
        {"decision": "all", "note": "Clearly.\0"},
    )
    assert answer.status_code == 302
    settled = Adjudication.objects.get()
    made = settled.coding
    assert (settled.rehearsal, settled.text, settled.note) == (
        Rehearsal.objects.get(),
        None,
        "Clearly.",
    )
    assert made is not None
    assert (made.start_ms, made.end_ms, made.status) == (50_000, 60_000, "adjudicated")
    assert "1 of 1 resolved." in client.get(url("differences", 1)).content.decode()
    client.post(
        url("differences_of_take", 1, share) + f"?difference={found.key}", {"decision": "drop"}
    )
    assert Coding.objects.get(code__name="closing").status == "rejected"
    client.post(
        url("differences_of_take", 1, share) + f"?difference={found.key}", {"decision": "open"}
    )
    assert Coding.objects.get(code__name="closing").status == "independent"
    assert not Adjudication.objects.exists()


def test_agreement_on_takes_is_counted_second_by_second(
    differing: Round, researcher: User, sign_in: SignIn
) -> None:
    take = Rehearsal.objects.get()
    names = {str(code.guid): code.name for code in Code.objects.all()}
    rows = {names[row["code_guid"]]: row for row in take_agreement_rows(differing, [take])}
    opening = rows["opening"]
    # C1 has the seconds 0 to 9, C2 the seconds 2 to 12.
    counts = ("n_units", "n_both", "n_a_only", "n_b_only", "n_neither")
    assert [opening[name] for name in counts] == [60, 8, 2, 3, 47]
    first = [0 <= second < 10 for second in range(60)]
    second = [2 <= each < 13 for each in range(60)]
    assert opening["cohen_kappa"] == pytest.approx(cohen_kappa_score(first, second))
    each_second = [CodedUnit(values={"a": a, "b": b}) for a, b in zip(first, second, strict=True)]
    expected = krippendorff_alpha(each_second, Level.NOMINAL).value
    assert opening["krippendorff_alpha"] == pytest.approx(expected)
    assert (opening["ci_low"], opening["unit"]) == (None, "second")
    assert rows["unused"]["cohen_kappa"] is None
    assert rows["unused"]["undefined_reason"] == "no_variation"
    page = sign_in(researcher).get(url("agreement", 1)).content.decode()
    assert "Takes are counted second by second." in page
    assert "undefined: nobody used this code, or it is in every second" in page
    table = sign_in(researcher).get(url("agreement_csv", 1)).content.decode()
    assert ",second,C1,C2,60,8,2,3,47," in table


def test_what_somebody_had_not_finished_of_a_take_is_missing(differing: Round) -> None:
    take = Rehearsal.objects.get()
    differing.assignments.filter(coder__number=2).update(finished_at=None)
    assert take_differences_in(differing, take) == []
    rows = list(take_agreement_rows(differing, [take]))
    assert {row["undefined_reason"] for row in rows} == {"too_few_units"}


def test_a_consent_taken_back_closes_differences_and_leaves_the_bundle(
    differing: Round, ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    share = differing.assignments.order_by("pk")[0].pk
    included = included_in(ana.study)
    assert len(list(rows_of(BY_NAME["take_codings"], included))) == 3
    agree(ana, Scope.VIDEO, kind=ConsentEvent.Kind.WITHDRAWN)
    client = sign_in(researcher)
    assert client.get(url("differences_of_take", 1, share)).status_code == 404
    key = f"50000-{Code.objects.get(name='closing').pk}"
    page = url("differences_of_take", 1, share) + f"?difference={key}"
    assert client.post(page, {"decision": "drop"}).status_code == 404
    included = included_in(ana.study)
    for name in ("take_codings", "take_shares", "take_memos"):
        assert list(rows_of(BY_NAME[name], included)) == []
    assert included.left_out["take_codings", "not_consented"] == 3


def test_codings_decisions_memos_shares_and_agreement_of_takes_come_back_from_a_bundle(
    differing: Round, researcher: User, tmp_path: Path
) -> None:
    (found,) = take_differences_in(differing, Rehearsal.objects.get())
    settle(
        coding_round=differing,
        difference=found,
        decision=Resolution(spans=((found.start, found.end),), note="Clearly."),
        actor=researcher,
    )
    first = bundle_of(differing.study, tmp_path, "first")
    for name, count in (
        ("take_codings", 4),
        ("take_shares", 2),
        ("take_adjudications", 1),
        ("take_memos", 1),
        ("agreement", 3),
        ("memos", 0),
        ("codebook_versions", 4),
    ):
        lines = first.read(f"data/{name}.csv").decode().splitlines()
        assert len(lines) == count + 1, name
    empty = make_study(researcher, "replication")
    load_bundle(study=empty, path=tmp_path / "first.zip", actor=researcher)
    empty.refresh_from_db()
    second = bundle_of(empty, tmp_path, "second")
    for name in first.namelist():
        if name.startswith("data/"):
            assert second.read(name) == first.read(name), name


def test_of_a_take_that_is_still_coded_nothing_leaves(differing: Round) -> None:
    Round.objects.update(state=Round.State.OPEN)
    included = included_in(differing.study)
    for name in ("take_codings", "take_memos", "agreement", "memos"):
        assert list(rows_of(BY_NAME[name], included)) == []


def test_what_somebody_had_not_finished_joins_no_two_stretches_of_those_who_had(
    differing: Round, researcher: User, sign_in: SignIn
) -> None:
    """C1 has `unused` from 0 to 5 s, C2 from 10 to 15 s; C3, not finished, from 0 to 15 s."""
    take, unused = Rehearsal.objects.get(), Code.objects.get(name="unused")
    third = Coder.objects.create(study=differing.study, number=3)
    differing.coders.add(third)
    Assignment.objects.create(round=differing, coder=third, rehearsal=take)
    for number, start, end in ((1, 0, 5_000), (2, 10_000, 15_000), (3, 0, 15_000)):
        Coding.objects.create(
            study=differing.study,
            round=differing,
            coder=differing.coders.get(number=number),
            code=unused,
            rehearsal=take,
            start_ms=start,
            end_ms=end,
        )
    found = [each for each in take_differences_in(differing, take) if each.code == unused]
    assert [(each.start, each.end) for each in found] == [(0, 5_000), (10_000, 15_000)]
    assert [[coder.number for coder in each.without] for each in found] == [[2], [1]]
    theirs = [[(each.coding.coder.number, each.words) for each in one.marked] for one in found]
    assert theirs == [
        [(1, "0:00–0:05"), (3, "0:00–0:05")],
        [(2, "0:10–0:15"), (3, "0:10–0:15")],
    ]
    share = differing.assignments.order_by("pk")[0].pk
    page = url("differences_of_take", 1, share) + f"?difference={found[0].key}"
    sign_in(researcher).post(page, {"decision": "drop"})
    status = dict(Coding.objects.filter(code=unused).values_list("coder__number", "status"))
    assert status == {1: "rejected", 2: "independent", 3: "independent"}, "a longer one may hold"
    after = [each for each in take_differences_in(differing, take) if each.code == unused]
    assert [each.settled is not None for each in after] == [True, False]

"""Agreement of people who coded: counted by turn, over interviews, a model left out."""

from __future__ import annotations

import pytest
from django.utils import timezone

from coach.research.coding.agreement import agreement_rows
from coach.research.coding.models import Assignment, Code, Coder, Interview, Round, Text
from coach.research.studies.models import Study
from tests.coach.research.conftest import included_in
from tests.coach.research.making import make_interview, mark


def test_turns_are_counted_for_each_code_and_pair(study: Study) -> None:
    coding_round = Round.objects.get(study=study)
    text = included_in(study).conversations[0].text
    model = Coder.objects.create(study=study, number=3, kind=Coder.Kind.MODEL)
    coding_round.coders.add(model)
    mark(coding_round, 3, text, "À mon avis", "pauses")
    rows = {row["code_guid"]: row for row in agreement_rows(coding_round, [text])}
    guids = {code.name: str(code.guid) for code in Code.objects.filter(study=study)}
    both = rows[guids["pauses"]]
    counts = ("n_units", "n_both", "n_a_only", "n_b_only", "n_neither")
    assert [both[name] for name in counts] == [2, 1, 0, 0, 1]
    assert (both["percent_agreement"], both["cohen_kappa"]) == (1.0, 1.0)
    assert both["krippendorff_alpha"] == pytest.approx(1.0)
    assert (both["coder_a"], both["coder_b"]) == ("C1", "C2")
    one = rows[guids["helping"]]
    assert [one[name] for name in counts] == [2, 0, 1, 0, 1]
    assert (one["positive_agreement"], one["undefined_reason"]) == (0.0, "")


def test_where_nobody_used_a_code_there_is_a_reason_and_no_number(study: Study) -> None:
    coding_round = Round.objects.get(study=study)
    Code.objects.create(study=study, name="unused")
    texts = [each.text for each in included_in(study).conversations]
    row = next(
        row
        for row in agreement_rows(coding_round, texts)
        if row["code_guid"] == str(Code.objects.get(name="unused").guid)
    )
    assert row["krippendorff_alpha"] is None
    assert row["cohen_kappa"] is None
    assert row["undefined_reason"] == "no_variation"


def test_units_of_all_coders_are_those_that_two_of_them_judged(study: Study) -> None:
    """Three coders: the interview was finished by two of them, a second one by one alone."""
    coding_round = Round.objects.get(study=study)
    ana = study.participants.get(group="trainee")
    alone = make_interview(study, [("P", ana, "Once more, with pauses.")])
    third = Coder.objects.create(study=study, number=3)
    coding_round.coders.add(third)
    first = Interview.objects.get(number=1)
    for interview, numbers in ((first, (1, 2)), (alone, (3,))):
        coding_round.interviews.add(interview)
        for coder in Coder.objects.filter(study=study, number__in=numbers):
            Assignment.objects.create(
                round=coding_round, coder=coder, interview=interview, finished_at=timezone.now()
            )
    texts = list(Text.objects.filter(interview__in=[first, alone]))
    rows = [row for row in agreement_rows(coding_round, texts) if row["coder_b"] == "*"]
    assert {row["n_units"] for row in rows} == {2}
    only_alone = [
        row for row in agreement_rows(coding_round, [alone.texts.get()]) if row["coder_b"] == "*"
    ]
    assert {row["n_units"] for row in only_alone} == {0}
    assert {row["undefined_reason"] for row in only_alone} == {"one_coder"}

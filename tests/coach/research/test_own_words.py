"""Who takes part in a study gets what the study keeps of them, and nothing that others said."""

from __future__ import annotations

from coach.accounts.models import User
from coach.portal.personal.own_data import own_data
from coach.research.coding.models import Interview, Text
from coach.research.studies.models import Participant, Study
from tests.coach.research.making import make_interview


def test_the_words_of_an_interview_are_handed_out_to_who_said_them(
    study: Study, group: Interview, trainee: User, coach: User
) -> None:
    alone, among_others = own_data(trainee)["interviews_given"]
    assert (alone["study"], alone["interview"]) == ("First talks", "INT-01")
    assert len(alone["said"]) == 2
    assert "they help" in alone["said"][0]
    assert among_others["said"] == ["P1: I go first.", "P1: Well."]
    assert own_data(coach)["interviews_given"] == []


def test_what_was_replaced_for_coding_is_handed_out_as_it_is_kept(
    study: Study, trainee: User
) -> None:
    """Before that, as it came in."""
    ana = study.participants.get(group="trainee")
    said = make_interview(study, [("P", ana, "I am Ana.")])
    text = said.texts.get()
    Text.objects.filter(pk=text.pk).update(kind=Text.Kind.RAW)
    assert own_data(trainee)["interviews_given"][-1]["said"] == ["P: I am Ana."]
    locked = Text.objects.create(
        interview=said, kind=Text.Kind.LOCKED, text="P: I am [X].", sha256="", n_code_points=12
    )
    turn = text.turns.get()
    turn.pk, turn.text, turn.end = None, locked, 12
    turn.save()
    assert own_data(trainee)["interviews_given"][-1]["said"] == ["P: I am [X]."]


def test_it_says_as_whom_the_study_knows_them_and_since_when_they_are_here(
    study: Study, trainee: User
) -> None:
    Participant.objects.filter(link__user=trainee).update(experience="1_3y", cohort="G1")
    document = own_data(trainee)
    (part,) = document["takes_part_in_studies"]
    assert (part["group"], part["experience"], part["cohort"]) == ("trainee", "1_3y", "G1")
    assert document["account_since"] == trainee.joined_at
    assert "last_sign_in" in document

"""What is pressed in two windows at the same moment is stored once, and neither is an error."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from coach.accounts.models import User
from coach.feedback.messages import dispute_item
from coach.feedback.models import Dispute, Item
from coach.practice.exercises.services import note_exercise_done
from coach.practice.models import ExerciseDone
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import note_ease
from coach.rehearsals.speaking_ease import Ease
from coach.research.coding.codebook.services import add_code
from coach.research.coding.codebook.starter_codes import STARTER_CODES, begin_codebook
from coach.research.coding.models import Code
from coach.research.studies.models import Questionnaire
from coach.research.studies.questionnaires import QuestionnaireData, add_questionnaire
from tests.coach.crossing import Act, in_the_middle_of, on_its_own, until_one_waits
from tests.coach.research.making import make_study


def refused_at_most(act: Act) -> None:
    with suppress(ValidationError):
        act()


@pytest.mark.django_db(transaction=True)
def test_the_second_of_two_finds_what_the_first_one_stored(
    sent: Rehearsal, trainee: User, researcher: User
) -> None:
    item = Item.objects.filter(feedback__rehearsal=sent).select_related("feedback").first()
    assert item is not None
    study = make_study(researcher)
    heading = QuestionnaireData(title="Ease", moment="intake", language="en")
    acts: dict[type[Dispute | Ease | ExerciseDone | Code | Questionnaire], Act] = {
        Dispute: partial(dispute_item, item=item, owner=trainee, reason="not_right", note=""),
        Ease: partial(note_ease, rehearsal=sent, after="very_easy"),
        ExerciseDone: partial(note_exercise_done, user=trainee, exercise="one_number"),
        Code: partial(begin_codebook, study=study, language="en", actor=researcher),
        Questionnaire: partial(
            add_questionnaire, study=study, heading=heading, table="How was it?", actor=researcher
        ),
    }
    for act in acts.values():
        with ThreadPoolExecutor(2) as pool:
            with in_the_middle_of(act, pool):
                second = pool.submit(on_its_own(partial(refused_at_most, act)))
                until_one_waits()
            second.result(timeout=30)
    first, other = (
        partial(add_code, code=Code(study=study, name="Nerves"), actor=researcher) for _ in "12"
    )
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(first, pool):
            second = pool.submit(on_its_own(other))
            until_one_waits()
        with pytest.raises(ValidationError, match="Another code already has this name"):
            second.result(timeout=30)
    stored = {model.__name__: model._default_manager.count() for model in acts}
    assert stored.pop("Code") == len(STARTER_CODES) + 1
    assert set(stored.values()) == {1}

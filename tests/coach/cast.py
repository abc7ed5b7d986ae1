"""Who plays in most tests: Ana, her coach Bea, and Cem, who must see nothing of hers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Model

from coach.accounts.models import Cohort, Role, User
from coach.feedback.models import Feedback, Item
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, join

Row = TypeVar("Row", bound=Model)


def monday_group() -> Cohort:
    """Where Ana practises and Bea coaches."""
    # No second opinions: which takes get one is drawn by their random keys.
    return Cohort.objects.create(name="Monday group", reply_hours=48, second_opinion_percent=0)


def ana(cohort: Cohort) -> User:
    """A trainee."""
    person = UserFactory(email="ana@example.org", name="Ana")
    join(cohort, person, Role.TRAINEE)
    return person


def bea(cohort: Cohort) -> User:
    """Ana's coach."""
    person = UserFactory(email="bea@example.org", name="Bea", roles=[Role.COACH])
    join(cohort, person, Role.COACH)
    return person


def cem() -> User:
    """Trainee, coach and researcher elsewhere; must see nothing of Ana's."""
    person = UserFactory(email="cem@example.org", name="Cem", roles=[Role.TRAINEE, Role.COACH])
    elsewhere = Cohort.objects.create(name="Another group")
    join(elsewhere, person, Role.COACH)
    join(elsewhere, person, Role.TRAINEE)
    return person


def analysed_take(owner: User, cohort: Cohort) -> Rehearsal:
    """Analysed, private."""
    take = RehearsalFactory(owner=owner, cohort=cohort)
    finish_analysis(take)
    return take


def send(take: Rehearsal) -> None:
    """Let the coaches of its group see it."""
    send_to_coach(rehearsal=take, note="Please look at my opening.")


@dataclass(frozen=True, slots=True)
class Cast:
    """All of them, with a take of Ana's that Bea may see."""

    cohort: Cohort
    trainee: User
    coach: User
    stranger: User
    sent: Rehearsal


def whole_cast() -> Cast:
    """For the tests of a file that only look; see `for_the_file`."""
    cohort = monday_group()
    trainee, coach, stranger = ana(cohort), bea(cohort), cem()
    take = analysed_take(trainee, cohort)
    send(take)
    return Cast(cohort, trainee, coach, stranger, take)


def fresh(row: Row) -> Row:
    """The same, read anew: nothing of what another test did to it in memory."""
    return type(row)._default_manager.get(pk=row.pk)


def one_more(draft: Feedback, number: int = 0, *, is_chosen: bool = True) -> Item:
    """An item of a rule beside those of the draft, like its first one in all but its claim."""
    like = draft.items.order_by("position").first()
    assert like is not None
    return Item.objects.create(
        feedback=draft,
        origin=Item.Origin.RULE,
        position=20 + number,
        tone="improvement",
        quality=like.quality,
        rule=like.rule,
        rule_version=like.rule_version,
        is_chosen=is_chosen,
        document={**like.document, "claim": f"A further observation {number}."},
    )

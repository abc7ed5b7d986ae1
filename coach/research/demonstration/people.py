"""The synthetic study, its people and their consents."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from coach.accounts.models import Cohort, Membership, Policy, Purpose, Role, User
from coach.accounts.services import give_consent
from coach.research.demonstration.words import FAMILY, GIVEN
from coach.research.studies.models import (
    Allocation,
    Answer,
    AnswerSheet,
    Condition,
    ConsentDocument,
    ConsentEvent,
    Member,
    Participant,
    Pseudonym,
    Question,
    Questionnaire,
    Scope,
    Study,
    StudySecret,
)
from coach.rulesets.selectors import active_release

N_TRAINEES, N_COACHES, N_EXPERTS = 20, 5, 5
_BEGAN_DAYS_AGO = 120
_COHORTS = ("spring", "autumn")
_SCOPES = (Scope.MEASUREMENTS, Scope.FEEDBACK, Scope.TRANSCRIPT, Scope.AUDIO, Scope.VIDEO)


@dataclass(frozen=True, kw_only=True)
class Cast:
    """The study and its people."""

    study: Study
    cohort: Cohort
    began: datetime
    people: dict[Participant, User]

    def of(self, group: str) -> list[tuple[Participant, User]]:
        """Return the people with this role."""
        return [pair for pair in self.people.items() if pair[0].group == group]


def make_cast(slug: str, dice: random.Random) -> Cast:
    """Create a study with thirty people, their consents, conditions and answers."""
    began = timezone.now() - timedelta(days=_BEGAN_DAYS_AGO)
    study = Study.objects.create(
        slug=slug,
        title="A synthetic study of first talks",
        question="What do people do with feedback that a coach confirmed?",
        protocol="Nobody in this study exists. It is there to try exports and coding on.",
        ethics="not needed: synthetic",
        recipients="whoever tries this out",
        state=Study.State.RUNNING,
        rule_set=active_release(),
        policy=Policy.COACH_FIRST,
        is_synthetic=True,
        started_at=began,
    )
    StudySecret.objects.create(study=study)
    for user in User.objects.filter(roles__contains=[Role.RESEARCHER], is_active=True):
        Member.objects.create(study=study, user=user, role=Member.Role.LEAD)
    cohort = Cohort.objects.create(
        name=f"Synthetic: {slug}", policy=Policy.COACH_FIRST, reply_hours=48
    )
    study.cohorts.add(cohort)
    cast = Cast(study=study, cohort=cohort, began=began, people=_people(study, cohort, dice))
    _agree(cast, dice)
    _allocate(cast, dice)
    _ask(cast, dice)
    return cast


def _people(study: Study, cohort: Cohort, dice: random.Random) -> dict[Participant, User]:
    groups = [Participant.Group.TRAINEE] * N_TRAINEES
    groups += [Participant.Group.COACH] * N_COACHES + [Participant.Group.EXPERT] * N_EXPERTS
    found = {}
    for place, group in enumerate(groups):
        is_trainee = group == Participant.Group.TRAINEE
        user = User.objects.create(
            email=f"{study.slug}-{place + 1:02d}@synthetic.invalid",
            name=f"{GIVEN[place]} {FAMILY[place % len(FAMILY)]}",
            roles=[Role.TRAINEE if is_trainee else Role.COACH],
            is_active=False,  # Nobody signs in as somebody who does not exist.
            password="!",  # noqa: S106  # no password matches it
        )
        role = Role.TRAINEE if is_trainee else Role.COACH
        Membership.objects.create(cohort=cohort, user=user, role=role)
        participant = Participant.objects.create(
            study=study,
            group=group,
            cohort=_COHORTS[place % 2] if is_trainee else "",
            experience=dice.choice(("none", "1_3y")) if is_trainee else "gt_10y",
            practice_language="en",
        )
        Pseudonym.objects.create(study=study, participant=participant, user=user)
        if is_trainee:
            give_consent(user=user, purpose=Purpose.ANALYSIS)
        found[participant] = user
    return found


def _agree(cast: Cast, dice: random.Random) -> None:
    """Record everyone's consent to measurements, feedback, transcripts, sound and picture, and
    most people's to quotes.
    """
    for participant in cast.people:
        at = cast.began + timedelta(hours=dice.randrange(24))
        quotes = dice.random() < 0.8  # most
        agree_to(participant, *_SCOPES, at=at)
        kind = ConsentEvent.Kind.GRANTED if quotes else ConsentEvent.Kind.DECLINED
        agree_to(participant, Scope.QUOTES, at=at, kind=kind)
    ConsentDocument.objects.filter(study=cast.study).update(created_at=cast.began)


def agree_to(
    participant: Participant,
    *scopes: Scope,
    at: datetime,
    kind: str = ConsentEvent.Kind.GRANTED,
) -> None:
    """Record a person's answer to these scopes, with the sheets if they are missing."""
    for scope in scopes:
        text = f"{scope.label}.\nThis study is synthetic; nobody was told anything.\n"
        document, _is_new = ConsentDocument.objects.get_or_create(
            study=participant.study,
            scope=scope,
            language="en",
            version=1,
            defaults={"text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()},
        )
        ConsentEvent.objects.create(
            participant=participant, scope=scope, kind=kind, document=document, at=at
        )


def _allocate(cast: Cast, dice: random.Random) -> None:
    arms = [
        Condition.objects.create(study=cast.study, letter=letter, name=name)
        for letter, name in (("A", "Feedback once a coach released it"), ("B", "Feedback at once"))
    ]
    trainees = [participant for participant, _user in cast.of("trainee")]
    dice.shuffle(trainees)
    Allocation.objects.bulk_create(
        Allocation(participant=each, condition=arms[place % 2], number=place + 1)
        for place, each in enumerate(trainees)
    )


def _ask(cast: Cast, dice: random.Random) -> None:
    for moment, days in (("before", 1), ("after", 90)):
        form = Questionnaire.objects.create(
            study=cast.study, key="speaking", title="Speaking", moment=moment, language="en"
        )
        scale = Question.objects.create(
            questionnaire=form,
            key="often",
            position=1,
            text="I like to speak in front of people.",
            kind="scale",
            least=1,
            most=5,
            least_means="not at all",
            most_means="very much",
        )
        words = Question.objects.create(
            questionnaire=form, key="why", position=2, text="What helps you most?", kind="text"
        )
        for participant, _user in cast.of("trainee"):
            sent = cast.began + timedelta(days=days)
            sheet = AnswerSheet.objects.create(
                participant=participant, questionnaire=form, sent_at=sent
            )
            Answer.objects.create(sheet=sheet, question=scale, number=dice.randint(1, 5))
            Answer.objects.create(sheet=sheet, question=words, text="Trying it once more 🙂")

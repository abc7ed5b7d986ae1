"""A round that Rui leads and in which Ida codes."""

from __future__ import annotations

import pytest

from coach.accounts.models import Role, User
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import Code, Round
from coach.research.coding.rounds.services import open_round
from coach.research.studies.models import Member, Study
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_interview, make_study, take_part
from tests.coach.research.rounds.coding import SAID


@pytest.fixture
def study_to_code(researcher: User, trainee: User) -> Study:
    """Rui leads, Ida codes; one interview with Ana, two codes, a kept codebook."""
    study = make_study(researcher)
    ida = UserFactory(email="ida@example.org", name="Ida", roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=ida, role=Member.Role.CODER)
    ana = take_part(study, trainee)
    make_interview(study, [("I", None, "How was it? 🎤"), ("P", ana, SAID[0]), ("P", ana, SAID[1])])
    for position, name in enumerate(("pauses", "helping")):
        Code.objects.create(study=study, name=name, position=position, colour="#2a9d8f")
    Code.objects.filter(name="pauses").update(description="Silences that they speak of.")
    keep_version(study=study, note="", actor=researcher)
    return study


@pytest.fixture
def ida(study_to_code: Study) -> User:
    return User.objects.get(email="ida@example.org")


@pytest.fixture
def opened(study_to_code: Study, researcher: User, ida: User) -> Round:
    """Rui and Ida code the interview."""
    return open_round(
        study=study_to_code,
        title="Trial",
        codebook=study_to_code.codebooks.get(),
        coders=[researcher, ida],
        interviews=list(study_to_code.interviews.all()),
        actor=researcher,
    )

"""Reels: coded moments one after another, only where consent and role allow it at that moment."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Role, User
from coach.rehearsals.models import Rehearsal, Viewing
from coach.research.coding.models import (
    Code,
    Coder,
    Coding,
    Interview,
    Recording,
    Round,
    Speaker,
    Theme,
    Turn,
    Voice,
)
from coach.research.studies.models import ConsentEvent, Member, Participant, Scope
from coach.research.studies.taking_part import leave_study
from coach.research.themes.moments import found_for
from coach.research.themes.retrieval import PassageQuery
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import agree, make_interview


def url(name: str, *more: object) -> str:
    return reverse(f"research:{name}", args=["first-talks", *more])


@pytest.fixture
def moments(ana: Participant, researcher: User) -> list[Coding]:
    """Two moments of her take, the second with another code; she agrees to sound and picture."""
    agree(ana, Scope.AUDIO, Scope.VIDEO)
    Rehearsal.objects.update(has_copy=True)
    free = Round.objects.create(study=ana.study, number=0, state=Round.State.FREE)
    coder = Coder.objects.create(study=ana.study, number=1, user=researcher)
    closing = Code.objects.create(study=ana.study, name="closing")
    spans = ((Code.objects.get(name="opening"), 3000, 8000), (closing, 6000, 9000))
    return [
        Coding.objects.create(
            study=ana.study, round=free, coder=coder, code=code, memo="Look here.",
            rehearsal=Rehearsal.objects.get(), start_ms=start, end_ms=end,
        )
        for code, start, end in spans
    ]  # fmt: skip


@pytest.fixture
def recorded(ana: Participant) -> Interview:
    """A coded interview with her, with its recording."""
    agree(ana, Scope.RECORDING)
    interview = make_interview(ana.study, [("I", None, "And then?"), ("P", ana, "I was calm.")])
    for number, start in ((1, 0), (2, 10_000)):
        Turn.objects.filter(number=number).update(start_ms=start, end_ms=start + 10_000)
    made = Recording.objects.create(
        study=ana.study, mode="in_person", language="en", held_on=date(2026, 3, 2),
        interview=interview, media_key="11111111-1111-4111-8111-111111111111", has_copy=True,
    )  # fmt: skip
    Voice.objects.create(recording=made, number=1, role=Speaker.Role.PARTICIPANT, participant=ana)
    return interview


def reel(client: Client, **asked: object) -> tuple[list[str], dict[str, int]]:
    """The addresses that are played, and how many are not, by reason."""
    page = client.get(url("reel"), asked)
    plays = [row["clip"].at for row in page.context["passages"]]
    return plays, {str(row["words"])[:22]: row["n"] for row in page.context["refused"]}


def test_moments_of_takes_are_found_as_passages_are(
    moments: list[Coding], ana: Participant, researcher: User, sign_in: SignIn
) -> None:
    opening, closing = (each.code for each in moments)
    theme = Theme.objects.create(study=ana.study, name="Ways in")
    theme.codes.set([opening])
    client = sign_in(researcher)
    page = client.get(url("theme", theme.pk))
    assert page.context["counts"] == {"passages": 1, "interviews": 0, "takes": 1, "people": 1}
    assert f"{ana.pseudonym} · 1 · 0:03–0:08" in page.content.decode()
    asked = PassageQuery(codes=frozenset({opening.pk}), also=closing.pk, is_both=True)
    (both,) = found_for(researcher, ana.study, asked)
    assert (both.start, both.end, both.codes) == (6000, 8000, ["opening", "closing"])
    person = PassageQuery(participant=ana.pk)
    assert len(found_for(researcher, ana.study, person)) == 2
    assert found_for(researcher, ana.study, PassageQuery(group="expert")) == []
    # In an open round others' moments are not seen.
    Round.objects.update(state=Round.State.OPEN, number=1, codebook=ana.study.codebooks.get())
    Coder.objects.update(user=None)
    assert found_for(researcher, ana.study, person) == []


def test_a_reel_plays_takes_and_interviews_with_a_run_up(
    moments: list[Coding],
    recorded: Interview,
    ana: Participant,
    researcher: User,
    sign_in: SignIn,
) -> None:
    client = sign_in(researcher)
    take = url("take_media", moments[0].rehearsal_id)
    sound = url("recording_media", Recording.objects.get().pk)
    plays, refused = reel(client, participant=ana.pk, before=5)
    assert plays == [f"{sound}#t=7.14,20.00", f"{take}#t=0.00,8.00", f"{take}#t=1.00,9.00"]
    assert refused == {}
    page = client.get(url("reel"), {"code": moments[0].code_id}).content.decode()
    assert f'href="{take}#t=1.00,8.00"' in page
    assert "Look here." in page
    # Nothing was opened yet: its owner sees who plays it, not who lists it.
    assert not Viewing.objects.exists()


def test_what_consent_or_role_do_not_allow_is_counted_and_not_named(
    moments: list[Coding],
    recorded: Interview,
    ana: Participant,
    researcher: User,
    sign_in: SignIn,
) -> None:
    client = sign_in(researcher)
    agree(ana, Scope.VIDEO, kind=ConsentEvent.Kind.WITHDRAWN)
    plays, refused = reel(client, group="trainee")
    assert len(plays) == 1
    assert list(refused.values()) == [2]
    assert client.get(url("take_media", moments[0].rehearsal_id)).status_code == 404
    page = client.get(url("reel"), {"code": moments[0].code_id}).content.decode()
    assert ana.pseudonym not in page.split("Not in this reel:")[1]
    agree(ana, Scope.VIDEO)
    agree(ana, Scope.RECORDING, kind=ConsentEvent.Kind.WITHDRAWN)
    assert len(reel(client, group="trainee")[0]) == 2
    Rehearsal.objects.update(media_removed_at=timezone.now())
    plays, refused = reel(client, group="trainee")
    assert (plays, sorted(refused.values())) == ([], [1, 2])
    leave_study(participant=ana, actor=researcher)
    assert reel(client, group="trainee") == ([], {})


def test_recordings_are_played_by_role(
    moments: list[Coding], recorded: Interview, ana: Participant, sign_in: SignIn
) -> None:
    ida = UserFactory(email="ida@example.org", name="Ida", roles=[Role.RESEARCHER])
    client = sign_in(ida)
    assert client.get(url("reel")).status_code == 404
    member = Member.objects.create(study=ana.study, user=ida, role=Member.Role.CODER)
    plays, refused = reel(client, group="trainee")
    assert all("/takes/" in each for each in plays)
    assert (len(plays), sum(refused.values())) == (2, 1)
    member.role = Member.Role.ALLOCATOR
    member.save()
    plays, refused = reel(client, group="trainee")
    assert (plays, list(refused.values())) == ([], [3])


def test_a_turn_without_times_is_not_played(
    recorded: Interview, researcher: User, sign_in: SignIn
) -> None:
    Turn.objects.update(start_ms=None)
    assert reel(sign_in(researcher), group="trainee")[1].popitem()[1] == 1

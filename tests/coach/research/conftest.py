"""A small study with everything in it: a take, an interview in several scripts, two coders."""

from __future__ import annotations

from pathlib import Path

import pytest

from coach.accounts.models import User
from coach.feedback.models import Verdict
from coach.feedback.verdicts import decide_on_item
from coach.rehearsals.models import Rehearsal
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import Code, Interview, Memo
from coach.research.exports.bundle.build import STEPS
from coach.research.exports.bundle.scope import Included, last_change
from coach.research.exports.models import Export
from coach.research.exports.services import ask_for_export
from coach.research.studies.models import Participant, Scope, Study
from tests.coach.factories import UserFactory
from tests.coach.research.making import (
    agree,
    make_interview,
    make_round,
    make_study,
    mark,
    take_part,
)

SPOKEN = (
    ("I", "How was it? 🎤"),
    ("P", "I like pauses 👩🏽‍🏫, they help; q\u0303uite a lot, <really> & truly."),
    ("I", "كيف كان؟"),
    ("P", "À mon avis, التوقّف يساعد كثيرًا."),
)
ALL = (Scope.MEASUREMENTS, Scope.FEEDBACK, Scope.TRANSCRIPT)


@pytest.fixture
def study(researcher: User, trainee: User, coach: User, sent: Rehearsal) -> Study:
    """Ana and Bea take part in Rui's study."""
    made = make_study(researcher)
    ana, bea = take_part(made, trainee), take_part(made, coach, group="coach")
    for each in (ana, bea):
        agree(each, *ALL)
    decide_on_item(
        item=sent.feedback.get().items.get(),
        coach=coach,
        kind=Verdict.Kind.EDIT,
        wording={"claim": "You said um eight times a minute."},
        note="Shorter.",
    )
    said = [(label, ana if label == "P" else None, words) for label, words in SPOKEN]
    text = make_interview(made, said).texts.get()
    coding_round = make_round(made, "pauses", "helping")
    mark(coding_round, 1, text, "pauses 👩🏽‍🏫", "pauses", memo="At once 🙂")
    mark(coding_round, 2, text, "pauses 👩🏽‍🏫, they help", "pauses")
    mark(coding_round, 1, text, "التوقّف", "helping")
    coder = coding_round.coders.get(number=1)
    Memo.objects.create(study=made, coder=coder, code=Code.objects.first(), body="Often together.")
    return made


@pytest.fixture
def group(study: Study) -> Interview:
    """A focus group with Ana and somebody who agreed to nothing."""
    ana = study.participants.get(group="trainee")
    silent = take_part(study, UserFactory())
    said = [
        ("P1", ana, "I go first."),
        ("P2", silent, "Keep this to yourselves."),
        ("P1", ana, "Well."),
    ]
    return make_interview(study, said, Interview.Kind.FOCUS_GROUP)


@pytest.fixture
def ana(researcher: User, trainee: User, take: Rehearsal) -> Participant:
    """Ana takes part in Rui's study with one take, and has agreed to nothing yet."""
    study = make_study(researcher)
    Code.objects.create(study=study, name="opening", description="How it begins.")
    keep_version(study=study, note="", actor=researcher)
    Rehearsal.objects.update(has_video=True, duration=60.0)
    return take_part(study, trainee)


@pytest.fixture
def export(study: Study, researcher: User) -> Export:
    """One that was asked for."""
    return ask_for_export(
        study=study,
        researcher=researcher,
        recipient="A university",
        purpose="To look",
        agreement="2026-1",
        formats=["textgrid"],
    )


def included_in(study: Study, *formats: str) -> Included:
    """What an export of the study may hold now."""
    return Included(study=study, cut_off=last_change(study), formats=frozenset(formats))


def lay_out(study: Study, folder: Path, *formats: str) -> Included:
    """Write every file of a bundle, unchecked and not packed."""
    included = included_in(study, *formats)
    counts: dict[str, int] = {}
    for step in STEPS:
        step.run(included, folder, counts)
    return included

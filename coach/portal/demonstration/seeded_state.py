"""State of the demonstration: takes of several people, reviews, a rule under discussion.

All of it goes through the usual services, as the demonstration's people. Safe to run again: a take
that was sent or deleted is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.db import transaction

from coach.accounts.models import Cohort, Role, User
from coach.curation.models import Proposal
from coach.curation.selectors import working_rule
from coach.curation.services import propose_change
from coach.feedback.models import Feedback, Run
from coach.portal.demonstration.actions import (
    answer_back,
    ask,
    correct_and_share,
    judge_again,
    person_of,
    receive_guest,
    review,
)
from coach.portal.demonstration.assignments import set_assignment
from coach.portal.demonstration.practice import practise
from coach.portal.demonstration.seeding import hand_in, reading, sha256_of
from coach.portal.demonstration.slides import give_slides
from coach.portal.demonstration.takes import TAKES, DemoTake, Fate
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach
from coach.research.demonstration.small import make_small_study
from coach.review.services import enqueue_sent
from coach.rulesets.selectors import rule_of

PROPOSED_RULE = "FIL001"
PROPOSED_SECONDS = 45.0

Recordings = Mapping[str, Path]
"""The file of each talk, by its name in TAKES."""


def hand_in_talks(recordings: Recordings) -> int:
    """Submit every talk whose recording is given and missing; return the number of new ones."""
    handed_in = 0
    for take in TAKES:
        owner = User.objects.filter(email=take.owner).first()
        if owner is None or take.file not in recordings:
            continue
        new = hand_in(
            owner=owner,
            recording=recordings[take.file],
            context=take.context,
            is_constructed=True,
            key_words=take.key_words or None,
            deck=give_slides() if take.changes else None,
            changes=take.changes,
        )
        handed_in += new is not None
    give_slides()
    return handed_in


def settle_takes(recordings: Recordings) -> int:
    """Bring each analysed take to its planned state; return the number still being analysed."""
    waiting = 0
    for take in TAKES:
        if take.file in recordings:
            sha256 = sha256_of(recordings[take.file])
            found = Rehearsal.objects.filter(owner__email=take.owner, sha256=sha256).first()
            waiting += found is not None and not _settle(take, found, recordings)
    if not waiting:
        practise(recordings)
        set_assignment()
    return waiting


def is_analysing(owner: User) -> bool:
    """Return whether a take of this person is being analysed."""
    return Run.objects.filter(rehearsal__owner=owner, state=Run.State.RUNNING).exists()


def newest_report_of(owner: User) -> Rehearsal | None:
    """Return the person's newest take with a readable report; None if there is none."""
    taken = Rehearsal.objects.filter(owner=owner, feedback__isnull=False)
    return taken.order_by("-created_at").first()


def open_study(take: Rehearsal) -> None:
    """Let the researcher code a constructed take in a small study; once."""
    if take.is_constructed:
        make_small_study(take=take, researcher=person_of(Role.RESEARCHER))


@transaction.atomic
def _settle(take: DemoTake, rehearsal: Rehearsal, recordings: Recordings) -> bool:
    """Return whether the take is settled; a failed or already sent take counts as settled."""
    if rehearsal.runs.filter(state=Run.State.RUNNING).exists():
        return False
    draft = rehearsal.feedback.filter(state=Feedback.State.DRAFT).first()
    if draft is None or rehearsal.grants.exists():
        return True
    if take.guest and not rehearsal.guest_links.exists():
        receive_guest(take.guest, rehearsal)
        correct_and_share(rehearsal, draft)
    if take.fate == Fate.PRIVATE:
        return True
    with _drawn(rehearsal.cohort, is_sampled=take.is_sampled):
        with reading(rehearsal.owner):
            send_to_coach(rehearsal=rehearsal, note=take.note)
        enqueue_sent()
    if take.fate in (Fate.RELEASED, Fate.DISPUTED):
        review(take, draft, spoken=recordings.get(take.spoken))
        if take.second is not None:
            judge_again(take.second, rehearsal)
        answer_back(take, draft)
    if take.fate == Fate.ASKED:
        ask(take, draft)
    return True


@contextmanager
def _drawn(cohort: Cohort | None, *, is_sampled: bool) -> Iterator[None]:
    """Make the draw for second opinions deterministic while a take is sent.

    It runs in one transaction, so that the temporary percentage is never visible.
    """
    enqueue_sent()
    shares = Cohort.objects.filter(pk__in=[cohort.pk] if cohort else [])
    usual = shares.values_list("second_opinion_percent", flat=True).first()
    shares.update(second_opinion_percent=100 if is_sampled else 0)
    yield
    if usual is not None:
        shares.update(second_opinion_percent=usual)


def propose_a_change() -> None:
    """Let a curator propose a change that the other can decide on, once per installation."""
    working = working_rule(PROPOSED_RULE)
    if working is None or Proposal.objects.filter(rule=PROPOSED_RULE).exists():
        return
    rule = rule_of(working.newest)
    gates = rule.gates.model_copy(update={"min_seconds": PROPOSED_SECONDS})
    propose_change(
        rule=rule.model_copy(update={"gates": gates}),
        base=working.newest,
        author=person_of(Role.CURATOR),
        why="A pitch of three quarters of a minute should hear about its ums too.",
    )

"""What is going on in a demonstration: takes of several people, reviews, a rule under discussion.

Everything is done by the services that people use, by the people that the demonstration has. Safe
to run again: a take that somebody has sent, or that was deleted, is left as it is.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from django.db import transaction

from coach.accounts.models import Role, User
from coach.curation.models import Proposal
from coach.curation.selectors import working_rule
from coach.curation.services import propose_change
from coach.feedback.conversation import answer, ask_about_item, ask_trainee, dispute_item
from coach.feedback.items import items_for_reading, standing_items
from coach.feedback.models import Dispute, Feedback, Run, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.guests.services import LONGEST_DAYS, comment, make_link
from coach.portal.seeding import ACCOUNTS, hand_in, sha256_of
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import TalkContext, record_guest, record_viewing, send_to_coach
from coach.review.services import claim_rehearsal, finish_review, give_back, keep_for
from coach.rulesets.selectors import rule_of

PROPOSED_RULE = "FIL001"
PROPOSED_SECONDS = 45.0

Recordings = Mapping[str, Path]
"""The file of each talk, by its name in TAKES."""


class Fate(Enum):
    """How far a take has got when the visitor arrives."""

    PRIVATE = "private"
    WAITING = "waiting"
    ASKED = "asked"
    RELEASED = "released"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestWords:
    """A guest of the owner's, and what they wrote at a time, in seconds."""

    name: str
    at_seconds: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoTake:
    """One recording of the demonstration, and what becomes of it."""

    file: str
    owner: str
    context: TalkContext
    fate: Fate = Fate.PRIVATE
    note: str = ""
    advice: str = ""
    """What the coach puts in the place of the first suggestion."""
    question: str = ""
    """What its owner asks about the first item, once it is released; nobody has answered yet."""
    objection: str = ""
    reply: str = ""
    """What the coach answers to the objection."""
    asked: str = ""
    """What the coach asks before releasing."""
    guest: GuestWords | None = None


_THESIS = TalkContext(
    title="My thesis in ninety seconds",
    aim="inform",
    audience="public",
    setting="stage",
    language="en",
    time_limit=90.0,
    goal="clarity",
)

TAKES = (
    DemoTake(
        file="thesis-first",
        owner="trainee@rostrum.example",
        context=_THESIS,
        fate=Fate.RELEASED,
        note="I always run out of breath. Where could I stop?",
        advice="Say the door and the bakery, then count to one in silence. Record just that part.",
        question="Should I pause as long in front of five people as in a large hall?",
    ),
    DemoTake(
        file="thesis-second",
        owner="trainee@rostrum.example",
        context=_THESIS,
        guest=GuestWords(
            name="Paul",
            at_seconds=20.0,
            text="This is the sentence that I would tell somebody tomorrow.",
        ),
    ),
    DemoTake(
        file="library",
        owner="nadia@rostrum.example",
        context=TalkContext(
            title="Four more hours for our library",
            aim="persuade",
            audience="decision_makers",
            setting="stage",
            language="en",
            time_limit=120.0,
            goal="fluency",
        ),
        fate=Fate.WAITING,
        note="The council meets on Thursday.",
    ),
    DemoTake(
        file="river",
        owner="tom@rostrum.example",
        context=TalkContext(
            title="Three results from the river",
            aim="report",
            audience="experts",
            setting="camera",
            language="en",
            time_limit=75.0,
        ),
        fate=Fate.WAITING,
        note="I know that it is long. What could go?",
    ),
    DemoTake(
        file="reading-aloud",
        owner="elise@rostrum.example",
        context=TalkContext(
            title="Lire à voix haute",
            aim="teach",
            audience="colleagues",
            setting="stage",
            language="fr",
        ),
        fate=Fate.DISPUTED,
        note="Est-ce que je parle assez lentement ?",
        advice="Gardez ce calme, et laissez un silence avant l’histoire du garçon.",
        objection="En réécoutant, je ne l’entends pas ainsi.",
        reply="Merci d’avoir réécouté. Essayez une fois des deux façons, puis choisissez.",
    ),
    DemoTake(
        file="toast",
        owner="ben@rostrum.example",
        context=TalkContext(
            title="A toast to Martha",
            aim="celebrate",
            audience="mixed",
            setting="stage",
            language="en",
        ),
        fate=Fate.ASKED,
        note="It has to make people laugh once.",
        asked="How many people will be in the room, and will you have a microphone?",
    ),
)


def hand_in_talks(recordings: Recordings) -> int:
    """Hand in every talk whose recording is given and not there yet; says how many."""
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
        )
        handed_in += new is not None
    return handed_in


def settle_takes(recordings: Recordings) -> int:
    """Bring each analysed take as far as it should be; says how many are still on their way."""
    waiting = 0
    for take in TAKES:
        if take.file in recordings:
            sha256 = sha256_of(recordings[take.file])
            found = Rehearsal.objects.filter(owner__email=take.owner, sha256=sha256).first()
            waiting += found is not None and not _settle(take, found)
    return waiting


def is_analysing(owner: User) -> bool:
    """Whether a take of this person is on its way."""
    return Run.objects.filter(rehearsal__owner=owner, state=Run.State.RUNNING).exists()


def newest_report_of(owner: User) -> Rehearsal | None:
    """The newest take of this person whose report can be read."""
    taken = Rehearsal.objects.filter(owner=owner, feedback__isnull=False)
    return taken.order_by("-created_at").first()


@transaction.atomic
def _settle(take: DemoTake, rehearsal: Rehearsal) -> bool:
    """Whether nothing is left to do; one that failed, or that people went on with, is settled."""
    if rehearsal.runs.filter(state=Run.State.RUNNING).exists():
        return False
    draft = rehearsal.feedback.filter(state=Feedback.State.DRAFT).first()
    if draft is None or rehearsal.grants.exists():
        return True
    if take.guest and not rehearsal.guest_links.exists():
        _receive_guest(take.guest, rehearsal)
    if take.fate == Fate.PRIVATE:
        return True
    send_to_coach(rehearsal=rehearsal, note=take.note)
    if take.fate in (Fate.RELEASED, Fate.DISPUTED):
        _review(take, draft)
        _answer_back(take, draft)
    if take.fate == Fate.ASKED:
        _ask(take, draft)
    return True


def _receive_guest(guest: GuestWords, rehearsal: Rehearsal) -> None:
    """Somebody without an account has watched it; nobody has their link."""
    link, _token = make_link(
        rehearsal=rehearsal,
        maker=rehearsal.owner,
        meant_for=guest.name,
        days=LONGEST_DAYS,
        shows_findings=False,
    )
    for what in ("guest", "recording"):
        record_guest(rehearsal=rehearsal, name=guest.name, what=what)
    comment(
        link=link,
        visit=uuid.uuid4(),
        name=guest.name,
        at_seconds=min(guest.at_seconds, rehearsal.duration or 0.0),
        text=guest.text,
    )


def _ask(take: DemoTake, draft: Feedback) -> None:
    """The coach has opened it, and waits for an answer before going on."""
    coach = _the(Role.COACH)
    rehearsal = draft.rehearsal
    claim_rehearsal(rehearsal=rehearsal, coach=coach)
    record_viewing(rehearsal=rehearsal, viewer=coach, what="desk")
    ask_trainee(feedback=draft, coach=coach, text=take.asked)
    keep_for(rehearsal=rehearsal, coach=coach)
    give_back(rehearsal=rehearsal, coach=coach)


def _review(take: DemoTake, draft: Feedback) -> None:
    coach = _the(Role.COACH)
    rehearsal = draft.rehearsal
    claim_rehearsal(rehearsal=rehearsal, coach=coach)
    record_viewing(rehearsal=rehearsal, viewer=coach, what="desk")
    chosen = [each for each in standing_items(draft) if each.item.is_chosen]
    for number, each in enumerate(chosen):
        wording = {"claim": each.card.claim, "suggestion": take.advice}
        decide_on_item(
            item=each.item,
            coach=coach,
            kind=Verdict.Kind.ACCEPT if number else Verdict.Kind.EDIT,
            wording=None if number else wording,
        )
    release_feedback(feedback=draft, coach=coach)
    finish_review(rehearsal=rehearsal, coach=coach)


def _answer_back(take: DemoTake, draft: Feedback) -> None:
    """The owner asks about the first item that they read, or disagrees with the last."""
    draft.refresh_from_db()
    read, owner = items_for_reading(draft), draft.rehearsal.owner
    if take.question and read:
        ask_about_item(item=read[0].item, owner=owner, text=take.question)
    if take.objection and read:
        said = dispute_item(
            item=read[-1].item, owner=owner, reason=Dispute.Reason.NOT_RIGHT, note=take.objection
        )
        answer(said=said, by=_the(Role.COACH), text=take.reply)


def propose_a_change() -> None:
    """A curator asks for a change that the other one can decide on; once for an installation."""
    working = working_rule(PROPOSED_RULE)
    if working is None or Proposal.objects.filter(rule=PROPOSED_RULE).exists():
        return
    rule = rule_of(working.newest)
    gates = rule.gates.model_copy(update={"min_seconds": PROPOSED_SECONDS})
    propose_change(
        rule=rule.model_copy(update={"gates": gates}),
        base=working.newest,
        author=_the(Role.CURATOR),
        why="A pitch of three quarters of a minute should hear about its ums too.",
    )


def _the(role: Role) -> User:
    """The first person of the demonstration who has this role."""
    email = next(account.email for account in ACCOUNTS if account.role == role)
    return User.objects.get(email=email)

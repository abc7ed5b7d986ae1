"""Actions on the demonstration's takes, through the same services as on any site."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coach.accounts.models import Role, User
from coach.feedback.corrected_reports import report_for_reading
from coach.feedback.corrections import mark_meant_pause
from coach.feedback.items import StandingItem, items_for_reading, standing_items
from coach.feedback.messages import answer, ask_about_item, ask_trainee, dispute_item
from coach.feedback.models import Dispute, Feedback, Verdict
from coach.feedback.releases import begin_correction, release_feedback
from coach.feedback.selectors import is_held_back
from coach.feedback.verdicts import decide_on_item
from coach.guests.services import LONGEST_DAYS, comment, make_link, share_clip
from coach.portal.demonstration.seeding import ACCOUNTS, send
from coach.portal.demonstration.takes import DemoTake, GuestWords, SecondView
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import record_guest, record_viewing
from coach.review.rubric.models import Occasion
from coach.review.rubric.services import finish_rating, save_rating
from coach.review.rubric.words import QUALITIES
from coach.review.second.discussion import add_message
from coach.review.second.first_opinions import gather_first_opinions
from coach.review.second.models import Decision
from coach.review.second.services import ItemVerdict as SecondVerdict
from coach.review.second.services import decide, hand_in, items_of, take_second
from coach.review.services import claim_rehearsal, finish_review, give_back, keep_for
from coach.review.spoken.services import save_reply, upload_key
from coach.review.threads.services import write_message


def receive_guest(guest: GuestWords, rehearsal: Rehearsal) -> None:
    """Add a guest who has watched the take and commented; their link is given to nobody."""
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


def correct_and_share(rehearsal: Rehearsal, draft: Feedback) -> None:
    """Let the owner mark their longest pause as meant, and share a moment of a card.

    The link is given to nobody. A report without such a pause or moment, or that a
    coach reads first, is left as it is.
    """
    if is_held_back(rehearsal):
        return
    owner = rehearsal.owner
    pauses = report_for_reading(draft.run, draft).events_of("silent_pause")
    longest = max(pauses, key=lambda each: each.end - each.start, default=None)
    if longest is not None:
        mark_meant_pause(feedback=draft, owner=owner, start=longest.start)
    read = items_for_reading(draft)
    shared = next((each.item for each in read if each.card.clips), None)
    if shared is not None:
        share_clip(rehearsal=rehearsal, item=shared, moment=0, meant_for="Rosa", days=LONGEST_DAYS)


def ask(take: DemoTake, draft: Feedback) -> None:
    """Let the coach open the take and ask a question, which waits for an answer."""
    coach = person_of(Role.COACH)
    rehearsal = draft.rehearsal
    claim_rehearsal(rehearsal=rehearsal, coach=coach)
    record_viewing(rehearsal=rehearsal, viewer=coach, what="desk")
    ask_trainee(feedback=draft, coach=coach, text=take.asked)
    keep_for(rehearsal=rehearsal, coach=coach)
    give_back(rehearsal=rehearsal, coach=coach)


def review(take: DemoTake, draft: Feedback, *, spoken: Path | None) -> None:
    """Let the coach decide on the cards, reply by voice if there is a recording, and release."""
    coach = person_of(Role.COACH)
    rehearsal = draft.rehearsal
    claim_rehearsal(rehearsal=rehearsal, coach=coach)
    record_viewing(rehearsal=rehearsal, viewer=coach, what="desk")
    chosen = [each for each in standing_items(draft) if each.item.is_chosen]
    for number, each in enumerate(chosen):
        decide_on_item(
            item=each.item,
            coach=coach,
            kind=Verdict.Kind.ACCEPT if number else Verdict.Kind.EDIT,
            wording=None if number else _reworded(take, each),
            note="" if number else take.why_changed,
        )
    if take.second is not None:
        _judge(rehearsal, coach, Occasion.REVIEW, take.second.first_levels)
    if spoken is not None:
        upload = send(owner=coach, recording=spoken, meant_for=upload_key(rehearsal.pk))
        save_reply(feedback=draft, coach=coach, upload=upload, at=take.spoken_at)
    release_feedback(feedback=draft, coach=coach)
    finish_review(rehearsal=rehearsal, coach=coach)


def _reworded(take: DemoTake, first: StandingItem) -> dict[str, Any]:
    """Return the coach's wording of an item, with further clips if the take names any."""
    wording: dict[str, Any] = {"claim": first.card.claim, "suggestion": take.advice}
    length = first.item.feedback.rehearsal.duration or 0.0
    more = [{"start": start, "end": end} for start, end in take.moments if start < end <= length]
    return {**wording, "clips": [*first.document.get("clips", []), *more]} if more else wording


def _judge(
    rehearsal: Rehearsal, coach: User, occasion: Occasion, levels: Sequence[int | None]
) -> None:
    by_quality = {quality.code: level for quality, level in zip(QUALITIES, levels, strict=True)}
    save_rating(
        rehearsal=rehearsal, coach=coach, occasion=occasion, levels=by_quality, priorities=[]
    )
    finish_rating(rehearsal=rehearsal, coach=coach, occasion=occasion)


def judge_again(view: SecondView, rehearsal: Rehearsal) -> None:
    """Add a second coach's blind review that differs in a few points from the first.

    A lead who gave neither can then compare both, and choose which one counts.
    """
    first, coach = coaches()
    opinion = take_second(rehearsal=rehearsal, coach=coach)
    record_viewing(rehearsal=rehearsal, viewer=coach, what="second")
    _judge(rehearsal, coach, Occasion.SECOND, view.levels)
    chosen = [str(item.pk) for item in items_of(opinion) if item.is_chosen]
    verdicts = {key: SecondVerdict(kind=Decision.Kind.KEEP) for key in chosen}
    if chosen:
        verdicts[chosen[-1]] = SecondVerdict(kind=Decision.Kind.REJECT, reason=view.would_leave_out)
    decide(opinion=opinion, verdicts=verdicts)
    hand_in(opinion=opinion, coach=coach)
    gather_first_opinions()
    for author, text in zip((coach, first), view.discussion, strict=False):
        add_message(rehearsal=rehearsal, author=author, text=text)


def answer_back(take: DemoTake, draft: Feedback) -> None:
    """Let the owner ask about the first item, or object to the last one."""
    draft.refresh_from_db()
    read, owner = items_for_reading(draft), draft.rehearsal.owner
    if take.question and read:
        ask_about_item(item=read[0].item, owner=owner, text=take.question)
    if take.written and read:
        for by, text in zip((owner, person_of(Role.COACH)), take.written, strict=True):
            write_message(subject=read[0].item, by=by, text=text)
    if take.objection and read:
        said = dispute_item(
            item=read[-1].item, owner=owner, reason=Dispute.Reason.NOT_RIGHT, note=take.objection
        )
        answer(said=said, by=person_of(Role.COACH), text=take.reply)
        if take.correction:
            _correct(read[-1], take.correction)


def _correct(disputed: StandingItem, advice: str) -> None:
    """Correct released feedback with a new version, which shows the changes."""
    coach = person_of(Role.COACH)
    fresh = begin_correction(feedback=disputed.item.feedback, coach=coach)
    decide_on_item(
        item=fresh.items.get(former=disputed.item),
        coach=coach,
        kind=Verdict.Kind.EDIT,
        wording={"claim": disputed.card.claim, "suggestion": advice},
    )
    release_feedback(feedback=fresh, coach=coach)


def person_of(role: Role) -> User:
    """Return the first person of the demonstration with this role."""
    email = next(account.email for account in ACCOUNTS if account.role == role)
    return User.objects.get(email=email)


def coaches() -> tuple[User, User]:
    """Return the two coaches who review, the one who leads the group first."""
    first, second, *_leads = (each.email for each in ACCOUNTS if each.role == Role.COACH)
    return User.objects.get(email=first), User.objects.get(email=second)

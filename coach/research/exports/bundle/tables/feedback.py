"""Tables of feedback: items, coaches' decisions, review times, and ratings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from coach.feedback.items import Decision, standing
from coach.feedback.models import Dispute, Item, RejectReason, Verdict
from coach.research.exports.bundle.reports import milliseconds
from coach.research.exports.bundle.scope import Included, Person, Take
from coach.research.exports.bundle.spec import (
    Row,
    Table,
    number,
    refers,
    text,
    whole,
    yes_no,
)
from coach.research.exports.bundle.tables.takes import measurement_id
from coach.research.exports.names import row_name
from coach.research.studies.models import Scope
from coach.review.models import Review
from feedback_rules.model.values import Tone

_QUOTED = re.compile(r"“[^”]*”|«[^»]*»|„[^“”]*[“”]|\"[^\"]*\"")
"""In a coach's own words, which say no other way what they quote."""
_ACTIONS = {
    Verdict.Kind.ACCEPT: "confirmed",
    Verdict.Kind.EDIT: "edited",
    Verdict.Kind.REJECT: "rejected",
    Verdict.Kind.REPLACE: "replaced",
    Verdict.Kind.ADD: "added",
    Verdict.Kind.HOLD: "held_back",
}
_FIRST, _NEXT, _OTHER = 3, 2, 1


def _items(included: Included) -> Iterator[tuple[Take, Item]]:
    """Yield the items of takes whose owners consented to their feedback, by take and version."""
    for take in included.takes_with(Scope.FEEDBACK):
        items = (
            Item.objects.filter(
                feedback__rehearsal=take.rehearsal.pk, created_at__lte=included.cut_off
            )
            .select_related("feedback__rule_set", "author", "former")
            .prefetch_related("verdicts", "disputes", "times")
            .order_by("feedback__version", "position", "pk")
        )
        named = ((feedback_id(included, item), item) for item in items)
        yield from ((take, item) for _name, item in sorted(named, key=lambda pair: pair[0]))


def feedback_id(included: Included, item: Item) -> str:
    """Return the export name of an item."""
    return f"F-{row_name(included.key, 'item', item.pk)}"


def coach_in(included: Included, user_id: int | None) -> Person | None:
    """Return the coach if they take part and consented to their words; otherwise None."""
    person = included.by_user.get(user_id or 0)
    return person if person and person.agrees(Scope.FEEDBACK) else None


def body_of(included: Included, take: Take, item: Item) -> str:
    """Return the original text of an item, as far as consent allows.

    A coach's own words need the coach's consent, and quotes the speaker's: without it, a card with
    quotes is described by its label.
    """
    if item.origin == Item.Origin.COACH and coach_in(included, item.author_id) is None:
        return ""
    card = item.card
    said = " ".join(part for part in (card.claim, card.suggestion) if part)
    if take.person.agrees(Scope.TRANSCRIPT):
        return said
    if item.origin == Item.Origin.COACH:
        return _QUOTED.sub("[…]", said)
    return card.label if card.quotes else said


def _words_of_coach(included: Included, take: Take, item: Item, said: str) -> str:
    """Return a coach's words on a decision, with quotes only if the speaker consented.

    Empty for a card with quotes, since the fields of the review page start with the card's words.
    """
    if take.person.agrees(Scope.TRANSCRIPT):
        return said
    # A rule's text after a corrected transcript may quote where it did not before.
    quotes = item.card.quotes or standing(item, at=included.cut_off).card.quotes
    return "" if quotes else _QUOTED.sub("[…]", said)


_WORDED = ("claim", "comparison", "why", "suggestion")
"""The texts of a card that a coach may put others in the place of."""


def _reworded(verdict: Verdict) -> str:
    """Return the words of an edit, without its clips."""
    parts = (verdict.wording.get(name) for name in _WORDED)
    return " ".join(str(part) for part in parts if part)


def _severity(item: Item) -> int:
    if item.tone == "strength" or not item.is_chosen:
        return _OTHER
    return _FIRST if item.position <= 1 else _NEXT


def _feedback_items(included: Included) -> Iterator[Row]:
    for take, item in _items(included):
        card, now = item.card, standing(item, at=included.cut_off)
        disputes = [each for each in item.disputes.all() if included.stands(each)]
        released = item.feedback.released_at
        yield {
            "feedback_id": feedback_id(included, item),
            "former_feedback_id": feedback_id(included, item.former) if item.former else "",
            "rehearsal_id": take.name,
            "generator": item.origin,
            "rule": item.rule,
            "rule_version": item.rule_version,
            "rule_set": item.feedback.rule_set.number,
            "feedback_version": item.feedback.version,
            "position": item.position,
            "tone": item.tone,
            "category": item.quality,
            "body": body_of(included, take, item),
            "start_ms": milliseconds(card.clips[0].start) if card.clips else None,
            "end_ms": milliseconds(card.clips[0].end) if card.clips else None,
            "severity": _severity(item),
            "grade": card.grade or "",
            "selection_weight": card.factors.score,
            "confidence": card.factors.confidence,
            "certainty": card.certainty,
            "was_chosen": item.is_chosen,
            "decision": now.decision,
            "shown_to_trainee": now.is_shown and included.is_before(released),
            "dispute": disputes[0].reason if disputes else "",
            "day_offset": take.person.day(item.feedback.created_at),
        }


def _evidence(included: Included) -> Iterator[Row]:
    for take, item in _items(included):
        if item.card.metric:
            yield {
                "feedback_id": feedback_id(included, item),
                "measurement_id": measurement_id(take, item.card.metric),
                "relation": "supports",
            }


def _reviews(included: Included) -> Iterator[Row]:
    for take, item in _items(included):
        made = [each for each in item.verdicts.all() if each.at <= included.cut_off]
        for place, verdict in enumerate(made, start=1):
            coach = coach_in(included, verdict.coach_id)
            note, body = (
                _words_of_coach(included, take, item, said) if coach else ""
                for said in (verdict.note, _reworded(verdict))
            )
            yield {
                "review_id": f"{feedback_id(included, item)}:{place:02d}",
                "feedback_id": feedback_id(included, item),
                "coach_id": coach.name if coach else "",
                "action": _ACTIONS[Verdict.Kind(verdict.kind)],
                "reason_code": verdict.reason,
                "reason_text": note,
                "replacement_body": body,
                "was_reworded": bool(verdict.wording),
                "undone": included.is_before(verdict.undone_at),
                "item_seconds": _seconds_on(included, item, verdict) if coach else None,
                "review_round": item.feedback.version,
                "seconds_after_draft": round(
                    (verdict.at - item.feedback.created_at).total_seconds()
                ),
                "day_offset": take.person.day(verdict.at),
            }


def _seconds_on(included: Included, item: Item, verdict: Verdict) -> float | None:
    """Return the seconds that the coach worked on the item; None if changed after the cut-off."""
    for each in item.times.all():
        if each.coach_id == verdict.coach_id and included.is_before(each.updated_at):
            return round(each.seconds, 1)
    return None


def _desk_times(included: Included) -> Iterator[Row]:
    takes = {take.rehearsal.pk: take for take in included.takes_with(Scope.FEEDBACK)}
    reviews = Review.objects.filter(
        rehearsal__in=list(takes), grant__created_at__lte=included.cut_off
    ).select_related("grant")
    rows = []
    for each in reviews:
        take = takes[each.rehearsal_id]
        # The first answer: a later correction is not part of anybody's waiting time.
        answered = each.grant.answered_at
        is_done = included.is_before(answered)
        coach = coach_in(included, each.handled_by_id if is_done else None)
        waited = answered - each.grant.created_at if answered and is_done else None
        rows.append(
            {
                "rehearsal_id": take.name,
                "coach_id": coach.name if coach else "",
                "desk_seconds": each.handled_seconds if is_done else None,
                "waited_seconds": waited.total_seconds() if waited else None,
                "day_offset": take.person.day(each.grant.created_at),
            }
        )
    yield from sorted(rows, key=lambda row: str(row["rehearsal_id"]))


FEEDBACK_TABLES = (
    Table(
        name="feedback_items",
        title="Feedback items (cards) about takes, from rules or coaches",
        key=("feedback_id",),
        rows=_feedback_items,
        is_kept_as_it_came=True,
        refers=(
            refers("rehearsal_id", "rehearsals"),
            refers("former_feedback_id", "feedback_items", "feedback_id"),
        ),
        columns=(
            text("feedback_id", "Identifier, the same in every export of this study"),
            text(
                "former_feedback_id",
                "The same item in the previous version, which this one corrects; count only "
                "one of them",
                required=False,
            ),
            text("rehearsal_id", "The take"),
            text("generator", "Author of the item", *Item.Origin.values),
            text("rule", "The rule, described in rules.csv", required=False),
            whole("rule_version", "Version of the rule", required=False),
            whole("rule_set", "Number of the rule set"),
            whole(
                "feedback_version",
                "Version of the feedback; a correction creates a new version that repeats "
                "the items, so use the newest of each take",
                least=1,
            ),
            whole("position", "Position in the draft, from 0"),
            text("tone", f"Strength or something to work on: {', '.join(get_args(Tone))}"),
            text("category", "Quality of the talk the item is about"),
            text(
                "body",
                "The original text; if the speaker did not consent to the use of their "
                "words, a description replaces a card that quotes them",
                required=False,
                about=True,
            ),
            whole("start_ms", "Start of its first moment", "ms", required=False),
            whole("end_ms", "Exclusive", "ms", required=False),
            whole(
                "severity", "1: strength or held back; 2: work on next; 3: work on first", least=1
            ),
            text("grade", "Level of evidence for the rule, explained in rules.csv", required=False),
            number("selection_weight", "Weight used for choosing items; not calibrated"),
            number(
                "confidence",
                "Confidence, from the quality, coverage and interval of the measures and the "
                "evidence and detector of the rule; not calibrated",
                least=0,
                most=1,
            ),
            text(
                "certainty", "The confidence in words, as on the card", required=False, about=True
            ),
            yes_no(
                "was_chosen", "Among the up to three cards of the draft; others waited for a coach"
            ),
            text(
                "decision",
                f"The coach's current decision: {', '.join(get_args(Decision))}; "
                "open means that no coach has decided",
            ),
            yes_no("shown_to_trainee", "Whether it is in released feedback"),
            text(
                "dispute",
                "The trainee's objection, unless they withdrew it: "
                f"{', '.join(Dispute.Reason.values)}",
                required=False,
            ),
            whole("day_offset", "Days since first consent", "d", least=None),
        ),
    ),
    Table(
        name="feedback_evidence",
        title="Measurements behind each item",
        key=("feedback_id", "measurement_id"),
        rows=_evidence,
        is_kept_as_it_came=True,
        refers=(refers("feedback_id", "feedback_items"), refers("measurement_id", "measurements")),
        columns=(
            text("feedback_id", "The item"),
            text("measurement_id", "The measurement"),
            text(
                "relation",
                "How the measurement relates to the item",
                "supports",
                "context",
                "contradicts",
            ),
        ),
    ),
    Table(
        name="coach_reviews",
        title="Coaches' decisions on each item, including undone ones",
        key=("review_id",),
        rows=_reviews,
        is_kept_as_it_came=True,
        refers=(
            refers("feedback_id", "feedback_items"),
            refers("coach_id", "participants", "participant_id"),
        ),
        columns=(
            text("review_id", "Item and number"),
            text("feedback_id", "The item"),
            text("coach_id", "The coach, if they take part and consented", required=False),
            text("action", "The decision", *_ACTIONS.values()),
            text("reason_code", "Reason for rejecting it", *RejectReason.values, required=False),
            text(
                "reason_text",
                "Reason in words, if the coach consented; empty for a card that quotes a "
                "speaker who did not consent to the use of their words",
                required=False,
                about=True,
            ),
            text(
                "replacement_body",
                "The new text, if the coach consented; empty where the reason in words would "
                "be empty for the speaker's sake",
                required=False,
                about=True,
            ),
            yes_no("was_reworded", "Whether the text was changed"),
            yes_no("undone", "Whether it was undone"),
            number(
                "item_seconds",
                "Total time the coach worked on this item: from opening it, writing in it or "
                "playing its moments until turning to something else, while the review page "
                "was visible, and up to 30 s after their last action. Reading before that, "
                "watching the whole talk and the transcript are not included. The same value "
                "is in each of the coach's decisions on the item. Empty if it was not timed, "
                "or if the coach does not take part or did not consent",
                "s",
                least=0,
            ),
            whole("review_round", "Version of the feedback", least=1),
            whole("seconds_after_draft", "Time since the draft was ready", "s", least=None),
            whole("day_offset", "Days since first consent", "d", least=None),
        ),
    ),
    Table(
        name="desk_times",
        title="Review and waiting times of takes",
        key=("rehearsal_id",),
        rows=_desk_times,
        is_kept_as_it_came=True,
        refers=(
            refers("rehearsal_id", "rehearsals"),
            refers("coach_id", "participants", "participant_id"),
        ),
        columns=(
            text("rehearsal_id", "The take"),
            text(
                "coach_id",
                "The coach who answered, if they take part and consented",
                required=False,
            ),
            number(
                "desk_seconds",
                "Time from claiming the take to the answer, including breaks; empty until then",
                "s",
                least=0,
            ),
            number("waited_seconds", "Time from sending the take to the answer", "s", least=0),
            whole(
                "day_offset",
                "Day on which it was sent, in days since first consent",
                "d",
                least=None,
            ),
        ),
    ),
)

"""Services for a coach's corrections: false fillers and looks away, misheard words.

Each correction is a label that research can count (`Correction`). Report and draft do not change;
figures that people read are calculated from both (`corrected_reports`, `CorrectedCard`).
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.results import Report
from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.corrected_reports import corrected_report, standing_corrections
from coach.feedback.models import CorrectedCard, Correction, DeskAct, Feedback, Item
from coach.feedback.reports import report_of
from coach.feedback.runs.drafting import stored_context
from coach.feedback.selectors import drafts_for
from coach.feedback.services import open_draft
from coach.feedback.verdicts import record_desk_act
from coach.rulesets.selectors import rule_set_of
from feedback_rules import select

STRIKES = {
    "filled_pause": Correction.Kind.NOT_A_FILLER,
    "filler_word": Correction.Kind.NOT_A_FILLER,
    "look_away": Correction.Kind.NOT_A_LOOK_AWAY,
}
"""The kinds of events that a coach can remove, with the kind of correction."""

_SAME_SECONDS = 0.02
_LONGEST_WORDS = 120
_CHOICE = ("rank", "factors", "needs_coach")
"""The fields about the selection of items, not about measurements."""


def corrections_for(coach: User) -> QuerySet[Correction]:
    """Return the corrections on takes that were sent to this coach."""
    return Correction.objects.filter(feedback__in=drafts_for(coach)).select_related("feedback")


@transaction.atomic
def strike_event(*, feedback: Feedback, coach: User, kind: str, start: float) -> Correction:
    """Remove a false filler or look away. A second call changes nothing.

    Raises AlreadyReleased, and ValidationError if there is no such event.
    """
    draft = open_draft(feedback.pk)
    events = corrected_report(draft).events_of(kind) if kind in STRIKES else ()
    event = next((each for each in events if abs(each.start - start) <= _SAME_SECONDS), None)
    if event is None:
        raise ValidationError(_("This event is no longer in the report."))
    return _put_right(
        draft,
        coach,
        kind=STRIKES[kind],
        event=kind,
        start=event.start,
        end=event.end,
        before=event.label[:200],
        probability=event.probability,
    )


@transaction.atomic
def correct_word(
    *, feedback: Feedback, coach: User, start: float, before: str, after: str
) -> Correction | None:
    """Replace the word `before` with `after`; an empty `after` removes it.

    Restoring the recognised word undoes the correction and returns None. Raises AlreadyReleased,
    and ValidationError if the word is not at this place or does not change.
    """
    draft = open_draft(feedback.pk)
    said = " ".join(after.split())
    if len(said) > _LONGEST_WORDS:
        raise ValidationError(_("Write the few words that were said here."))
    earlier = _word_there(draft, start)
    if earlier is not None:
        _undo(earlier, coach)
        if said == earlier.before:
            lay_cards(draft)
            _record(draft, coach, undid=earlier)
            return None
        start, before = earlier.start, earlier.before
    word = next(
        (
            each
            for each in report_of(draft.run).words
            if abs(each.start - start) <= _SAME_SECONDS and each.text == before
        ),
        None,
    )
    if word is None:
        raise ValidationError(_("That word is no longer at this place."))
    if said == word.text:
        raise ValidationError(_("The transcript already says this."))
    return _put_right(
        draft,
        coach,
        kind=Correction.Kind.WORD,
        start=word.start,
        end=word.end,
        before=word.text,
        after=said,
        probability=word.probability,
        instead_of=earlier,
    )


@transaction.atomic
def undo_correction(*, correction: Correction, coach: User) -> None:
    """Undo a correction. A second call changes nothing.

    Raises AlreadyReleased.
    """
    draft = open_draft(correction.feedback_id)
    held = Correction.objects.select_for_update().get(pk=correction.pk)
    if held.undone_at is None:
        _undo(held, coach)
        lay_cards(draft)
        _record(draft, coach, undid=held)


def take_correction_back(act: DeskAct, draft: Feedback) -> None:
    """Undo a review action's correction, and restore the previous one."""
    now = timezone.now()
    Correction.objects.filter(pk__in=act.after.get("made", [])).update(undone_at=now)
    for undone in Correction.objects.filter(pk__in=act.after.get("undid", [])):
        if not _at_the_place_of(undone).exists():
            Correction.objects.filter(pk=undone.pk).update(undone_at=None)
    lay_cards(draft)


def _at_the_place_of(correction: Correction) -> QuerySet[Correction]:
    return Correction.objects.filter(
        feedback=correction.feedback_id,
        kind=correction.kind,
        event=correction.event,
        start=correction.start,
        undone_at=None,
    )


def _record(
    draft: Feedback,
    coach: User,
    *,
    made: Correction | None = None,
    undid: Correction | None = None,
) -> None:
    after = {
        "made": [str(made.pk)] if made else [],
        "undid": [str(undid.pk)] if undid else [],
    }
    record_desk_act(feedback=draft, coach=coach, kind="correction", after=after)


def _word_there(draft: Feedback, start: float) -> Correction | None:
    """Return the correction in force at this time, which may cover several words, or None."""
    at = start + _SAME_SECONDS
    return Correction.objects.filter(
        feedback=draft, kind=Correction.Kind.WORD, undone_at=None, start__lte=at, end__gt=at
    ).first()


def _put_right(
    draft: Feedback, coach: User, *, instead_of: Correction | None = None, **label: Any
) -> Correction:
    correction, is_new = Correction.objects.get_or_create(
        feedback=draft,
        kind=label["kind"],
        event=label.get("event", ""),
        start=label["start"],
        undone_at=None,
        defaults={**label, "made_by": coach, "made_by_name": str(coach)},
    )
    if is_new:
        record_act(
            action="feedback.corrected",
            target=correction,
            actor=coach,
            after=_as_logged(correction),
        )
        lay_cards(draft)
        _record(draft, coach, made=correction, undid=instead_of)
    return correction


def _undo(correction: Correction, coach: User) -> None:
    correction.undone_at = timezone.now()
    correction.save(update_fields=["undone_at"])
    record_act(
        action="feedback.correction_undone",
        target=correction,
        actor=coach,
        before=_as_logged(correction),
    )


def _as_logged(correction: Correction) -> dict[str, object]:
    """Return values for the audit log, without words, because the log outlives the talk."""
    return {
        "kind": correction.kind,
        "event": correction.event,
        "at": round(correction.start, 2),
    }


def lay_cards(draft: Feedback) -> None:
    """Store the corrected card of each item whose text changes with the corrections.

    Rules run on both reports, with and without corrections, so that differences between versions
    of Rostrum do not count as corrections.
    """
    CorrectedCard.objects.filter(item__feedback=draft).delete()
    if not standing_corrections(draft):
        return
    before, after = (
        _written(draft, report) for report in (report_of(draft.run), corrected_report(draft))
    )
    CorrectedCard.objects.bulk_create(
        _card(item, after.get(item.rule))
        for item in draft.items.filter(origin=Item.Origin.RULE)
        if before.get(item.rule) != after.get(item.rule)
    )


def _written(draft: Feedback, report: Report) -> dict[str, dict[str, Any]]:
    """Return the card of each rule for this report."""
    made = select.draft(report, rule_set_of(draft.rule_set), stored_context(draft))
    cards = [*made.items, *(held.item for held in made.held_back)]
    return {
        card.rule: {
            name: value
            for name, value in card.model_dump(mode="json").items()
            if name not in _CHOICE
        }
        for card in cards
    }


_NOTHING_TO_SAY = {"figure": "", "comparison": "", "certainty": "", "counterfactual": ""}
"""The empty figures of a card whose rule no longer fires."""


def _card(item: Item, document: dict[str, Any] | None) -> CorrectedCard:
    if document is None:
        return CorrectedCard(item=item, document=_NOTHING_TO_SAY, holds=False)
    return CorrectedCard(item=item, document=document)

"""Services for corrections by coaches and owners: fillers, looks away, words and pauses.

Each correction is a label that research can count (`Correction`). Report and draft do not change;
figures that people read are calculated from both (`corrected_reports`, `CorrectedCard`).

Coaches correct a draft. The owner corrects the version that they read, also a released one: then
measures follow, and the cards stay as the coach released them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.results import Event, Report
from analysis.talk.languages import language_data
from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.corrected_reports import (
    corrected_report,
    made_by_owner,
    report_for_reading,
    standing_corrections,
)
from coach.feedback.items import standing_items
from coach.feedback.models import CorrectedCard, Correction, DeskAct, Feedback, Item
from coach.feedback.reports import report_of
from coach.feedback.runs.drafting import stored_context
from coach.feedback.selectors import drafts_for
from coach.feedback.services import open_draft
from coach.feedback.verdicts import record_desk_act
from coach.rehearsals.selectors import own_rehearsals_for
from coach.rulesets.selectors import rule_set_of
from feedback_rules import select

STRIKES = {
    "filled_pause": Correction.Kind.NOT_A_FILLER,
    "filler_word": Correction.Kind.NOT_A_FILLER,
    "look_away": Correction.Kind.NOT_A_LOOK_AWAY,
}
"""The kinds of events that a coach can remove, with the kind of correction."""
OWN_STRIKES = ("filled_pause", "filler_word")
"""The kinds of events that an owner can remove: a look away is not in the transcript."""
MOST_CORRECTIONS = 500
"""Corrections of one take by its owner, since each is applied on every reading (rule of thumb)."""

_SAME_SECONDS = 0.02
_LONGEST_WORDS = 120
_LONGEST_UM, _SHORTEST_UM = 0.4, 0.05
"""Length of a missed um in seconds: within the gap, else a moment at the end of the word before
it (rules of thumb)."""
_CHOICE = ("rank", "factors", "needs_coach")
"""The fields about the selection of items, not about measurements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Correcting:
    """One person's access to a locked version."""

    feedback: Feedback
    by: User
    side: Correction.Side

    @property
    def is_owner(self) -> bool:
        return self.side == Correction.Side.OWNER

    def report(self) -> Report:
        """Return the report as this person reads it."""
        if self.is_owner:
            return report_for_reading(self.feedback.run, self.feedback)
        return corrected_report(self.feedback)

    def standing(self) -> QuerySet[Correction]:
        """Return the corrections at whose places this person cannot add another.

        For a coach those of this version: a released version does not change any more.
        """
        found = Correction.objects.filter(undone_at=None)
        if self.is_owner:
            return found.filter(feedback__rehearsal=self.feedback.rehearsal_id)
        return found.filter(feedback=self.feedback)


def _by_coach(feedback: Feedback, coach: User) -> _Correcting:
    """Return a coach's access to a draft. Raises AlreadyReleased."""
    return _Correcting(feedback=open_draft(feedback.pk), by=coach, side=Correction.Side.COACH)


def _by_owner(feedback: Feedback, owner: User) -> _Correcting:
    """Return the owner's access to the version that they read.

    Raises ValidationError if it was retracted, or after too many corrections.
    """
    locked = Feedback.objects.select_for_update().get(pk=feedback.pk)
    if locked.state == Feedback.State.RETRACTED:
        raise ValidationError(_("This version was retracted. Reload the page and try again."))
    mine = Correction.objects.filter(
        feedback__rehearsal=locked.rehearsal_id, made_as=Correction.Side.OWNER, undone_at=None
    )
    if mine.count() >= MOST_CORRECTIONS:
        raise ValidationError(
            _("This take already has %(count)s corrections, the most it can have.")
            % {"count": MOST_CORRECTIONS}
        )
    return _Correcting(feedback=locked, by=owner, side=Correction.Side.OWNER)


def corrections_for(coach: User) -> QuerySet[Correction]:
    """Return the corrections on takes that were sent to this coach."""
    return Correction.objects.filter(feedback__in=drafts_for(coach)).select_related("feedback")


def own_corrections_for(owner: User) -> QuerySet[Correction]:
    """Return the owner's corrections of their own takes."""
    own = Correction.objects.filter(
        feedback__rehearsal__in=own_rehearsals_for(owner), made_as=Correction.Side.OWNER
    )
    return own.select_related("feedback__rehearsal")


@transaction.atomic
def strike_event(*, feedback: Feedback, coach: User, kind: str, start: float) -> Correction:
    """Remove a false filler or look away. A second call changes nothing.

    Raises AlreadyReleased, and ValidationError if there is no such event.
    """
    correcting = _by_coach(feedback, coach)
    return _strike(correcting, _event_at(correcting, kind, start, kinds=tuple(STRIKES)))


@transaction.atomic
def strike_own_event(*, feedback: Feedback, owner: User, kind: str, start: float) -> None:
    """Remove a false filler for the owner; one that a correction added is undone.

    Raises ValidationError if there is no such event, or a coach added it.
    """
    correcting = _by_owner(feedback, owner)
    event = _event_at(correcting, kind, start, kinds=OWN_STRIKES)
    if event.detail.get("source") == "person":
        _undo_what_added(event, correcting)
    else:
        _strike(correcting, event)


@transaction.atomic
def correct_word(
    *, feedback: Feedback, coach: User, start: float, before: str, after: str
) -> Correction | None:
    """Replace the word `before` with `after`; an empty `after` removes it.

    Restoring the recognised word undoes the correction and returns None. Raises AlreadyReleased,
    and ValidationError if the word is not at this place or does not change.
    """
    return _replace_word(_by_coach(feedback, coach), start=start, before=before, after=after)


@transaction.atomic
def correct_own_word(
    *, feedback: Feedback, owner: User, start: float, before: str, after: str
) -> Correction | None:
    """Replace a word for the owner, as `correct_word` does for a coach, also after the release."""
    return _replace_word(_by_owner(feedback, owner), start=start, before=before, after=after)


@transaction.atomic
def mark_own_um(*, feedback: Feedback, owner: User, start: float, before: str) -> Correction:
    """Mark a missed um after the word `before` at `start`.

    Raises ValidationError if the word is not at this place.
    """
    correcting = _by_owner(feedback, owner)
    report = correcting.report()
    words = report.words
    index = next(
        (
            place
            for place, each in enumerate(words)
            if abs(each.start - start) <= _SAME_SECONDS and each.text == before
        ),
        None,
    )
    if index is None:
        raise ValidationError(_("That word is no longer at this place."))
    word = words[index]
    since = word.end
    until = words[index + 1].start if index + 1 < len(words) else report.media.duration
    end = min(until, since + _LONGEST_UM)
    if end - since < 2 * _SHORTEST_UM:
        # Behind the middle of the word, which is no filler itself.
        since, end = since - min(_SHORTEST_UM, (since - word.start) / 3), since
    return _put_right(
        correcting,
        kind=Correction.Kind.MISSED_FILLER,
        event="filled_pause",
        start=round(since, 3),
        end=round(end, 3),
        after=language_data(report.language.code).common_filled_pauses[0],
    )


@transaction.atomic
def mark_meant_pause(*, feedback: Feedback, owner: User, start: float) -> Correction:
    """Mark a silence as wanted. Raises ValidationError if there is none at this place."""
    correcting = _by_owner(feedback, owner)
    pause = _event_at(correcting, "silent_pause", start, kinds=("silent_pause",))
    return _put_right(
        correcting,
        kind=Correction.Kind.MEANT_PAUSE,
        event=pause.kind,
        start=pause.start,
        end=pause.end,
        before=pause.label[:200],
    )


@transaction.atomic
def undo_correction(*, correction: Correction, coach: User) -> None:
    """Undo a correction. A second call changes nothing.

    Raises AlreadyReleased.
    """
    _take_away(_by_coach(correction.feedback, coach), correction)


@transaction.atomic
def undo_own_correction(*, correction: Correction, owner: User) -> None:
    """Undo an owner's correction for them. A second call changes nothing."""
    locked = Feedback.objects.select_for_update().get(pk=correction.feedback_id)
    correcting = _Correcting(feedback=locked, by=owner, side=Correction.Side.OWNER)
    _take_away(correcting, correction)


def _take_away(correcting: _Correcting, correction: Correction) -> None:
    held = Correction.objects.select_for_update().get(pk=correction.pk)
    if held.undone_at is None:
        _undo(held, correcting)
        _follow(correcting, undid=held)


def _event_at(correcting: _Correcting, kind: str, start: float, *, kinds: Sequence[str]) -> Event:
    """Return the event at this time. Raises ValidationError if there is none."""
    events = correcting.report().events_of(kind) if kind in kinds else ()
    event = next((each for each in events if abs(each.start - start) <= _SAME_SECONDS), None)
    if event is None:
        raise ValidationError(_("This event is no longer in the report."))
    return event


def _strike(correcting: _Correcting, event: Event) -> Correction:
    return _put_right(
        correcting,
        kind=STRIKES[event.kind],
        event=event.kind,
        start=event.start,
        end=event.end,
        before=event.label[:200],
        probability=event.probability,
    )


def _undo_what_added(event: Event, correcting: _Correcting) -> None:
    """Undo the correction that added this filler: a missed one, or a word that was one."""
    added = _word_there(correcting, event.start) or (
        correcting.standing()
        .filter(kind=Correction.Kind.MISSED_FILLER, start__lt=event.end, end__gt=event.start)
        .first()
    )
    if added is None:
        raise ValidationError(_("This event is no longer in the report."))
    _check_is_not_a_coachs(added)
    _take_away(correcting, added)


def _check_is_not_a_coachs(correction: Correction) -> None:
    if correction.made_as == Correction.Side.COACH:
        raise ValidationError(_("Your coach has already corrected this place."))


def _replace_word(
    correcting: _Correcting, *, start: float, before: str, after: str
) -> Correction | None:
    said = " ".join(after.split())
    if len(said) > _LONGEST_WORDS:
        raise ValidationError(_("Write the few words that were said here."))
    earlier = _word_there(correcting, start)
    if earlier is not None:
        if correcting.is_owner:
            _check_is_not_a_coachs(earlier)
        _undo(earlier, correcting)
        if said == earlier.before:
            _follow(correcting, undid=earlier)
            return None
        start, before = earlier.start, earlier.before
    word = next(
        (
            each
            for each in report_of(correcting.feedback.run).words
            if abs(each.start - start) <= _SAME_SECONDS and each.text == before
        ),
        None,
    )
    if word is None:
        raise ValidationError(_("That word is no longer at this place."))
    if said == word.text:
        raise ValidationError(_("The transcript already says this."))
    return _put_right(
        correcting,
        kind=Correction.Kind.WORD,
        start=word.start,
        end=word.end,
        before=word.text,
        after=said,
        probability=word.probability,
        instead_of=earlier,
    )


def take_correction_back(act: DeskAct, draft: Feedback) -> None:
    """Undo a review action's correction, and restore the previous one."""
    now = timezone.now()
    Correction.objects.filter(pk__in=act.after.get("made", [])).update(
        undone_at=now, undone_as=Correction.Side.COACH
    )
    for undone in Correction.objects.filter(pk__in=act.after.get("undid", [])):
        if not _at_the_place_of(undone).exists():
            Correction.objects.filter(pk=undone.pk).update(undone_at=None, undone_as="")
    lay_cards(draft)


def _at_the_place_of(correction: Correction) -> QuerySet[Correction]:
    return Correction.objects.filter(
        feedback=correction.feedback_id,
        kind=correction.kind,
        event=correction.event,
        start=correction.start,
        undone_at=None,
    )


def _follow(
    correcting: _Correcting, *, made: Correction | None = None, undid: Correction | None = None
) -> None:
    """Let the cards follow a change, and record it on the review page if a coach made it."""
    feedback = correcting.feedback
    if correcting.is_owner:
        if feedback.state == Feedback.State.DRAFT:
            lay_cards(feedback, keeps_decided=True)
        return
    lay_cards(feedback)
    after = {
        "made": [str(made.pk)] if made else [],
        "undid": [str(undid.pk)] if undid else [],
    }
    record_desk_act(feedback=feedback, coach=correcting.by, kind="correction", after=after)


def _word_there(correcting: _Correcting, start: float) -> Correction | None:
    """Return the correction in force at this time, which may cover several words, or None."""
    at = start + _SAME_SECONDS
    words = correcting.standing().filter(kind=Correction.Kind.WORD)
    return words.filter(start__lte=at, end__gt=at).first()


def _put_right(
    correcting: _Correcting, *, instead_of: Correction | None = None, **label: Any
) -> Correction:
    correction, is_new = Correction.objects.get_or_create(
        feedback=correcting.feedback,
        kind=label["kind"],
        event=label.get("event", ""),
        start=label["start"],
        undone_at=None,
        defaults={
            **label,
            "made_by": correcting.by,
            "made_by_name": str(correcting.by),
            "made_as": correcting.side,
        },
    )
    if is_new:
        record_act(
            action="feedback.corrected",
            target=correction,
            actor=correcting.by,
            after=_as_logged(correction),
        )
        _follow(correcting, made=correction, undid=instead_of)
    return correction


def _undo(correction: Correction, correcting: _Correcting) -> None:
    correction.undone_at, correction.undone_as = timezone.now(), correcting.side
    correction.save(update_fields=["undone_at", "undone_as"])
    record_act(
        action="feedback.correction_undone",
        target=correction,
        actor=correcting.by,
        before=_as_logged(correction),
    )


def _as_logged(correction: Correction) -> dict[str, object]:
    """Return values for the audit log, without words, because the log outlives the talk."""
    return {
        "kind": correction.kind,
        "event": correction.event,
        "at": round(correction.start, 2),
    }


def lay_cards(draft: Feedback, *, keeps_decided: bool = False) -> None:
    """Store the corrected card of each item whose text changes with the corrections.

    Rules run on both reports, with and without corrections, so that differences between versions
    of Rostrum do not count as corrections. `keeps_decided`: an item on which a coach has decided
    stays as they left it.
    """
    stored = {row.item_id: row for row in CorrectedCard.objects.filter(item__feedback=draft)}
    CorrectedCard.objects.filter(item__feedback=draft).delete()
    every = standing_corrections(draft)
    if not every:
        return
    own = made_by_owner(every)
    before = _written(draft, report_of(draft.run))
    after = _written(draft, corrected_report(draft, every))
    for_owner = after
    if len(own) < len(every):
        for_owner = _written(draft, corrected_report(draft, own)) if own else before
    decided = _decided(draft) if keeps_decided else set()
    cards = []
    for item in draft.items.filter(origin=Item.Origin.RULE):
        card = _card(item, before.get(item.rule), after.get(item.rule))
        if item.pk in decided:
            former = stored.get(item.pk) or CorrectedCard()
            card = CorrectedCard(item=item, document=former.document, holds=former.holds)
        if for_owner.get(item.rule) != before.get(item.rule):
            owners = for_owner.get(item.rule)
            card.owner_document = _NOTHING_TO_SAY if owners is None else owners
            card.holds_for_owner = owners is not None
        if card.document or card.owner_document is not None:
            cards.append(card)
    CorrectedCard.objects.bulk_create(cards)


def _decided(draft: Feedback) -> set[Any]:
    """Return the items on which a coach has decided."""
    return {each.item.pk for each in standing_items(draft) if each.decision != "open"}


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


def _card(item: Item, before: dict[str, Any] | None, after: dict[str, Any] | None) -> CorrectedCard:
    if before == after:
        return CorrectedCard(item=item)
    if after is None:
        return CorrectedCard(item=item, document=_NOTHING_TO_SAY, holds=False)
    return CorrectedCard(item=item, document=after)

"""The review page (desk) of a take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.db.models import Max
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from analysis.results import Event, Report
from coach.accounts.models import User
from coach.feedback.corrected_reports import corrected_report, standing_corrections
from coach.feedback.corrections import STRIKES
from coach.feedback.items import Decision, StandingItem, standing_items
from coach.feedback.messages import CoachQuestion, asked_box
from coach.feedback.models import Correction, Feedback, Item, RejectReason
from coach.feedback.pages.about_take import Fact, Player, facts_of, player_of
from coach.feedback.pages.cards import Card, ClipLink, cards
from coach.feedback.pages.coach_feedback import ReadCorrection, correction_words, place_of
from coach.feedback.pages.measures import NotMeasured, not_measured
from coach.feedback.pages.timeline import Lane, lanes
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.releases import obstacle_in, retract_obstacle
from coach.feedback.selectors import asked_about
from coach.feedback.undoing import last_act_of
from coach.guests.selectors import may_invite
from coach.lib.words.dates import date_words, here
from coach.lib.words.measure_words import event_label_words, event_words
from coach.lib.words.placeholder_names import FORMER_COACH, name_words
from coach.rehearsals.models import Goal, Rehearsal
from coach.review.claim_words import claim_words, is_of, lease_words
from coach.review.comparing.draw import hides_cards
from coach.review.desk.flags import may_clear
from coach.review.desk.messages import DeskMessages, messages_to_coach
from coach.review.desk.notes import NotesPanel, notes_panel
from coach.review.items.conflicts import Conflict
from coach.review.items.out_of_use import out_of_use_words
from coach.review.items.words import DECISION_WORDS, clips_words
from coach.review.models import Review
from coach.review.rubric.page import Panel, desk_panel
from coach.review.selectors import colleagues_for, kept_for_colleague, review_of
from coach.review.spoken.page import SpokenPanel, spoken_panel
from coach.review.threads.page import ShownThread, threads_for_coach

_CHANGEABLE = {"accepted", "edited"}
"""Decisions after which an item can be changed, also those of the previous version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagNotice:
    """The flag of a take."""

    words: str
    why: str
    can_settle: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterRelease:
    """A coach's possible actions after the release."""

    leaving: str
    """The time until which the release can be cancelled, in words; empty if it cannot."""
    can_correct: bool
    can_retract: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskItem:
    """An item on the review page: its card for the trainee, and the decision."""

    card: Card
    origin: Literal["rule", "coach"]
    decision: Decision
    decision_words: str
    shown: bool
    """Whether it would be released now."""
    needs_coach: bool
    """Whether it is withheld until a coach confirms it."""
    verdict_url: str
    replace_url: str
    can_undo: bool
    can_change: bool = False
    """Whether it is decided and its wording and moments can still be changed."""
    form_key: str = ""
    """The key of its form, new after each decision, so that no form has old wording."""
    tone: str
    quality: str
    clips: str
    """Its moments as text: 0:12-0:18."""
    has_machines: bool = False
    """Whether there are automatic moments that a coach can restore."""
    conflict: Conflict | None = None
    """A colleague's change while the item was open here, or None."""
    thread: ShownThread
    """Messages about it after the release."""
    out_of_use: str = ""
    """A sentence if its rule was retired or muted since the draft; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLimit:
    """The item held back by the limit of three; another one can be held back instead."""

    claim: str
    url: str
    others: tuple[tuple[str, str], ...]
    """Keys and claims of the shown items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskList:
    """The part of the review page that is rendered again after each action."""

    rehearsal_id: str
    trainee: str
    items: tuple[DeskItem, ...]
    seen: int
    """The id of the newest action on this draft, which forms send so that they overwrite none."""
    word: str
    """The comment on the whole talk."""
    no_room: CardLimit | None
    """The item that the last action held back because of the limit."""
    shown_count: int
    limit_words: str
    """The sentence about the limit of three cards."""
    can_release: bool
    why_not: str
    released: str
    """The time and author of the release in words; empty before."""
    corrects: str
    """A sentence if this draft is a correction; else empty."""
    lease_words: str
    kept_words: str
    """A sentence if it is reserved for a colleague, so that opening does not claim it."""
    reasons: tuple[tuple[str, str], ...]
    """Codes and labels of reasons for rejecting an item."""
    hides_cards: bool = False
    """Whether the automatic cards are hidden until the coach has written their own."""
    is_timed: bool = False
    """Whether the active minutes at this page are measured."""

    @property
    def is_worked_on(self) -> bool:
        """Whether this coach has claimed the take and it is not released."""
        return bool(self.lease_words) and not self.released


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskPage:
    """The review page of one take."""

    desk: DeskList
    title: str
    messages: DeskMessages
    facts: tuple[Fact, ...]
    constructed: bool
    player: Player
    lanes: tuple[Lane, ...]
    sentences: tuple[TranscriptLine, ...]
    not_measured: tuple[NotMeasured, ...]
    notes: NotesPanel
    spoken: SpokenPanel
    corrections: CorrectionsPanel
    after: AfterRelease
    held_by_other: str
    flag: FlagNotice | None = None
    may_invite: bool
    """Whether the owner lets coaches invite guests."""
    asked: CoachQuestion | None
    """The question to the trainee before the release."""
    colleagues: tuple[tuple[str, str], ...]
    """Ids and names of the coaches who can take over."""
    qualities: tuple[tuple[str, str], ...]
    rubric: Panel | None
    """The coach's own rating, or None if there is nothing to read or fill in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectedEvent:
    """A detected filler or look away, with the values for removing it."""

    kind: str
    start: float
    end: float
    clips: tuple[ClipLink, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGroup:
    """All detected events of one kind."""

    label: str
    rows: tuple[DetectedEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskCorrection:
    """A correction in force, with the URL that undoes it."""

    id: str
    read: ReadCorrection
    undo_url: str
    """Empty if it belongs to a released version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionsPanel:
    """The correctable events of a report, and the corrections made."""

    rehearsal_id: str
    groups: tuple[EventGroup, ...]
    corrected: tuple[DeskCorrection, ...]
    can_correct: bool
    problem: str = ""


def corrections_panel(
    rehearsal: Rehearsal,
    feedback: Feedback,
    report: Report,
    corrections: Iterable[Correction],
    *,
    can_correct: bool,
    problem: str = "",
) -> CorrectionsPanel:
    """Return the panel for `report`, the corrected one without removed events."""
    groups = (
        EventGroup(
            label=event_words(kind),
            rows=tuple(_found(event) for event in report.events_of(kind)),
        )
        for kind in STRIKES
    )
    return CorrectionsPanel(
        rehearsal_id=str(rehearsal.pk),
        groups=tuple(group for group in groups if group.rows),
        corrected=tuple(_corrected(rehearsal, feedback, each) for each in corrections),
        can_correct=can_correct and feedback.state == Feedback.State.DRAFT,
        problem=problem,
    )


def _found(event: Event) -> DetectedEvent:
    return DetectedEvent(
        kind=event.kind,
        start=event.start,
        end=event.end,
        clips=(place_of(event.start, event.end),),
        words=_words(event),
    )


def _words(event: Event) -> str:
    if event.kind == "look_away":
        return event_label_words(event.kind, event.label)
    return event.label or _("um")


def _corrected(rehearsal: Rehearsal, feedback: Feedback, correction: Correction) -> DeskCorrection:
    is_own = correction.feedback_id == feedback.pk
    url = reverse("review:undo_correction", args=[rehearsal.pk, correction.pk])
    return DeskCorrection(
        id=str(correction.pk),
        read=correction_words(correction),
        undo_url=url if is_own else "",
    )


def desk_page(
    rehearsal: Rehearsal, feedback: Feedback, *, coach: User, conflict: Conflict | None = None
) -> DeskPage:
    """Return the review page of a take."""
    corrections = standing_corrections(feedback)
    report = corrected_report(feedback, corrections)
    is_draft = feedback.state == Feedback.State.DRAFT
    review, asked = review_of(rehearsal), asked_about(feedback)
    held = _held_words(review, coach)
    is_worked_on = is_draft and is_of(review, coach)
    return DeskPage(
        desk=_listed(rehearsal, feedback, review, coach=coach, conflict=conflict),
        title=rehearsal.title,
        messages=messages_to_coach(
            rehearsal, review, asked, coach=coach, is_draft=is_draft, report=report
        ),
        facts=facts_of(rehearsal),
        constructed=rehearsal.is_constructed,
        player=player_of(rehearsal, report),
        lanes=lanes(report),
        sentences=transcript(report, corrections),
        not_measured=not_measured(report),
        notes=notes_panel(rehearsal, feedback, can_write=is_worked_on),
        spoken=spoken_panel(rehearsal, can_record=is_worked_on),
        corrections=corrections_panel(
            rehearsal, feedback, report, corrections, can_correct=is_worked_on
        ),
        after=_after(feedback, is_elsewhere=bool(held)),
        held_by_other=held,
        flag=_flag(review, coach),
        may_invite=may_invite(coach, rehearsal),
        asked=asked_box(asked),
        colleagues=_colleagues(review, coach),
        qualities=tuple((code, str(label)) for code, label in Goal.choices),
        rubric=desk_panel(rehearsal, coach, is_open=is_worked_on),
    )


def desk_list(
    rehearsal: Rehearsal, feedback: Feedback, *, coach: User, conflict: Conflict | None = None
) -> DeskList:
    """Return the part that is rendered again after an action, without reading the report."""
    review = review_of(rehearsal)
    return _listed(rehearsal, feedback, review, coach=coach, conflict=conflict)


def _listed(
    rehearsal: Rehearsal,
    feedback: Feedback,
    review: Review | None,
    *,
    coach: User,
    conflict: Conflict | None,
) -> DeskList:
    items = standing_items(feedback)
    is_draft = feedback.state == Feedback.State.DRAFT
    is_hidden = is_draft and hides_cards(review)
    if is_hidden:
        items = [each for each in items if each.item.origin == Item.Origin.COACH]
    why_not = obstacle_in(items) if is_draft else ""
    return DeskList(
        rehearsal_id=str(rehearsal.pk),
        trainee=str(rehearsal.owner),
        items=_desk_items(rehearsal, feedback, items, is_draft=is_draft, conflict=conflict),
        seen=feedback.desk_acts.aggregate(last=Max("pk"))["last"] or 0,
        word=feedback.word,
        no_room=_no_room(rehearsal, feedback, items, coach) if is_draft and not is_hidden else None,
        shown_count=sum(each.is_shown for each in items),
        limit_words=_("The trainee gets at most three cards. More than that is hard to remember."),
        can_release=is_draft and not is_hidden and not why_not and not _held_words(review, coach),
        why_not=why_not,
        released=_released_words(feedback),
        corrects=_corrects_words(feedback) if is_draft else "",
        lease_words=lease_words(review, coach),
        kept_words=_kept_words(rehearsal, feedback, review, coach=coach) if is_draft else "",
        reasons=tuple((code, str(label)) for code, label in RejectReason.choices),
        hides_cards=is_hidden,
        is_timed=is_draft and review is not None and bool(review.cards),
    )


def _held_words(review: Review | None, coach: User) -> str:
    """Return which colleague has claimed the take, or an empty string."""
    is_elsewhere = review is not None and review.is_held() and not is_of(review, coach)
    return claim_words(review, coach) if is_elsewhere else ""


def _after(feedback: Feedback, *, is_elsewhere: bool) -> AfterRelease:
    return AfterRelease(
        leaving=_leaving_words(feedback),
        can_correct=feedback.is_released and not is_elsewhere,
        can_retract=not is_elsewhere and not retract_obstacle(feedback),
    )


def _leaving_words(feedback: Feedback) -> str:
    if not feedback.is_leaving or feedback.released_at is None:
        return ""
    at = time_format(here(feedback.released_at), "H:i:s")
    return _("Goes out at %(time)s. You can still undo the release.") % {"time": at}


def _flag(review: Review | None, coach: User) -> FlagNotice | None:
    """Return the flag with its reason, author and date, or None."""
    if review is None or not review.flag or review.flagged_at is None:
        return None
    return FlagNotice(
        words=_("%(name)s flagged this take on %(date)s")
        % {
            "name": review.flagged_by or name_words(FORMER_COACH),
            "date": date_words(review.flagged_at),
        },
        why=review.flag,
        can_settle=may_clear(review, coach),
    )


def _kept_words(
    rehearsal: Rehearsal, feedback: Feedback, review: Review | None, *, coach: User
) -> str:
    """Return for which colleague the take is reserved and why, or an empty string."""
    if review is None or review.meant_for_id in {None, coach.pk} or review.is_held():
        return ""
    colleague = kept_for_colleague(rehearsal, coach)
    if colleague is None:
        return ""
    asked = None if review.handed_note else asked_about(feedback)
    if asked is not None and asked.asker_id == colleague.pk:
        words = _("Reserved for %(name)s, who asked %(trainee)s a question")
        return words % {"name": colleague, "trainee": rehearsal.owner}
    return _("Handed over to %(name)s") % {"name": colleague}


def _colleagues(review: Review | None, coach: User) -> tuple[tuple[str, str], ...]:
    if review is None or not is_of(review, coach):
        return ()
    return tuple((str(each.pk), str(each)) for each in colleagues_for(coach, review))


def _released_words(feedback: Feedback) -> str:
    if feedback.released_at is None:
        return ""
    return _("Released by %(name)s on %(date)s") % {
        "name": name_words(feedback.released_by_name),
        "date": date_words(feedback.released_at),
    }


def _corrects_words(feedback: Feedback) -> str:
    former = feedback.corrects
    if former is None:
        return ""
    if former.state == Feedback.State.RETRACTED:
        return _("A new draft of the retracted feedback.")
    return _("This is a correction. Until you release it, the trainee sees the previous version.")


def _no_room(
    rehearsal: Rehearsal, feedback: Feedback, items: list[StandingItem], coach: User
) -> CardLimit | None:
    """Return the item that the newest action held back, or None."""
    act = last_act_of(feedback, coach)
    written = act.after.get("verdicts", []) if act else []
    found = next(
        (
            each
            for each in items
            if act is not None
            and each.decision == "held"
            and each.verdict is not None
            and each.verdict.pk in written
            and each.item.pk != act.item_id
        ),
        None,
    )
    if found is None or act is None:
        return None
    others = [each for each in items if each.is_shown and each.item.pk != act.item_id]
    return CardLimit(
        claim=found.card.claim,
        url=reverse("review:verdict", args=[rehearsal.pk, found.item.pk]),
        others=tuple((str(each.item.pk), each.card.claim) for each in others),
    )


def _desk_items(
    rehearsal: Rehearsal,
    feedback: Feedback,
    items: list[StandingItem],
    *,
    is_draft: bool,
    conflict: Conflict | None,
) -> tuple[DeskItem, ...]:
    made = cards(items, feedback)
    threads = threads_for_coach(rehearsal, feedback, [each.item for each in items])
    out_of_use = out_of_use_words(feedback) if is_draft else {}
    return tuple(
        DeskItem(
            card=card,
            origin="coach" if each.item.origin == Item.Origin.COACH else "rule",
            decision=each.decision,
            decision_words=str(DECISION_WORDS[each.decision]),
            shown=each.is_shown,
            needs_coach=not each.item.is_chosen,
            verdict_url=reverse("review:verdict", args=[rehearsal.pk, each.item.pk]),
            replace_url=reverse("review:replace", args=[rehearsal.pk, each.item.pk]),
            can_undo=is_draft and each.decision != "open" and _has_own_verdict(each),
            can_change=is_draft and each.decision in _CHANGEABLE,
            form_key=f"{each.item.pk}-{each.verdict.pk if each.verdict else 0}",
            tone=each.item.tone,
            quality=each.item.quality,
            clips=clips_words((clip.start, clip.end) for clip in each.card.clips),
            has_machines=_has_machines_moments(each),
            conflict=conflict if conflict and conflict.item_id == str(each.item.pk) else None,
            thread=threads[each.item.pk],
            out_of_use=out_of_use.get(each.item.rule, ""),
        )
        for card, each in zip(made, items, strict=True)
    )


def _has_machines_moments(each: StandingItem) -> bool:
    """Return whether the item has automatic moments; a coach's own item has none."""
    drafted = each.card.clips if each.machines_clips is None else each.machines_clips
    return bool(drafted) and each.item.origin != Item.Origin.COACH


def _has_own_verdict(each: StandingItem) -> bool:
    """Return whether the item was decided in this version, so that it can be undone here."""
    return each.verdict is not None and each.verdict.item_id == each.item.pk

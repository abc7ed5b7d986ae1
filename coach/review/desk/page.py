"""Puts the coach's pages together from what is stored."""

from __future__ import annotations

from dataclasses import fields

from django.db.models import Max
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.corrected import corrected_report, standing_corrections
from coach.feedback.items import StandingItem, standing_items
from coach.feedback.models import Feedback, Item, RejectReason
from coach.feedback.pages.about_take import facts_of, player_of
from coach.feedback.pages.cards import cards
from coach.feedback.pages.measures import not_measured
from coach.feedback.pages.threads import asked_box
from coach.feedback.pages.timeline import lanes, transcript
from coach.feedback.releases import obstacle_in, retract_obstacle
from coach.feedback.selectors import asked_about
from coach.feedback.undoing import last_act_of
from coach.guests.selectors import may_invite
from coach.lib.words.dates import date_words, here
from coach.lib.words.placeholder_names import FORMER_COACH, name_words
from coach.rehearsals.models import Goal, Rehearsal
from coach.review.claim_words import claim_words, is_of, lease_words
from coach.review.desk.corrections import corrections_panel
from coach.review.desk.flags import may_clear
from coach.review.desk.messages import letters_of
from coach.review.desk.notes import notes_panel
from coach.review.desk.values import (
    AfterRelease,
    CardLimit,
    DeskItem,
    DeskList,
    DeskPage,
    Flag,
)
from coach.review.items.conflicts import Conflict
from coach.review.items.out_of_use import out_of_use_words
from coach.review.items.words import DECISION_WORDS, clips_words
from coach.review.models import Review
from coach.review.rubric.page import desk_panel
from coach.review.selectors import colleagues_for, kept_for_colleague, review_of

_CHANGEABLE = {"accepted", "edited"}
"""What may be reworded once more, also where the version before decided it."""


def desk_page(
    rehearsal: Rehearsal, feedback: Feedback, *, coach: User, conflict: Conflict | None = None
) -> DeskPage:
    """Everything that one review needs on one page."""
    corrections = standing_corrections(feedback)
    report = corrected_report(feedback, corrections)
    is_draft = feedback.state == Feedback.State.DRAFT
    review, asked = review_of(rehearsal), asked_about(feedback)
    listed = _listed(rehearsal, feedback, review, coach=coach, conflict=conflict)
    held = _held_words(review, coach)
    is_worked_on = is_draft and is_of(review, coach)
    return DeskPage(
        **{each.name: getattr(listed, each.name) for each in fields(listed)},
        title=rehearsal.title,
        letters=letters_of(rehearsal, review, asked, coach=coach, is_draft=is_draft),
        facts=facts_of(rehearsal),
        constructed=rehearsal.is_constructed,
        player=player_of(rehearsal, report),
        lanes=lanes(report),
        sentences=transcript(report, corrections),
        not_measured=not_measured(report),
        notes=notes_panel(rehearsal, feedback, can_write=is_worked_on),
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
    """What comes anew after an act; the report, which may be of an hour, is not read for it."""
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
    why_not = obstacle_in(items) if is_draft else ""
    return DeskList(
        rehearsal_id=str(rehearsal.pk),
        trainee=str(rehearsal.owner),
        items=_desk_items(rehearsal, feedback, items, is_draft=is_draft, conflict=conflict),
        seen=feedback.desk_acts.aggregate(last=Max("pk"))["last"] or 0,
        word=feedback.word,
        no_room=_no_room(rehearsal, feedback, items, coach) if is_draft else None,
        shown_count=sum(each.is_shown for each in items),
        limit_words=_("The trainee gets at most three cards. More than that is hard to remember."),
        can_release=is_draft and not why_not and not _held_words(review, coach),
        why_not=why_not,
        released=_released_words(feedback),
        corrects=_corrects_words(feedback) if is_draft else "",
        lease_words=lease_words(review, coach),
        kept_words=_kept_words(rehearsal, feedback, review, coach=coach) if is_draft else "",
        reasons=tuple((code, str(label)) for code, label in RejectReason.choices),
    )


def _held_words(review: Review | None, coach: User) -> str:
    """Who else is on it; empty where nobody is."""
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


def _flag(review: Review | None, coach: User) -> Flag | None:
    """What it is flagged for, by whom and since when."""
    if review is None or not review.flag or review.flagged_at is None:
        return None
    return Flag(
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
    """That a colleague has it by name, while nobody is on it, and why."""
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
    """What the newest act held back besides what it was about."""
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
            out_of_use=out_of_use.get(each.item.rule, ""),
        )
        for card, each in zip(made, items, strict=True)
    )


def _has_machines_moments(each: StandingItem) -> bool:
    """What a coach wrote has none of the machine's; nor has a card that was drafted without any."""
    drafted = each.card.clips if each.machines_clips is None else each.machines_clips
    return bool(drafted) and each.item.origin != Item.Origin.COACH


def _has_own_verdict(each: StandingItem) -> bool:
    """Decided in this version: what the version before decided is not taken back here."""
    return each.verdict is not None and each.verdict.item_id == each.item.pk

"""The owner's part of a report: sending state, viewers, and what the owner can do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.results import Reason, Report
from coach.accounts.away import away_days_in
from coach.accounts.models import Cohort
from coach.feedback.messages import LONGEST, CoachQuestion, asked_box
from coach.feedback.models import Dispute, Question, Run
from coach.feedback.pages.extensions import ReportReading
from coach.feedback.pages.owner_questions import (
    OwnerQuestion,
    TrimForm,
    alone_box,
    camera_box,
    part_box,
)
from coach.feedback.pages.report_words import other_language_heard
from coach.feedback.selectors import is_read_by_coaches, last_asked_about, sent_takes_of
from coach.feedback.services import reanalysis_obstacle
from coach.lib.words.dates import date_words, written
from coach.lib.words.punctuation import pair_words
from coach.rehearsals.models import AccessGrant, Rehearsal, SpokenLanguage
from coach.rehearsals.selectors import viewed_words

_MOST_VIEWERS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderTake:
    """An older take of the same talk that is also waiting for a coach."""

    words: str
    url: str
    take_back_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SentTakes:
    """Other takes of the talk that were sent to a coach."""

    older: tuple[OlderTake, ...] = ()
    newer_words: str = ""
    """A sentence if a newer take was sent; empty once this one is answered."""
    newer_url: str = ""


NO_OTHERS = SentTakes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """A person who opened this take, with the time."""

    who: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnersSide:
    """The parts of a report that only its owner sees."""

    promised: str
    """When a coach replies; empty if the group promised nothing or has answered."""
    can_send: bool
    """Whether the take is private and the group has a coach."""
    no_coach: str
    """Why the take cannot be sent, in words; empty if it can."""
    is_sent: bool
    """Whether the take is sent and can be withdrawn."""
    withdraws_for_good: bool
    """Whether the feedback is released: a take withdrawn then cannot be sent again."""
    is_read: bool
    """Whether the take is sent and the group has a coach."""
    others_sent: SentTakes
    asked: CoachQuestion | None
    """The coach's question before the release."""
    can_try_again: bool
    """Whether a stage failed and can be repeated."""
    can_measure_again: bool
    """Whether a part of the analysis was not installed at the time, and can be repeated."""
    heard_language: str
    """A sentence if another language was heard than the one chosen; else empty."""
    other_languages: tuple[tuple[str, str], ...]
    """Codes and button labels of other languages, if another one was heard."""
    camera: OwnerQuestion | None
    """The question about the camera position, if the analysis leaves it open."""
    part: TrimForm
    dispute_reasons: tuple[tuple[str, str], ...]
    """Codes and labels of reasons for disagreeing with a card."""
    viewers: tuple[Viewer, ...]
    alone: OwnerQuestion | None = None
    """The question whether the owner was alone, if other voices were heard."""


def owners_side(
    reading: ReportReading,
    *,
    grant: AccessGrant | None,
    answering: Cohort | None,
    no_coach: str,
    is_held: bool,
    has_failed: bool,
) -> OwnersSide | None:
    """Return the owner's part of the report, or None for other readers.

    `grant`: the access given with the take, if it is sent. `answering`: the group whose coaches
    would answer; `no_coach`: why nobody would. `is_held`: a coach reads first. `has_failed`: a
    stage failed.
    """
    if not reading.is_owner:
        return None
    take, report = reading.rehearsal, reading.report
    is_sent, is_released = grant is not None, reading.is_released
    asked = last_asked_about(take) if is_sent else None
    may_be_answered = not no_coach and not is_released
    return OwnersSide(
        promised=promise_words(grant, answering, asked) if may_be_answered else "",
        can_send=may_be_answered and not is_sent,
        no_coach=no_coach,
        is_sent=is_sent,
        withdraws_for_good=is_released,
        is_read=is_sent and is_read_by_coaches(take),
        others_sent=sent_takes(take, is_released=is_released) if is_sent else NO_OTHERS,
        asked=asked_box(asked) if is_sent else None,
        can_try_again=has_failed and _can_try_again(take),
        can_measure_again=not is_held and _lacks_a_part(report) and _can_try_again(take),
        heard_language=other_language_heard(report),
        other_languages=_other_languages(take, report),
        camera=camera_box(take, report, is_held=is_held, can_take_back=is_sent and not is_released),
        alone=alone_box(take, report, is_held=is_held, can_take_back=is_sent and not is_released),
        part=part_box(take, report),
        dispute_reasons=tuple((code, str(label)) for code, label in Dispute.Reason.choices),
        viewers=tuple(_viewers(take)),
    )


def _lacks_a_part(report: Report) -> bool:
    """Return whether model weights or a library were missing during the analysis."""
    return any(each.reason is Reason.MODEL_MISSING for each in report.skipped.values())


def _can_try_again(rehearsal: Rehearsal) -> bool:
    is_running = rehearsal.runs.filter(state=Run.State.RUNNING).exists()
    return not is_running and not reanalysis_obstacle(rehearsal)


def _other_languages(rehearsal: Rehearsal, report: Report) -> tuple[tuple[str, str], ...]:
    """Return other languages for a new analysis, if another one was heard than chosen."""
    if not other_language_heard(report) or not _can_try_again(rehearsal):
        return ()
    return tuple(
        (each.value, _("Detect the language"))
        if each is SpokenLanguage.AUTO
        else (each.value, _("Analyse as %(language)s") % {"language": each.label})
        for each in SpokenLanguage
        if each != rehearsal.language
    )


def _viewers(rehearsal: Rehearsal) -> Iterable[Viewer]:
    for viewing in rehearsal.viewings.select_related("viewer")[:_MOST_VIEWERS]:
        yield Viewer(
            who=pair_words(viewing.who, viewed_words(viewing)), when=date_words(viewing.at)
        )


def promise_words(
    grant: AccessGrant | None, answering: Cohort | None, asked: Question | None
) -> str:
    """Return the group's promised reply time; empty without a promise or a coach.

    No time is promised while every coach is away.

    `asked`: the coach's last question. While it is open the reply time pauses and no date is
    given; afterwards the date is later by the length of the pause.
    """
    cohort = grant.cohort if grant is not None else answering
    if cohort is None or not cohort.reply_hours:
        return ""
    away = away_days_in(cohort)
    if not away:
        return ""
    if None not in away:
        words = _("Your coaches are away until %(day)s, so a reply takes longer.")
        return words % {"day": written(min(day for day in away if day), "j F")}
    if grant is None:
        return ngettext(
            "Coaches in your group reply within %(count)d hour.",
            "Coaches in your group reply within %(count)d hours.",
            cohort.reply_hours,
        ) % {"count": cohort.reply_hours}
    stood = timedelta(0)
    if asked is not None and asked.at >= grant.created_at:
        stood = min((asked.answered_at or asked.withdrawn_at or timezone.now()) - asked.at, LONGEST)
        if asked.is_open and stood < LONGEST:
            return ""
    due = grant.created_at + timedelta(hours=cohort.reply_hours) + stood
    return _("Reply due by %(date)s.") % {"date": date_words(due)}


def sent_takes(take: Rehearsal, *, is_released: bool) -> SentTakes:
    """Return older takes of the talk that wait for a coach, and the newest one sent later.

    A take that is already answered names no newer one.
    """
    waiting = sent_takes_of(take.talk_id, only_waiting=True)
    older = waiting.filter(created_at__lt=take.created_at)
    after = sent_takes_of(take.talk_id).filter(created_at__gt=take.created_at)
    newest = None if is_released else after.first()
    return SentTakes(
        older=tuple(_older(each) for each in older),
        newer_words=_newer_words(newest) if newest else "",
        newer_url=reverse("feedback:report", args=[newest.pk]) if newest else "",
    )


def _older(take: Rehearsal) -> OlderTake:
    words = _("An older take of this talk, from %(date)s, is also waiting for your coach.")
    return OlderTake(
        words=words % {"date": date_words(take.created_at)},
        url=reverse("feedback:report", args=[take.pk]),
        take_back_url=reverse("feedback:withdraw", args=[take.pk]),
    )


def _newer_words(take: Rehearsal) -> str:
    words = _("You have since sent a newer take of this talk, from %(date)s.")
    return words % {"date": date_words(take.created_at)}


def taken_back_words(take: Rehearsal, *, stays: bool) -> str:
    """Return the confirmation that an older take was withdrawn from the page of a newer one."""
    words = (
        _("The take from %(date)s is private again. This one stays with your coach.")
        if stays
        else _("The take from %(date)s is private again.")
    )
    return words % {"date": date_words(take.created_at)}


def answered_meanwhile_words(take: Rehearsal) -> str:
    """Return the message that an older take was answered before it could be withdrawn."""
    words = _(
        "Your coach replied to the take from %(date)s in the meantime, so it was not withdrawn."
    )
    return words % {"date": date_words(take.created_at)}

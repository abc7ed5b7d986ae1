"""What only the owner of a take finds on its report: where it lies, and what they may do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _

from analysis.results import Reason, Report
from coach.accounts.models import Cohort
from coach.feedback.forms import PartForm
from coach.feedback.models import Dispute, Run
from coach.feedback.pages.alone import alone_box
from coach.feedback.pages.camera import camera_box
from coach.feedback.pages.extensions import Reading
from coach.feedback.pages.reply_time import promise_words
from coach.feedback.pages.report_words import no_coach_words, other_language_heard
from coach.feedback.pages.sent_takes import sent_takes
from coach.feedback.pages.side_values import NO_OTHERS, OwnersSide, Viewer
from coach.feedback.pages.threads import asked_box
from coach.feedback.pages.trim_range import part_box, refused_part
from coach.feedback.pages.values import ReportPage
from coach.feedback.selectors import is_read_by_coaches, last_asked_about
from coach.feedback.services import reanalysis_obstacle
from coach.lib.words.dates import date_words
from coach.lib.words.punctuation import pair_words
from coach.rehearsals.models import AccessGrant, Rehearsal, SpokenLanguage
from coach.rehearsals.selectors import viewed_words

_MOST_VIEWERS = 50


def owners_side(
    reading: Reading,
    *,
    grant: AccessGrant | None,
    answering: Cohort | None,
    is_held: bool,
    has_failed: bool,
) -> OwnersSide | None:
    """What the owner is told and may do, of a take as it is read now; nothing for others.

    `grant` stands where it is sent, `answering` is whose coaches would answer; `is_held`: a coach
    reads it first; `has_failed`: a part of the analysis did not work.
    """
    if not reading.is_owner:
        return None
    take, report = reading.rehearsal, reading.report
    is_sent, is_released = grant is not None, reading.is_released
    no_coach = no_coach_words(take.owner, answering)
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


def with_refused_part(page: ReportPage, *, typed: PartForm, problem: str) -> ReportPage:
    """The report with the form for a part open, and everything in it as its owner typed it."""
    if page.owner is None:
        return page
    refused = refused_part(page.owner.part, typed=typed, problem=problem)
    return replace(page, owner=replace(page.owner, part=refused))


def _lacks_a_part(report: Report) -> bool:
    """Whether weights or a library were missing where it was analysed, which may have changed."""
    return any(each.reason is Reason.MODEL_MISSING for each in report.skipped.values())


def _can_try_again(rehearsal: Rehearsal) -> bool:
    is_running = rehearsal.runs.filter(state=Run.State.RUNNING).exists()
    return not is_running and not reanalysis_obstacle(rehearsal)


def _other_languages(rehearsal: Rehearsal, report: Report) -> tuple[tuple[str, str], ...]:
    """What else to analyse it in, where another language was heard than the one that was named."""
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

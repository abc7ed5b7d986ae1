"""Owners' later answers about a take, with recalculation of measures and draft.

Only the answer about other voices requires a new analysis of the recording.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import get_args

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.answers import with_camera_answer
from analysis.results import CameraAnswer, Report
from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.corrections import lay_cards
from coach.feedback.models import Run, Stage
from coach.feedback.reports import report_of, store_report
from coach.feedback.runs.allowance import ANEW, analysis_obstacle
from coach.feedback.runs.drafting import store_draft
from coach.feedback.selectors import latest_report_run
from coach.feedback.services import (
    analysis_options,
    check_no_coach_is_on_it,
    check_nothing_is_running,
    hold_take,
    start_run,
)
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import rename_talk
from coach.rehearsals.talk_context import TalkContext

_IN_FRONT: dict[CameraAnswer, bool | None] = {
    "unknown": None,
    "in_front": True,
    "elsewhere": False,
}
_OF_OTHERS = frozenset(
    {"voices_near_voice", "two_voices", "another_speaks_first", "another_speaks_last"}
)
"""Reasons for missing measures because of other voices; each may be wrong, and the owner knows."""


@transaction.atomic
def answer_camera(*, rehearsal: Rehearsal, answer: str, actor: User) -> Run:
    """Save whether the camera was in front of the owner; "unknown" removes the answer.

    The report contains the results for every answer, so this is fast. The same answer again
    changes nothing. Raises ValidationError if the report does not ask, for an unknown answer,
    during an analysis, if a coach has the take, or after too many changes.
    """
    hold_take(rehearsal)
    check_no_coach_is_on_it(rehearsal)
    check_nothing_is_running(rehearsal)
    run = latest_report_run(rehearsal)
    chosen = next((each for each in get_args(CameraAnswer) if each == answer), None)
    report = report_of(run) if run else None
    if run is None or report is None or report.camera_question is None or chosen is None:
        raise ValidationError(_("This take does not ask where the camera stood."))
    if report.camera_question.answer == chosen:
        return run
    rehearsal.camera_in_front, rehearsal.camera_as_before = _IN_FRONT[chosen], False
    rehearsal.save(update_fields=["camera_in_front", "camera_as_before"])
    record_act(action="feedback.camera_answered", target=rehearsal, actor=actor, answer=chosen)
    return _run_with(run, with_camera_answer(report, chosen))


def sounds_like_others(report: Report) -> bool:
    """Return whether a measure is skipped because others seem to talk."""
    return any(each.code in _OF_OTHERS for each in report.skipped.values())


@transaction.atomic
def answer_alone(*, rehearsal: Rehearsal, answer: str, actor: User) -> Run:
    """Save whether the owner was alone ("alone"), and analyse the recording again.

    "unknown" withdraws the answer; the same answer again changes nothing. Raises ValidationError
    if the report does not ask, for an unknown answer, during a run, and if a coach has the take.
    """
    hold_take(rehearsal)
    check_no_coach_is_on_it(rehearsal)
    spoke_alone = {"alone": True, "unknown": False}.get(answer)
    run = latest_report_run(rehearsal)
    is_asked = rehearsal.spoke_alone or (run is not None and sounds_like_others(report_of(run)))
    if spoke_alone is None or not is_asked:
        raise ValidationError(_("This take does not ask whether you were alone."))
    if run is not None and spoke_alone == rehearsal.spoke_alone:
        return run
    rehearsal.spoke_alone = spoke_alone
    rehearsal.save(update_fields=["spoke_alone"])
    record_act(action="feedback.alone_answered", target=rehearsal, actor=actor, answer=answer)
    return start_run(rehearsal=rehearsal, actor=actor)


@transaction.atomic
def correct_talk(*, rehearsal: Rehearsal, correction: TalkContext, actor: User) -> bool:
    """Correct the details of a talk. Return whether the draft was recalculated.

    The title applies to all takes of the talk, and can always be changed. The rest decides which
    rules fire: the feedback is redrafted from the stored measures, without a new analysis. During
    an analysis, its own draft uses the new answers. The setting changes only until the measures are
    calculated. Raises ValidationError if a coach has the take, and after too many changes.
    """
    hold_take(rehearsal)  # also holds back the draft of an analysis in progress
    rename_talk(talk=rehearsal.talk, title=correction.title)
    running = rehearsal.runs.filter(state=Run.State.RUNNING).first()
    said = {name: value for name, value in asdict(correction).items() if name != "title"}
    if running is None or _has_measured(running):
        said["setting"] = rehearsal.setting
    before = {name: getattr(rehearsal, name) for name in said}
    if before == said:
        return False
    check_no_coach_is_on_it(rehearsal)
    changed = [name for name in said if said[name] != before[name]]
    Rehearsal.objects.filter(pk=rehearsal.pk).update(**{name: said[name] for name in changed})
    record_act(action="feedback.talk_corrected", target=rehearsal, actor=actor, changed=changed)
    rehearsal.refresh_from_db()
    if running is not None:
        Run.objects.filter(pk=running.pk).update(options=analysis_options(rehearsal))
        return False
    run = latest_report_run(rehearsal)
    if run is not None:
        run.rehearsal.refresh_from_db()
        _run_with(run, report_of(run))
    return run is not None


def _has_measured(run: Run) -> bool:
    """Return whether the calculation of the measures, which uses the setting, may have begun."""
    return not run.stages.filter(name="assemble", state=Stage.State.WAITING).exists()


def _run_with(before: Run, report: Report) -> Run:
    """Return a finished run with this report and its own draft; the earlier run stays.

    It counts as an analysis, because it stores as much. Raises ValidationError if the owner did
    this too often within an hour.
    """
    if obstacle := analysis_obstacle(before.rehearsal.owner, times=ANEW):
        raise ValidationError(obstacle)
    now = timezone.now()
    run = Run.objects.create(
        rehearsal=before.rehearsal,
        state=Run.State.DONE,
        options=analysis_options(before.rehearsal),
        shape=before.shape,
        finished_at=now,
    )
    Stage.objects.bulk_create(
        # Without the durations, which were already counted once.
        Stage(
            run=run,
            name=stage.name,
            position=stage.position,
            needs=stage.needs,
            queue=stage.queue,
            state=stage.state,
            version=stage.version,
            problem=stage.problem,
            finished_at=stage.finished_at,
        )
        for stage in before.stages.filter(state__in=Stage.FINISHED)
    )
    store_report(run, report)
    lay_cards(store_draft(run=run))
    return run

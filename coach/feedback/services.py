"""Services for analyses: start, repeat, mark parts, send a take, lock a draft."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import pairwise

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, User
from coach.audit.services import record_act
from coach.feedback.models import Feedback, Run, Stage
from coach.feedback.runs.allowance import analysis_obstacle
from coach.feedback.runs.plan import PLAN
from coach.feedback.runs.stage_leases import queue_ready
from coach.feedback.tasks import enqueue
from coach.lib.words.clock import clock
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import AccessGrant, Rehearsal, SpokenLanguage
from coach.rehearsals.services import lock_rehearsal, send_to_coach

LENS_SECONDS = 3.0
"""The time for looking into the lens before the talk, as stated in the form."""

LEAST_PART_SECONDS = 10
"""The minimum length of a part; no rate is measured below."""


class AlreadyReleased(Exception):
    """An error: the feedback is released and is a record; a correction needs a new version."""


@transaction.atomic
def start_run(*, rehearsal: Rehearsal, actor: User) -> Run:
    """Plan the stages of a new run, and enqueue the first on commit.

    Raises ValidationError during another run of the same take, and if its
    owner's hourly quota is used up.
    """
    obstacle = _recording_obstacle(rehearsal) or analysis_obstacle(rehearsal.owner)
    if obstacle:
        raise ValidationError(obstacle)
    try:
        with transaction.atomic():
            run = Run.objects.create(rehearsal=rehearsal, options=analysis_options(rehearsal))
    except IntegrityError as error:
        raise ValidationError(_("This take is already being analysed.")) from error
    Stage.objects.bulk_create(
        Stage(
            run=run,
            name=plan.name,
            position=position,
            needs=list(plan.needs),
            queue=plan.queue,
        )
        for position, plan in enumerate(PLAN)
        # A borrowed recording already has a playback copy, or needs none.
        if rehearsal.kind != Kind.BEFORE or plan.name != "playback"
    )
    record_act(action="feedback.run_started", target=run, actor=actor)
    transaction.on_commit(partial(enqueue, queue_ready(run)))
    return run


@transaction.atomic
def analyse_in_language(*, rehearsal: Rehearsal, language: str, actor: User) -> Run:
    """Analyse the same recording again in another language; no new upload is needed.

    Raises ValidationError for an unsupported language, during a run, or if
    a coach has the take.
    """
    if language not in SpokenLanguage.values:
        raise ValidationError(_("We cannot analyse this language yet."))
    hold_take(rehearsal)
    check_no_coach_is_on_it(rehearsal)
    rehearsal.language = language
    rehearsal.save(update_fields=["language"])
    return start_run(rehearsal=rehearsal, actor=actor)


@transaction.atomic
def mark_parts(
    *,
    rehearsal: Rehearsal,
    parts: Sequence[tuple[float | None, float | None]],
    actor: User,
) -> Run:
    """Mark the parts of the recording to measure, and analyse again; None is its start or end.

    Raises ValidationError for parts that are outside the recording, overlap or are shorter than
    any measure needs, during a run, or if a coach has the take.
    """
    hold_take(rehearsal)
    check_no_coach_is_on_it(rehearsal)
    duration = rehearsal.duration or 0.0
    own = sorted(
        (start or 0.0, duration if end is None else min(end, duration + 2.0))
        for start, end in parts
    )
    _check_parts(own, duration)
    rehearsal.part_start = own[0][0] or None
    rehearsal.part_end = None if own[-1][1] > duration - 1.0 else own[-1][1]
    rehearsal.part_left_out = [
        [before[1], after[0]] for before, after in pairwise(own) if after[0] > before[1]
    ]
    rehearsal.save(update_fields=["part_start", "part_end", "part_left_out"])
    record_act(action="feedback.part_marked", target=rehearsal, actor=actor)
    return start_run(rehearsal=rehearsal, actor=actor)


def reanalysis_obstacle(rehearsal: Rehearsal) -> str:
    """Return why a take cannot be analysed again now, or an empty string.

    A coach's decisions belong to one draft: a newer one would hide them.
    """
    standing = rehearsal.grants.filter(revoked_at=None, cohort__isnull=False)
    drafts = rehearsal.feedback.annotate(is_sent=Exists(standing)).values_list("state", "is_sent")
    found = list(drafts)
    if any(state == Feedback.State.RELEASED for state, _sent in found):
        return _(
            "Your coach has released feedback on this take, so the analysis can no longer "
            "change. To analyse the recording differently, upload it again under another title."
        )
    if any(is_sent for _state, is_sent in found):
        return _("Your coach has this take. Withdraw it first; then you can analyse it again.")
    return _recording_obstacle(rehearsal)


def _recording_obstacle(rehearsal: Rehearsal) -> str:
    if rehearsal.has_original:
        return ""
    if rehearsal.media_removed_at is None:
        return _("Only the copy for playback is stored, so the take cannot be analysed again.")
    return _(
        "The recording was deleted at the end of its retention period, so it cannot be analysed."
    )


def hold_take(rehearsal: Rehearsal) -> None:
    """Lock a take until the transaction ends, so that it is not sent or analysed again.

    Raises ValidationError if it was deleted in the meantime.
    """
    if not lock_rehearsal(rehearsal.pk):
        raise ValidationError(_("This take was deleted."))


def check_no_coach_is_on_it(rehearsal: Rehearsal) -> None:
    obstacle = reanalysis_obstacle(rehearsal)
    if obstacle:
        raise ValidationError(obstacle)


def _check_parts(own: Sequence[tuple[float, float]], duration: float) -> None:
    if own[-1][1] > duration + 1.0:
        raise ValidationError(
            _("The recording ends at %(end)s. Choose a part before that.")
            % {"end": clock(duration)}
        )
    if any(end - start < LEAST_PART_SECONDS for start, end in own):
        raise ValidationError(
            _("Choose a part of at least %(seconds)d seconds that ends after it starts.")
            % {"seconds": LEAST_PART_SECONDS}
        )
    if any(after[0] < before[1] for before, after in pairwise(own)):
        raise ValidationError(
            _("Two of the parts overlap. Start each part after the end of the one before.")
        )


def analysis_options(rehearsal: Rehearsal) -> dict[str, object]:
    """Return the owner's answers and the site's choice of engine for the analysis."""
    return {
        "engine": settings.SPEECH_ENGINE,
        "size": settings.WHISPER_SIZE,
        "language": rehearsal.language,
        "setting": rehearsal.setting,
        "camera_position": rehearsal.camera_position,
        "camera_in_front": rehearsal.camera_in_front,
        "spoke_alone": rehearsal.spoke_alone,
        "calibration": [0.0, LENS_SECONDS] if rehearsal.looks_into_lens_first else None,
        "gaze_calibration": rehearsal.gaze_calibration,
        "disabled_families": list(rehearsal.disabled_families),
        "start": rehearsal.part_start,
        "end": rehearsal.part_end,
        "left_out": rehearsal.part_left_out,
    }


@transaction.atomic
def send_take(
    *,
    rehearsal: Rehearsal,
    note: str,
    needed_by: date | None = None,
    cohort: Cohort | None = None,
) -> AccessGrant:
    """Send a take to the coaches, by default of the group that answers it.

    Raises ValidationError, for example during an analysis.
    """
    hold_take(rehearsal)
    if obstacle := sending_obstacle(rehearsal):
        raise ValidationError(obstacle)
    check_nothing_is_running(rehearsal)
    return send_to_coach(rehearsal=rehearsal, note=note, needed_by=needed_by, cohort=cohort)


def sending_obstacle(rehearsal: Rehearsal) -> str:
    """Return why a take cannot be sent to a coach, or an empty string."""
    if rehearsal.feedback.filter(state=Feedback.State.RELEASED).exists():
        return _(
            "Your coach has already replied to this take. Record the talk again and send the "
            "new take."
        )
    return ""


def check_nothing_is_running(rehearsal: Rehearsal) -> None:
    """Raise ValidationError during an analysis of the take."""
    if rehearsal.runs.filter(state=Run.State.RUNNING).exists():
        raise ValidationError(
            _("This take is being analysed again. You can send it when the analysis is done.")
        )


def open_draft(feedback_id: int) -> Feedback:
    """Return the draft, locked until the transaction ends. Raises AlreadyReleased."""
    feedback = Feedback.objects.select_for_update().get(pk=feedback_id)
    if feedback.state != Feedback.State.DRAFT:
        raise AlreadyReleased
    return feedback

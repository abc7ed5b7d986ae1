"""Services for redoing a part of a take: begin, submit, repeat, delete."""

from __future__ import annotations

from dataclasses import replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from coach.accounts.models import Purpose
from coach.accounts.selectors import has_consent
from coach.audit.services import record_act
from coach.feedback.models import Item, Run
from coach.feedback.selectors import is_held_back, latest_run
from coach.feedback.services import start_run
from coach.practice.models import SpanAgain
from coach.practice.redo.detectability import can_be_clear
from coach.practice.redo.focus import LEAST_SECONDS, MOST_SECONDS, USUAL_SECONDS, all_but
from coach.practice.redo.lengths import report_on, stretches_for
from coach.practice.redo.selectors import same_span
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.services import borrow_span, delete_rehearsal, lock_rehearsal
from coach.rehearsals.talk_context import context_of_take
from coach.uploads.services import UploadGone
from coach.uploads.storing import Again, submit_rehearsal


@transaction.atomic
def begin_span(
    *, take: Rehearsal, start: float, end: float, metric: str, item: Item | None = None
) -> SpanAgain:
    """Begin a redo: measure the original part (seconds of the take) by one measure.

    Raises ValidationError for a part outside the recording, a measure that cannot be compared, a
    deleted recording, and if no analysis may start now.
    """
    if not lock_rehearsal(take.pk):
        raise ValidationError(_("This take was deleted."))
    twin = take.spans_again.filter(start=start, end=end, metric=metric).first()
    _check(take, start, end, metric, is_known=twin is not None)
    before = twin.before if twin else _measured_before(take, start, end, metric)
    _measure_again_where_it_failed(before)
    span = SpanAgain.objects.create(
        take=take, item=item, start=start, end=end, metric=metric, before=before
    )
    record_act(action="practice.span_begun", target=span, actor=take.owner, measure=metric)
    return span


def _measured_before(take: Rehearsal, start: float, end: float, metric: str) -> Rehearsal:
    borrowed = borrow_span(take=take, start=start, end=end, disabled_families=all_but(metric))
    start_run(rehearsal=borrowed, actor=take.owner)
    return borrowed


def _measure_again_where_it_failed(before: Rehearsal) -> None:
    run = latest_run(before)
    if run is not None and run.state == Run.State.FAILED:
        start_run(rehearsal=before, actor=before.owner)


def obstacle_to_span(take: Rehearsal) -> str:
    """Return why no part of a take can be redone now; empty if one can."""
    if obstacle := _obstacle_to_measuring(take):
        return obstacle
    if is_held_back(take):
        return _("Your coach reviews this take first. After that you can compare it.")
    return ""


def _obstacle_to_measuring(take: Rehearsal) -> str:
    if take.media_removed_at is not None:
        return _("The recording has been deleted, so there is nothing to compare with.")
    if not take.has_original:
        return _("Only the copy for playback is stored, so there is nothing to compare with.")
    if not has_consent(take.owner, purpose=Purpose.ANALYSIS):
        # Submitting a new take gives consent and says so; practising does not say so, so it must
        # not.
        return _(
            "You withdrew your consent to analysis, so we measure nothing here. Submitting a "
            "new take gives this consent again."
        )
    return ""


def _check(take: Rehearsal, start: float, end: float, metric: str, *, is_known: bool) -> None:
    if obstacle := obstacle_to_span(take):
        raise ValidationError(obstacle)
    report = report_on(take)
    needs = stretches_for(take, report)
    if metric not in needs:
        raise ValidationError(_("This part of the take is too short to measure this."))
    if not 0 <= start < end <= (take.duration or 0) + 1:
        raise ValidationError(_("Choose a part within the recording."))
    if not LEAST_SECONDS <= end - start <= MOST_SECONDS:
        raise ValidationError(
            _("Choose between %(least)d and %(most)d seconds.")
            % {"least": LEAST_SECONDS, "most": MOST_SECONDS}
        )
    needed = needs[metric]
    if not is_known and needed > USUAL_SECONDS and end - start < needed:
        raise ValidationError(
            _(
                "In this talk, this measure needs a part of at least %(least)d seconds. "
                "Choose a longer one."
            )
            % {"least": needed}
        )
    if not is_known and report is not None and not can_be_clear(metric, report, (start, end)):
        raise ValidationError(
            _(
                "This part is too short to show a change, even with the best result. Choose a "
                "longer one."
            )
        )


@transaction.atomic
def hand_in_again(*, span: SpanAgain, upload: Upload) -> Rehearsal:
    """Make the new recording the other side of the comparison, and analyse it.

    Safe to call twice. Raises ValidationError, UploadGone, StillArriving and StorageUnavailable.
    """
    lock_rehearsal(span.take_id)
    held = SpanAgain.objects.select_for_update(of=("self",)).get(pk=span.pk)
    if held.after is not None:
        return held.after
    take = held.take
    if obstacle := _obstacle_to_measuring(take):
        raise ValidationError(obstacle)
    recorded = submit_rehearsal(
        owner=take.owner,
        upload=upload,
        context=replace(context_of_take(take), looks_into_lens_first=False),
        form_token=held.pk,
        is_constructed=take.is_constructed,
        again=Again(of=take, disabled_families=all_but(held.metric)),
    )
    if recorded.form_token != held.pk:
        # The upload has become a take, or another part, in the meantime.
        raise UploadGone
    held.after = recorded
    held.save(update_fields=["after"])
    record_act(action="practice.span_redone", target=held, actor=take.owner)
    return recorded


@transaction.atomic
def try_once_more(*, span: SpanAgain) -> SpanAgain:
    """Begin another attempt at the same part; earlier recordings stay."""
    return begin_span(
        take=span.take, start=span.start, end=span.end, metric=span.metric, item=span.item
    )


@transaction.atomic
def delete_span(*, span: SpanAgain) -> None:
    """Delete an attempt with its recording. Raises ValidationError if a hold prevents it."""
    record_act(action="practice.span_deleted", target=span, actor=span.take.owner)
    is_last = not same_span(span).exclude(pk=span.pk).exists()
    after, before = span.after, span.before
    if after is not None:
        delete_rehearsal(rehearsal=after)
    span.delete()
    if is_last:
        delete_rehearsal(rehearsal=before)

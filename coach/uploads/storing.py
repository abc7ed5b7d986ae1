"""Conversion of a stored upload to a take, or to a span recorded again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from coach.accounts.models import Cohort, Policy, Purpose, Role, User
from coach.accounts.profile import Profile
from coach.accounts.selectors import cohort_has_coach, cohorts_as, profile_of
from coach.accounts.services import give_consent
from coach.audit.services import record_act
from coach.feedback.services import start_run
from coach.rehearsals.gaze_calibration import GazeCalibration
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal, Talk, Upload
from coach.rehearsals.services import rename_talk
from coach.rehearsals.talk_context import TalkContext
from coach.storage import storage
from coach.uploads.limits import trial_obstacle
from coach.uploads.services import discard_others, lock_upload, mark_used


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """The take that a short recording belongs to, with the families not to measure."""

    of: Rehearsal
    disabled_families: Sequence[str]
    """The disabled families, in place of those in the profile."""
    kind: Kind = Kind.AGAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortRecording:
    """A recording of its own kind, with the families not to measure."""

    kind: Kind
    of: Rehearsal | None
    """The take that led to it, with which it is deleted; None makes a talk of its own."""
    title: str
    disabled_families: Sequence[str]


def find_twin(*, owner: User, sha256: str, context: TalkContext) -> Rehearsal | None:
    """Return the owner's take of the same file and talk, or None."""
    return Rehearsal.objects.filter(owner=owner, sha256=sha256, **asdict(context)).first()


@transaction.atomic
def submit_rehearsal(
    *,
    owner: User,
    upload: Upload,
    context: TalkContext,
    form_token: UUID,
    talk: Talk | None = None,
    is_constructed: bool = False,
    again: Again | None = None,
    short: ShortRecording | None = None,
    key_words: str | None = None,
    part: tuple[float | None, float | None] = (None, None),
    gaze_calibration: GazeCalibration | None = None,
) -> Rehearsal:
    """Create a take from an upload, for this talk or a new one, and start its analysis.

    `key_words` replaces the notes of the talk unless it is None; `part` is the part to measure;
    `gaze_calibration` belongs to the camera of the recording.

    Safe to call twice with the same form token, and for the same upload: the second call returns
    the take of the first. Raises UploadGone, StorageUnavailable and ValidationError.
    """
    # The second of two simultaneous clicks waits for this lock, and finds the first one's take.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    rehearsal = Rehearsal.any_kind.filter(owner=owner, form_token=form_token).first()
    if rehearsal is None:
        held = lock_upload(upload)
        obstacle = "" if held.rehearsal else trial_obstacle(owner)
        if obstacle:
            raise ValidationError(obstacle)
        rehearsal = held.rehearsal or _stored(
            held,
            context,
            form_token=form_token,
            is_constructed=is_constructed,
            part_start=part[0],
            part_end=part[1],
            gaze_calibration=gaze_calibration.fitted if gaze_calibration else None,
            **_fields_of_kind(owner, again, short)
            or _as_take(owner, talk, context.title, key_words),
        )
    if not rehearsal.runs.exists():
        start_run(rehearsal=rehearsal, actor=owner)
    return rehearsal


def _stored(upload: Upload, context: TalkContext, **fields: Any) -> Rehearsal:
    owner = upload.owner
    give_consent(user=owner, purpose=Purpose.ANALYSIS)
    rehearsal = Rehearsal(
        pk=storage().name_take(upload.pk),
        owner=owner,
        quiet=profile_of(owner).quiets,
        original_name=upload.name,
        size_bytes=upload.received_bytes,
        sha256=upload.sha256,
        capture=upload.capture,
        is_partial=upload.state == Upload.State.CUT_OFF,
        **asdict(context),
        **fields,
    )
    rehearsal.full_clean()
    rehearsal.save()
    storage().adopt(upload.pk, rehearsal.pk)
    mark_used(upload=upload, rehearsal=rehearsal)
    if owner.is_trial:
        discard_others(upload=upload)
    record_act(action="rehearsals.stored", target=rehearsal, actor=owner)
    return rehearsal


def _fields_of_kind(
    owner: User, again: Again | None, short: ShortRecording | None
) -> dict[str, Any]:
    """Return the fields of a recording that is no take; empty for a take."""
    if again is not None:
        return _as_again(again)
    return _as_short(owner, short) if short else {}


def _as_short(owner: User, short: ShortRecording) -> dict[str, Any]:
    take = short.of
    return {
        "kind": short.kind,
        "parent": take,
        "talk": take.talk if take else _talk_of(owner, None, short.title, None),
        "cohort": take.cohort if take else _cohort_of(owner),
        "disabled_families": sorted(short.disabled_families),
        "camera_in_front": take.camera_in_front if take else None,
    }


def _as_again(again: Again) -> dict[str, Any]:
    """Return the fields that a short recording copies from its take."""
    return {
        "kind": again.kind,
        "parent": again.of,
        "talk": again.of.talk,
        "cohort": again.of.cohort,
        "disabled_families": sorted(again.disabled_families),
        "camera_in_front": again.of.camera_in_front,
        "spoke_alone": again.of.spoke_alone,
    }


def _as_take(owner: User, talk: Talk | None, title: str, key_words: str | None) -> dict[str, Any]:
    """Return the fields of a take that depend on its owner, their cohort and its talk."""
    wishes, cohort = profile_of(owner), _cohort_of(owner)
    return {
        "kind": Kind.TAKE,
        "talk": _talk_of(owner, talk, title, key_words),
        "cohort": cohort,
        "disabled_families": sorted({*owner.disabled_families, *wishes.leaves_out}),
        "waits_by_choice": _waits_by_choice(owner, wishes, cohort),
    }


def _talk_of(owner: User, talk: Talk | None, title: str, key_words: str | None) -> Talk:
    # The talk may just have been deleted with its last take: then begin a new talk.
    held = Talk.objects.select_for_update(no_key=True).filter(pk=talk.pk).first() if talk else None
    if held is None:
        return Talk.objects.create(owner=owner, title=title, key_words=key_words or "")
    held.last_take_at = timezone.now()
    held.key_words = held.key_words if key_words is None else key_words
    held.save(update_fields=["last_take_at", "key_words"])
    rename_talk(talk=held, title=title)
    return held


def _cohort_of(owner: User) -> Cohort | None:
    cohorts = cohorts_as(owner, role=Role.TRAINEE)
    return cohorts[0] if cohorts else None


def _waits_by_choice(owner: User, wishes: Profile, cohort: Cohort | None) -> bool:
    """Return whether the owner reads after a coach by choice, if the group allows it."""
    if not wishes.reads_coach_first or cohort is None or cohort.policy != Policy.AI_FIRST:
        return False
    return cohort_has_coach(cohort, besides=owner)

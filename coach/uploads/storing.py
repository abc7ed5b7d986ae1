"""Taking recordings into storage: as a take, as a span done again, or borrowed from a take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import Cohort, Policy, Purpose, Role, User
from coach.accounts.profile import Profile
from coach.accounts.selectors import cohort_has_coach, cohorts_as, profile_of
from coach.accounts.services import give_consent
from coach.audit.services import record_act
from coach.feedback.services import start_run
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal, Talk, Upload
from coach.rehearsals.services import rename_talk
from coach.rehearsals.talk_context import TalkContext
from coach.storage import storage
from coach.uploads.services import lock_upload, mark_used


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Which take a recording does a span of again, and what is not measured of it."""

    of: Rehearsal
    disabled_families: Sequence[str]
    """In place of those that the profile names."""


def find_twin(*, owner: User, sha256: str, context: TalkContext) -> Rehearsal | None:
    """The take in which the owner has already uploaded this file for the same talk."""
    return Rehearsal.objects.filter(owner=owner, sha256=sha256, **asdict(context)).first()


@transaction.atomic
def store_rehearsal(
    *,
    owner: User,
    upload: Upload,
    context: TalkContext,
    form_token: UUID,
    talk: Talk | None = None,
    is_constructed: bool = False,
    again: Again | None = None,
) -> Rehearsal:
    """Take an upload into storage as a rehearsal, of this talk or of one that begins with it.

    Safe to call twice with the same form token, and for the same upload: the second call returns
    the first's rehearsal. Raises UploadGone, StorageUnavailable and ValidationError.
    """
    # Of two clicks at the same moment, the second waits here and finds what the first stored.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    earlier = Rehearsal.any_kind.filter(owner=owner, form_token=form_token).first()
    if earlier is not None:
        return earlier
    held = lock_upload(upload)
    if held.rehearsal is not None:
        return held.rehearsal
    give_consent(user=owner, purpose=Purpose.ANALYSIS)
    wishes = profile_of(owner)
    rehearsal = Rehearsal(
        pk=storage().name_take(held.pk),
        owner=owner,
        quiet=wishes.quiets,
        original_name=held.name,
        size_bytes=held.received_bytes,
        sha256=held.sha256,
        form_token=form_token,
        capture=held.capture,
        is_constructed=is_constructed,
        is_partial=held.state == Upload.State.CUT_OFF,
        **(_as_again(again) if again else _as_take(owner, wishes, talk, context.title)),
        **asdict(context),
    )
    rehearsal.full_clean()
    rehearsal.save()
    storage().adopt(held.pk, rehearsal.pk)
    mark_used(upload=held, rehearsal=rehearsal)
    record_act(action="rehearsals.stored", target=rehearsal, actor=owner)
    return rehearsal


def _as_again(again: Again) -> dict[str, Any]:
    """What a span that was done again has from its take."""
    return {
        "kind": Kind.AGAIN,
        "parent": again.of,
        "talk": again.of.talk,
        "cohort": again.of.cohort,
        "disabled_families": sorted(again.disabled_families),
        "camera_in_front": again.of.camera_in_front,
        "spoke_alone": again.of.spoke_alone,
    }


def _as_take(owner: User, wishes: Profile, talk: Talk | None, title: str) -> dict[str, Any]:
    """What a take of its own has from its owner, their group and its talk."""
    cohort = _cohort_of(owner)
    return {
        "kind": Kind.TAKE,
        "talk": _talk_of(owner, talk, title),
        "cohort": cohort,
        "disabled_families": sorted({*owner.disabled_families, *wishes.leaves_out}),
        "waits_by_choice": _waits_by_choice(owner, wishes, cohort),
    }


def _talk_of(owner: User, talk: Talk | None, title: str) -> Talk:
    # Its last take may be deleted at this moment; then this one begins the talk anew.
    held = Talk.objects.select_for_update(no_key=True).filter(pk=talk.pk).first() if talk else None
    if held is None:
        return Talk.objects.create(owner=owner, title=title)
    held.last_take_at = timezone.now()
    held.save(update_fields=["last_take_at"])
    rename_talk(talk=held, title=title)
    return held


def _cohort_of(owner: User) -> Cohort | None:
    cohorts = cohorts_as(owner, role=Role.TRAINEE)
    return cohorts[0] if cohorts else None


def _waits_by_choice(owner: User, wishes: Profile, cohort: Cohort | None) -> bool:
    """Only where somebody can answer, and where the group does not decide so anyway."""
    if not wishes.reads_coach_first or cohort is None or cohort.policy != Policy.AI_FIRST:
        return False
    return cohort_has_coach(cohort, besides=owner)


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
) -> Rehearsal:
    """Store a rehearsal and start its analysis, in one transaction.

    Safe to call twice with the same form token (a double click). Raises ValidationError.
    """
    rehearsal = store_rehearsal(
        owner=owner,
        upload=upload,
        context=context,
        form_token=form_token,
        talk=talk,
        is_constructed=is_constructed,
        again=again,
    )
    if not rehearsal.runs.exists():
        start_run(rehearsal=rehearsal, actor=owner)
    return rehearsal

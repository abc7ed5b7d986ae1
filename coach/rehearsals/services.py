"""Services for takes: share, log viewings, delete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Purpose, User
from coach.accounts.selectors import hold_words
from coach.accounts.services import give_consent
from coach.audit.services import record_act, record_opening
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import AccessGrant, Rehearsal, Talk, Viewing
from coach.rehearsals.removals import remove_for_good
from coach.rehearsals.selectors import coached_cohort
from coach.rehearsals.speaking_ease import Ease
from coach.rehearsals.talk_context import context_of_take
from coach.storage import places

_TRIES = 3
"""The number of attempts to delete a take while other transactions write to it (rule of thumb)."""


def note_opened(*, rehearsal: Rehearsal) -> None:
    """Record that the owner has opened the report, so that it is no longer new."""
    if rehearsal.opened_at is None:
        now = timezone.now()
        Rehearsal.objects.filter(pk=rehearsal.pk, opened_at=None).update(opened_at=now)


@transaction.atomic
def read_now(*, rehearsal: Rehearsal) -> None:
    """Let the owner read the analysis without waiting for a coach."""
    if Rehearsal.objects.filter(pk=rehearsal.pk, waits_by_choice=True).update(
        waits_by_choice=False
    ):
        record_act(action="rehearsals.read_now", target=rehearsal, actor=rehearsal.owner)


@transaction.atomic
def note_ease(*, rehearsal: Rehearsal, before: str = "", after: str = "") -> None:
    """Save how easy speaking felt to the owner; empty answers change nothing.

    Raises ValidationError for unknown answers.
    """
    said = {name: word for name, word in (("before", before), ("after", after)) if word}
    if not said or not lock_rehearsal(rehearsal.pk):
        return
    ease = Ease.objects.filter(rehearsal=rehearsal).first() or Ease(rehearsal=rehearsal)
    for name, word in said.items():
        setattr(ease, name, word)
    ease.full_clean(validate_unique=False)
    ease.save()
    record_act(action="rehearsals.ease_noted", target=rehearsal, actor=rehearsal.owner)


def note_preparation(
    *,
    rehearsal: Rehearsal,
    duration: float,
    has_video: bool,
    playback_type: str,
    has_poster: bool,
) -> None:
    """Save the prepare stage's findings about the media."""
    take = Rehearsal.any_kind.filter(pk=rehearsal.pk)
    take.update(duration=duration, has_video=has_video, has_poster=has_poster)
    # The copy of an earlier run stays in use, and keeps its type.
    take.filter(has_copy=False).update(playback_type=playback_type)


def note_playback(*, rehearsal: Rehearsal, playback_type: str) -> None:
    """Record that a playback copy for browsers exists."""
    Rehearsal.any_kind.filter(pk=rehearsal.pk).update(playback_type=playback_type, has_copy=True)


@transaction.atomic
def send_to_coach(
    *,
    rehearsal: Rehearsal,
    note: str,
    needed_by: date | None = None,
    cohort: Cohort | None = None,
) -> AccessGrant:
    """Share this take with the cohort's coaches; `needed_by` is the day of the talk.

    `cohort` is one of the owner's groups; without it, the one that answers their takes.
    Idempotent. Raises ValidationError if no coach could answer.
    """
    cohort = coached_cohort(rehearsal, among=cohort)
    if cohort is None:
        raise ValidationError(_("You are not in a group with a coach, so nobody can reply yet."))
    answered = rehearsal.grants.aggregate(at=Max("answered_at"))["at"]
    grant, created = AccessGrant.objects.get_or_create(
        rehearsal=rehearsal,
        cohort=cohort,
        revoked_at=None,
        defaults={"note": note, "needed_by": needed_by, "answered_at": answered},
    )
    if created:
        grant.full_clean()
        give_consent(user=rehearsal.owner, purpose=Purpose.COACH)
        record_act(action="rehearsals.sent", target=rehearsal, actor=rehearsal.owner)
    return grant


def note_answer(*, rehearsal_id: UUID, at: datetime) -> None:
    """Mark the take as answered."""
    AccessGrant.objects.filter(rehearsal=rehearsal_id, answered_at=None).update(answered_at=at)


def hold_answer(*, rehearsal_id: UUID, at: datetime) -> None:
    """Undo the answer of that time, so that the take is in the review queue again."""
    AccessGrant.objects.filter(rehearsal=rehearsal_id, answered_at=at).update(answered_at=None)


@transaction.atomic
def withdraw_from_coach(*, rehearsal: Rehearsal) -> None:
    """Withdraw a take from the coaches, so that it is private again.

    A lock serialises this with a coach's release at the same time.
    """
    lock_rehearsal(rehearsal.pk)
    count = rehearsal.grants.filter(revoked_at=None).update(revoked_at=timezone.now())
    if count:
        record_act(action="rehearsals.withdrawn", target=rehearsal, actor=rehearsal.owner)


def record_viewing(*, rehearsal: Rehearsal, viewer: User, what: str) -> None:
    """Log that another user opened a take, at most once an hour for the same purpose."""
    if viewer.pk == rehearsal.owner_id:
        return
    since = timezone.now() - timedelta(hours=1)
    seen = Viewing.objects.filter(rehearsal=rehearsal, viewer=viewer, what=what, at__gte=since)
    if not seen.exists():
        Viewing.objects.create(rehearsal=rehearsal, viewer=viewer, what=what)
        record_opening(target=rehearsal, actor=viewer)


def record_guest(*, rehearsal: Rehearsal, name: str, what: str) -> None:
    """Log that a guest opened a take, under the name they gave; at most once an hour."""
    since = timezone.now() - timedelta(hours=1)
    seen = Viewing.objects.filter(rehearsal=rehearsal, guest=name, what=what, at__gte=since)
    if not seen.exists():
        Viewing.objects.create(rehearsal=rehearsal, guest=name, what=what)


def record_glance(*, rehearsal: Rehearsal, viewer: User) -> None:
    """Log that another user loaded the transcript or the picture without its page.

    Pages that load both are logged under their own purpose, also when they stay open for hours.
    """
    since = timezone.now() - timedelta(hours=1)
    last = Viewing.objects.filter(rehearsal=rehearsal, viewer=viewer).first()
    if last is None or last.at < since:
        record_viewing(rehearsal=rehearsal, viewer=viewer, what=last.what if last else "report")


def lock_rehearsal(rehearsal_id: UUID) -> bool:
    """Lock a take until the transaction ends. Return False if it is gone.

    Always lock the take before its dependent rows, as the deletion does: one lock order
    prevents deadlocks.
    """
    takes = Rehearsal.any_kind.select_for_update(no_key=True).filter(pk=rehearsal_id)
    return takes.values_list("pk", flat=True).first() is not None


@transaction.atomic
def remove_recording(*, rehearsal: Rehearsal) -> None:
    """Delete an expired recording and its spans recorded again; keep the report."""
    lock_rehearsal(rehearsal.pk)
    gone = {"media_removed_at": timezone.now(), "has_poster": False, "has_copy": False}
    with_spans = Rehearsal.any_kind.filter(Q(pk=rehearsal.pk) | Q(parent=rehearsal.pk))
    gone_now = list(with_spans.filter(media_removed_at=None).values_list("pk", flat=True))
    if Rehearsal.any_kind.filter(pk__in=gone_now).update(**gone):
        record_act(action="rehearsals.media_expired", target=rehearsal)
        for key in gone_now:
            for name in (places.original, places.copy_to_play, places.poster, places.clips):
                remove_for_good(name(key))


@transaction.atomic
def remove_original(*, rehearsal: Rehearsal) -> None:
    """Delete the original recording; keep the playback copy and all findings."""
    lock_rehearsal(rehearsal.pk)
    takes = Rehearsal.objects.filter(pk=rehearsal.pk, has_copy=True, original_removed_at=None)
    if takes.update(original_removed_at=timezone.now()):
        record_act(action="rehearsals.original_removed", target=rehearsal)
        remove_for_good(places.original(rehearsal.pk))


def delete_rehearsal(*, rehearsal: Rehearsal) -> None:
    """Delete a take for its owner. Raises ValidationError under a legal hold."""
    obstacle = hold_words(rehearsal.owner)
    if obstacle:
        raise ValidationError(obstacle)
    let_go(rehearsal=rehearsal, action="rehearsals.deleted", actor=rehearsal.owner)


def let_go(*, rehearsal: Rehearsal, action: str, actor: User | None) -> None:
    """Delete a take with all its data: files, report, feedback, spans recorded again.

    Rows that another transaction adds in the meantime would violate a constraint;
    then we try again, so that no concurrent action keeps a take.
    """
    key = rehearsal.pk
    for tries_left in reversed(range(_TRIES)):
        try:
            with transaction.atomic():
                _let_go(key, action, actor)
                connection.check_constraints()
        except IntegrityError:
            if not tries_left:
                raise
        else:
            return


def _let_go(key: UUID, action: str, actor: User | None) -> None:
    lock_rehearsal(key)
    take = Rehearsal.any_kind.filter(pk=key).first()
    if take is None:
        return
    record_act(action=action, target=take, actor=actor)
    spans = Rehearsal.any_kind.filter(parent=key).values_list("pk", flat=True)
    going = [places.take_place(each) for each in (key, *spans)]
    for name in settings.TAKE_DRAFTS:
        import_string(name)(key)
    take.delete()
    _let_go_of_talk(take.talk_id)
    for place in going:
        remove_for_good(place)


def _let_go_of_talk(talk_id: UUID) -> None:
    talk = Talk.objects.select_for_update().filter(pk=talk_id).first()
    if talk is not None and not talk.takes.exists():
        for name in settings.TALK_FILES:
            import_string(name)(talk_id)
        talk.delete()


def rename_talk(*, talk: Talk, title: str) -> None:
    """Change the title of a talk and of all its takes."""
    if talk.title != title:
        talk.title = title
        talk.save(update_fields=["title"])
        talk.takes.update(title=title)


@transaction.atomic
def borrow_span(
    *, take: Rehearsal, start: float, end: float, disabled_families: Sequence[str]
) -> Rehearsal:
    """Create a recording for one span of a take, which uses the file of the take."""
    borrowed = Rehearsal(
        owner=take.owner,
        kind=Kind.BEFORE,
        parent=take,
        talk=take.talk,
        cohort=take.cohort,
        part_start=start,
        part_end=end,
        disabled_families=list(disabled_families),
        camera_in_front=take.camera_in_front,
        spoke_alone=take.spoke_alone,
        original_name=take.original_name,
        size_bytes=0,
        sha256=take.sha256,
        capture=take.capture,
        is_constructed=take.is_constructed,
        duration=take.duration,
        has_video=take.has_video,
        playback_type=take.playback_type,
        **asdict(context_of_take(take)),
    )
    borrowed.save()
    return borrowed

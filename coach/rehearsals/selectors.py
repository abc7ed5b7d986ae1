"""Queries for takes: the only access to other people's recordings."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Membership, Role, User
from coach.accounts.selectors import CoachedCohort, groups_of_trainee
from coach.rehearsals.gaze_calibration import KEEP_CALIBRATION_DAYS, GazeCalibration
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import (
    AccessGrant,
    EmergencyAccess,
    Rehearsal,
    Talk,
    Upload,
    Viewing,
)


def rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return the takes that the user can open: their own and those shared with them.

    Administrators have no special access.
    """
    return Rehearsal.objects.filter(Q(owner=user) | _is_shared_with(user))


def own_rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return the user's own takes: only owners may send, delete or dispute."""
    return Rehearsal.objects.filter(owner=user)


def recordings_for(user: User) -> QuerySet[Rehearsal]:
    """Return the recordings that the user can play, including their spans recorded again and
    their exercises, and for an administrator those opened in an emergency.
    """
    open_to_them = rehearsals_for(user)
    allowed = Q(Exists(open_to_them.filter(pk=OuterRef("pk"))))
    allowed |= Q(owner=user, kind__in=[Kind.AGAIN, Kind.EXERCISE])
    if user.is_staff:
        allowed |= Q(Exists(active_emergencies_for(user).filter(rehearsal=OuterRef("pk"))))
    return Rehearsal.any_kind.filter(allowed)


def active_emergencies_for(user: User) -> QuerySet[EmergencyAccess]:
    """Return the administrator's own accesses whose time is not over."""
    if not (settings.EMERGENCY_ACCESS and user.is_staff):
        return EmergencyAccess.objects.none()
    own = EmergencyAccess.objects.filter(administrator=user, ends_at__gt=timezone.now())
    return own.select_related("rehearsal__owner")


def emergencies_for(user: User) -> QuerySet[EmergencyAccess]:
    """Return the accesses of all administrators, for administrators."""
    found = EmergencyAccess.objects.select_related("rehearsal__owner", "administrator")
    return found if user.is_staff else found.none()


def emergency_recordings_for(user: User, *, owner: User) -> QuerySet[Rehearsal]:
    """Return the recordings of a person that an administrator could open in an emergency.

    Nobody opens the recording of a trial.
    """
    found = Rehearsal.objects.filter(
        owner=owner, owner__trial_ends_at=None, has_copy=True, media_removed_at=None
    )
    if not (settings.EMERGENCY_ACCESS and user.is_staff):
        return found.none()
    return found.exclude(owner=user).order_by("-created_at")


def gaze_calibrations_for(user: User) -> QuerySet[GazeCalibration]:
    """Return the user's own gaze calibrations that are not over, newest first."""
    since = timezone.now() - timedelta(days=KEEP_CALIBRATION_DAYS)
    return GazeCalibration.objects.filter(owner=user, made_at__gt=since)


def own_talks_for(user: User) -> QuerySet[Talk]:
    """Return the user's own talks, without those that only hold an exercise."""
    of_exercises = Rehearsal.any_kind.filter(
        talk=OuterRef("pk"), kind=Kind.EXERCISE, parent__isnull=True
    )
    return Talk.objects.filter(~Exists(of_exercises), owner=user)


def how_one_speaks_for(user: User) -> dict[str, str]:
    """Return the last stated language and whether it is the first, to prefill the form."""
    said = own_rehearsals_for(user).exclude(speaks_as="").order_by("-created_at").first()
    return {"language": said.language, "speaks_as": said.speaks_as} if said else {}


def watchable_rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return takes shared with a coach for watching and rating, even if findings are hidden.

    Own takes are excluded.
    """
    return Rehearsal.objects.filter(_is_shared_with(user)).exclude(owner=user)


def shared_rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return takes shared with their findings, except those to be rated first."""
    return _without_hidden(watchable_rehearsals_for(user), user)


def readable_rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return takes whose report the user can read: own, and shared with findings."""
    shared = _without_hidden(Rehearsal.objects.filter(_is_shared_with(user)), user)
    # A correlated subquery, so that one take does not require a scan of all shared ones.
    return Rehearsal.objects.filter(Q(owner=user) | Exists(shared.filter(pk=OuterRef("pk"))))


def _without_hidden(takes: QuerySet[Rehearsal], user: User) -> QuerySet[Rehearsal]:
    """Return the takes without those that the user rates independently.

    Raters may watch such a take and read its transcript, and nothing else. Upper apps name these
    takes (`settings.HIDES_FINDINGS`), and every permission check applies this.
    """
    for hiding in settings.HIDES_FINDINGS if user.can_review else ():
        # A correlated subquery, so that one take does not require a scan of all hidden ones.
        hidden = import_string(hiding)(user).filter(pk=OuterRef("pk"))
        takes = takes.filter(~Exists(hidden))
    return takes


def grants_to(user: User) -> QuerySet[AccessGrant]:
    """Return current grants to the user, or to the coaches of one of their cohorts."""
    return AccessGrant.objects.filter(active_grant_filter(user))


def active_grant_filter(user: User, grant: str = "") -> Q:
    """Return `grants_to` as a filter; `grant` is the path to the grant, such as `grant__`."""
    to_them = Q(**{f"{grant}user": user})
    if user.can_review:
        coached = Membership.objects.filter(user=user, role=Role.COACH)
        to_them |= Q(**{f"{grant}cohort__in": coached.values("cohort")})
    return to_them & Q(**{f"{grant}revoked_at": None})


def _is_shared_with(user: User) -> Exists:
    """Return a correlated subquery, so that one page does not read all grants of the user."""
    return Exists(grants_to(user).filter(rehearsal=OuterRef("pk")))


def answering_cohort(rehearsal: Rehearsal) -> CoachedCohort | None:
    """Return the cohort whose coaches would answer this take now, or None.

    The cohort of the take while its owner is a member, else their first cohort; cohorts
    with a coach come first.
    """
    groups = groups_of_trainee(rehearsal.owner)
    groups.sort(key=lambda group: (not group.is_coached, group != rehearsal.cohort))
    return next(iter(groups), None)


def coached_cohort(rehearsal: Rehearsal, *, among: Cohort | None = None) -> CoachedCohort | None:
    """Return the cohort to which a take can be sent, or None if no coach could answer there.

    With `among`, only this cohort counts, while the owner is a member of it.
    """
    if among is None:
        found = answering_cohort(rehearsal)
    else:
        groups = groups_of_trainee(rehearsal.owner)
        found = next((each for each in groups if each.pk == among.pk), None)
    return found if found is not None and found.is_coached else None


def standing_grant(rehearsal: Rehearsal) -> AccessGrant | None:
    """Return the current grant to a cohort's coaches, or None if the take is not sent."""
    sent = rehearsal.grants.filter(revoked_at=None, cohort__isnull=False)
    return sent.select_related("cohort").first()


def was_taken_back(rehearsal_id: UUID) -> bool:
    """Return whether a take was sent and then withdrawn from all recipients."""
    sent = AccessGrant.objects.filter(rehearsal=rehearsal_id)
    return sent.exists() and not sent.filter(revoked_at=None).exists()


def coaches_of(rehearsal: Rehearsal) -> QuerySet[User]:
    """Return the coaches who may answer a take: those of its cohort, except the owner."""
    standing = rehearsal.grants.filter(revoked_at=None, cohort__isnull=False)
    members = Membership.objects.filter(cohort__in=standing.values("cohort"), role=Role.COACH)
    coaches = User.objects.filter(is_active=True, roles__contains=[Role.COACH])
    return coaches.filter(pk__in=members.values("user")).exclude(pk=rehearsal.owner_id)


def viewings_for(user: User) -> QuerySet[Viewing]:
    """Return the viewings of the user's takes by others."""
    return Viewing.objects.filter(rehearsal__owner=user).select_related("viewer", "rehearsal")


def viewed_words(viewing: Viewing) -> str:
    """Return the purpose of a viewing in words."""
    words = {
        "recording": _("opened the recording"),
        "report": _("opened the report"),
        "guest": _("opened it by your link"),
        "desk": _("opened it to review it"),
        "look": _("looked at the recording before reviewing it"),
        "answers": _("listened to your answers to questions"),
        "rule_preview": _("tested a changed rule on it"),
        "second": _("gave a second opinion on it"),
        "calibration": _("practised reviewing with it"),
        "compared": _("compared two coaches’ opinions on it"),
    }
    return words.get(viewing.what, viewing.what)


def uploads_for(user: User) -> QuerySet[Upload]:
    """Return the user's uploads that become takes."""
    return uploads_meant_for(user, "")


def recorded_uploads_for(user: User) -> QuerySet[Upload]:
    """Return the user's complete browser recordings that wait for the form."""
    return uploads_for(user).filter(state=Upload.State.COMPLETE).exclude(capture={})


def uploads_meant_for(user: User, key: str) -> QuerySet[Upload]:
    """Return the user's uploads for a purpose, by its key in another app."""
    return all_uploads_for(user).filter(meant_for=key)


def all_uploads_for(user: User) -> QuerySet[Upload]:
    """Return the user's uploads for every purpose."""
    return Upload.objects.filter(owner=user)

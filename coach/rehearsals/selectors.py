"""Reading rehearsals: the only door to other people's recordings."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Membership, Role, User
from coach.accounts.selectors import groups_of_trainee
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import AccessGrant, Rehearsal, Talk, Upload, Viewing


def rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return what the person can open: their own takes and those shared with them.

    Administrators are strangers here, like everybody else.
    """
    return Rehearsal.objects.filter(Q(owner=user) | _is_shared_with(user))


def own_rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return the person's own takes: only owners may send, delete or dispute."""
    return Rehearsal.objects.filter(owner=user)


def recordings_for(user: User) -> QuerySet[Rehearsal]:
    """Return takes whose recording the person can play, redone stretches included."""
    open_to_them = rehearsals_for(user)
    done_again = Q(owner=user, kind=Kind.AGAIN)
    return Rehearsal.any_kind.filter(Q(Exists(open_to_them.filter(pk=OuterRef("pk")))) | done_again)


def own_talks_for(user: User) -> QuerySet[Talk]:
    """Return the talks that the person prepares."""
    return Talk.objects.filter(owner=user)


def how_one_speaks_for(user: User) -> dict[str, str]:
    """Return the last stated language and whether it is the first, to prefill the form."""
    said = own_rehearsals_for(user).exclude(speaks_as="").order_by("-created_at").first()
    return {"language": said.language, "speaks_as": said.speaks_as} if said else {}


def watchable_rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return takes shared with a coach to watch and judge, even if results are hidden.

    One cannot be one's own coach.
    """
    return Rehearsal.objects.filter(_is_shared_with(user)).exclude(owner=user)


def shared_rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return takes shared with their results: without those to be judged first."""
    return _without_hidden(watchable_rehearsals_for(user), user)


def readable_rehearsals_for(user: User) -> QuerySet[Rehearsal]:
    """Return takes whose report the person can read: own, and shared with results."""
    shared = _without_hidden(Rehearsal.objects.filter(_is_shared_with(user)), user)
    # Asked of each row, so that one take does not cost a look at all that are shared.
    return Rehearsal.objects.filter(Q(owner=user) | Exists(shared.filter(pk=OuterRef("pk"))))


def _without_hidden(takes: QuerySet[Rehearsal], user: User) -> QuerySet[Rehearsal]:
    """Who judges a talk independently may watch it and read its words, and nothing else.

    Upper apps name such takes (`settings.HIDES_FINDINGS`); it then holds at every door.
    """
    for hiding in settings.HIDES_FINDINGS if user.can_review else ():
        # Asked of each row, so that one take does not cost a look at all that are hidden.
        hidden = import_string(hiding)(user).filter(pk=OuterRef("pk"))
        takes = takes.filter(~Exists(hidden))
    return takes


def grants_to(user: User) -> QuerySet[AccessGrant]:
    """Return current grants to the person, or to the coaches of one of their cohorts."""
    return AccessGrant.objects.filter(active_grant_filter(user))


def active_grant_filter(user: User, grant: str = "") -> Q:
    """Return the same as a filter; `grant` is the path to the grant, such as `grant__`."""
    to_them = Q(**{f"{grant}user": user})
    if user.can_review:
        coached = Membership.objects.filter(user=user, role=Role.COACH)
        to_them |= Q(**{f"{grant}cohort__in": coached.values("cohort")})
    return to_them & Q(**{f"{grant}revoked_at": None})


def _is_shared_with(user: User) -> Exists:
    """Asked of one take at a time: who opens one page does not read everybody's grants."""
    return Exists(grants_to(user).filter(rehearsal=OuterRef("pk")))


def answering_cohort(rehearsal: Rehearsal) -> Cohort | None:
    """Return the cohort whose coaches would answer now.

    Those of the group that it was made in while its owner is there, else of their first group; of
    one in which nobody could, those of the first in which somebody can.
    """
    groups = groups_of_trainee(rehearsal.owner)
    groups.sort(key=lambda group: (not group.is_coached, group != rehearsal.cohort))
    return next(iter(groups), None)


def standing_grant(rehearsal: Rehearsal) -> AccessGrant | None:
    """Return the current grant to the cohort's coaches; None if it is not sent."""
    sent = rehearsal.grants.filter(revoked_at=None, cohort__isnull=False)
    return sent.select_related("cohort").first()


def was_taken_back(rehearsal_id: UUID) -> bool:
    """Return whether a take was sent and has been withdrawn from everybody."""
    sent = AccessGrant.objects.filter(rehearsal=rehearsal_id)
    return sent.exists() and not sent.filter(revoked_at=None).exists()


def coaches_of(rehearsal: Rehearsal) -> QuerySet[User]:
    """Return who may answer a take: its cohort's coaches, except the owner."""
    standing = rehearsal.grants.filter(revoked_at=None, cohort__isnull=False)
    members = Membership.objects.filter(cohort__in=standing.values("cohort"), role=Role.COACH)
    coaches = User.objects.filter(is_active=True, roles__contains=[Role.COACH])
    return coaches.filter(pk__in=members.values("user")).exclude(pk=rehearsal.owner_id)


def viewings_for(user: User) -> QuerySet[Viewing]:
    """Return who opened the person's takes."""
    return Viewing.objects.filter(rehearsal__owner=user).select_related("viewer", "rehearsal")


def viewed_words(viewing: Viewing) -> str:
    """Return the purpose for which somebody opened a take, in words."""
    words = {
        "recording": _("opened the recording"),
        "report": _("opened the report"),
        "guest": _("opened it by your link"),
        "desk": _("opened it to review it"),
        "rule_preview": _("tested a changed rule on it"),
        "second": _("gave a second opinion on it"),
        "calibration": _("practised reviewing with it"),
        "compared": _("compared two coaches’ opinions on it"),
    }
    return words.get(viewing.what, viewing.what)


def uploads_for(user: User) -> QuerySet[Upload]:
    """Return the person's uploads that become takes."""
    return uploads_meant_for(user, "")


def recorded_uploads_for(user: User) -> QuerySet[Upload]:
    """Return complete browser recordings among them that wait for answers."""
    return uploads_for(user).filter(state=Upload.State.COMPLETE).exclude(capture={})


def uploads_meant_for(user: User, key: str) -> QuerySet[Upload]:
    """Return the person's uploads for the purpose that an upper app keeps under this key."""
    return all_uploads_for(user).filter(meant_for=key)


def all_uploads_for(user: User) -> QuerySet[Upload]:
    """Return the person's uploads for every purpose."""
    return Upload.objects.filter(owner=user)

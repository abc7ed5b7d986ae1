"""Administration across apps: erasing people, and informing owners whose recordings can be
opened.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.admin import CohortAdmin, PersonAdmin, administrator
from coach.accounts.models import Cohort, User
from coach.accounts.people import last_administrator_error
from coach.accounts.selectors import are_all_administrators, hold_words
from coach.lib.words.numbers import grouped
from coach.portal.models import Receipt
from coach.portal.opened_recordings import notifying_owners
from coach.portal.personal.erasure import erase_person
from coach.rehearsals.models import Rehearsal


def _held(request: HttpRequest, keys: Sequence[str]) -> HttpResponse | None:
    """Redirect to the list with a message if a legal hold or the last administrator prevents
    erasure.

    None if all of these people may be erased.
    """
    chosen = User.objects.filter(pk__in=[key for key in keys if key.isdecimal()])
    obstacle = next((words for user in chosen if (words := hold_words(user))), "")
    if not obstacle and are_all_administrators(chosen):
        obstacle = last_administrator_error()
    if not obstacle:
        return None
    return _refused(request, obstacle)


def _refused(request: HttpRequest, *sentences: str) -> HttpResponse:
    for words in sentences:
        messages.error(request, words)
    return redirect("admin:accounts_user_changelist")


def _deletion_message(count: int) -> str:
    if not count:
        return _("Nobody was deleted.")
    words = ngettext(
        "%(n)s person and all their data were deleted.",
        "%(n)s people and all their data were deleted.",
        count,
    )
    return words % {"n": grouped(count)}


def _link_receipt(receipt: Receipt, request: HttpRequest, user: User) -> None:
    """Link the receipt for the administrator, who passes it on to a person without access
    to the site.
    """
    words = _("The receipt for %(who)s. It names nobody and is available for 400 days.")
    place = reverse("portal:receipt", args=[receipt.pk])
    messages.success(request, format_html('<a href="{}">{}</a>', place, words % {"who": user}))


def _stays(user: User, why: str) -> str:
    return _("%(who)s was not deleted. %(why)s") % {"who": user, "why": why}


@admin.register(User)
class ErasingPersonAdmin(PersonAdmin):
    """Administration of people that also erases their recordings, and their names elsewhere."""

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001
        """Save the person, and inform owners whose recordings an administrator can now open."""
        with notifying_owners(actor=administrator(request), reason=form.cleaned_data["reason"]):
            super().save_model(request, obj, form, change)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Delete one person; return to the list if a legal hold prevents it."""
        held = _held(request, [object_id])
        if held is not None:
            return held
        try:
            return super().delete_view(request, object_id, extra_context)
        except ValidationError as error:  # what only shows once it is done: nobody would be left
            return _refused(request, error.messages[0])

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list; return to it with a message if a confirmed deletion is prevented."""
        if request.POST.get("action") == "delete_selected" and "post" in request.POST:
            held = _held(request, request.POST.getlist("_selected_action"))
            if held is not None:
                return held
        try:
            return super().changelist_view(request, extra_context)
        except ValidationError as error:
            return _refused(request, *error.messages)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Return what a deletion removes: everything that belongs to a person, lifted holds too.

        The counts are of people and takes, which administrators know by name, not of each table.
        """
        shown, _counts, _missing, protected = super().get_deleted_objects(objs, request)
        takes = Rehearsal.objects.filter(owner__in=[each.pk for each in objs]).count()
        told = {_("people"): len(objs), _("takes, with all their data"): takes}
        return shown, told, set(), protected

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Erase one person and show the receipt."""
        _link_receipt(erase_person(user=obj, actor=administrator(request)), request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Erase the selected people, the acting administrator last.

        Raises ValidationError if a person could not be erased, with their name, the reason and the
        number of those erased.
        """
        actor = administrator(request)
        stay: dict[User, str] = {}
        ticked = sorted(queryset, key=lambda user: user.pk == actor.pk)
        for user in ticked:
            try:
                receipt = erase_person(user=user, actor=actor)
            except ValidationError as error:
                stay[user] = error.messages[0]
            else:
                _link_receipt(receipt, request, user)
        if stay:
            self._take_from_log(stay)
            told = [_stays(user, why) for user, why in stay.items()]
            raise ValidationError([_deletion_message(len(ticked) - len(stay)), *told])

    def _take_from_log(self, stay: Collection[User]) -> None:
        """Remove the entries of people who stayed from Django's log, which it wrote before
        deleting.
        """
        LogEntry.objects.filter(
            content_type=ContentType.objects.get_for_model(User),
            object_id__in=[str(user.pk) for user in stay],
            action_flag=DELETION,
        ).delete()


@admin.register(Cohort)
class NotifyingCohortAdmin(CohortAdmin):
    """Administration of cohorts that informs owners whose recordings an administrator can
    now open.
    """

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:  # noqa: FBT001
        """Save the members, and inform the owners concerned."""
        with notifying_owners(actor=administrator(request), reason=form.cleaned_data["reason"]):
            super().save_related(request, form, formsets, change)

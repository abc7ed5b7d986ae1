"""Administration pages for people, cohorts and legal holds; they give no access to recordings."""

from __future__ import annotations

from typing import Any, TypeVar

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import update_session_auth_hash
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from coach.accounts import people
from coach.accounts.forms import (
    PEOPLE_LIST,
    CohortForm,
    PersonField,
    PersonForm,
)
from coach.accounts.freshness import ask_password
from coach.accounts.invitations import invite_person
from coach.accounts.members import MembershipInline, is_large
from coach.accounts.models import Cohort, LegalHold, Membership, Policy, Role, User
from coach.accounts.selectors import cohort_has_coach, standing_holds
from coach.accounts.services import lift_hold, set_hold
from coach.lib.mail import is_mail_printed
from coach.lib.pages.admin import DiscreetAdmin
from coach.lib.words.numbers import grouped

M = TypeVar("M", bound=Model)

MOST_OFFERED = 500
"""Number of addresses sent with a page, for the browser to complete from (rule of thumb)."""


def administrator(request: HttpRequest) -> User:
    """Return the signed-in administrator; the administration admits no one else."""
    assert isinstance(request.user, User)  # noqa: S101  # for the type checker
    return request.user


class AskingPasswordAdmin(DiscreetAdmin[M]):
    """Admin pages that change roles or groups, and ask for the password unless it was just
    given.
    """

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Add or change one object, after a password check."""
        ask_password(request)
        return super().changeform_view(request, object_id, form_url, extra_context)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Delete one object, after a password check."""
        ask_password(request)
        return super().delete_view(request, object_id, extra_context)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Delete the selected objects, after a password check."""
        if request.POST.get("action") == "delete_selected" and "post" in request.POST:
            ask_password(request)
        return super().changelist_view(request, extra_context)


class ChoosingPeopleAdmin(DiscreetAdmin[M]):
    """Admin pages that choose people by email address, which browsers complete."""

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Add the suggested addresses; any other existing address may be typed."""
        found = User.objects.filter(is_active=True, trial_ends_at=None).order_by("email")
        context |= {
            "people_list": PEOPLE_LIST,
            "people": found.values_list("email", "name")[:MOST_OFFERED],
        }
        return super().render_change_form(request, context, *args, **kwargs)


class CohortAdmin(AskingPasswordAdmin[Cohort], ChoosingPeopleAdmin[Cohort]):
    """Cohorts with their members."""

    form = CohortForm
    list_display = ("name", "policy", "reply_hours")
    search_fields = ("name",)
    inlines = (MembershipInline,)
    readonly_fields = ("everybody",)

    @admin.display(description=_("members"))
    def everybody(self, cohort: Cohort) -> str:
        """Return the number of members, with a link to the paginated list."""
        if not cohort.pk:
            return "–"
        count = Membership.objects.filter(cohort=cohort).count()
        words = ngettext("%(count)s member", "%(count)s members", count) % {"count": grouped(count)}
        url = f"{reverse('admin:accounts_user_changelist')}?cohort={cohort.pk}"
        more = gettext(
            "In a group this large only the coaches are shown below. To add or remove a "
            "trainee, open the page of that person."
        )
        text = more if is_large(cohort) else ""
        return format_html('<a href="{}">{}</a> {}', url, words, text)

    def save_model(self, request: HttpRequest, obj: Cohort, form: Any, change: bool) -> None:  # noqa: FBT001
        """Save the cohort and log the change."""
        people.save_cohort(cohort=obj, actor=administrator(request))

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:  # noqa: FBT001
        """Add and remove members, and log each change."""
        actor = administrator(request)
        wanted = formset.save(commit=False)
        kept = {member.pk: (member.user_id, member.role) for member in wanted if member.pk}
        former = [*kept, *(member.pk for member in formset.deleted_objects)]
        for membership in Membership.objects.filter(pk__in=former):
            if kept.get(membership.pk) != (membership.user_id, membership.role):
                people.leave_cohort(membership=membership, actor=actor)
        for member in wanted:
            people.join_cohort(
                person=User.objects.get(pk=member.user_id),
                cohort=member.cohort,
                role=member.role,
                actor=actor,
                leads=member.leads,
            )

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:  # noqa: FBT001
        """Warn if a coach-first cohort has no coach, so that its trainees read at once.

        In a study they read nothing.
        """
        super().save_related(request, form, formsets, change)
        cohort: Cohort = form.instance
        if cohort.policy == Policy.COACH_FIRST and not cohort_has_coach(cohort):
            words = (
                gettext("This group has no coach, so its trainees see no feedback. Add a coach.")
                if cohort.policy_pins.exists()
                else gettext("Its trainees see feedback at once until this group has a coach.")
            )
            self.message_user(request, words, messages.WARNING)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return what a deletion removes; active legal holds prevent it and are listed as the
        reason.

        Lifted holds are deleted too: who set them, why, and who lifted them stay in the audit log.
        """
        going, counts, missing, kept = super().get_deleted_objects(objs, request)
        standing = standing_holds().filter(cohort__in=[each.pk for each in objs])
        name = str(_("legal hold"))
        return going, counts, missing - {name}, [*kept, *(f"{name}: {each}" for each in standing)]

    def delete_model(self, request: HttpRequest, obj: Cohort) -> None:
        """Delete one cohort."""
        people.delete_cohort(cohort=obj, actor=administrator(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Cohort]) -> None:
        """Delete the selected cohorts."""
        for cohort in queryset:
            people.delete_cohort(cohort=cohort, actor=administrator(request))


@admin.register(LegalHold)
class LegalHoldAdmin(ChoosingPeopleAdmin[LegalHold]):
    """Legal holds: set with a reason and lifted, never changed or deleted."""

    list_display = ("about", "reason", "set_by", "set_at", "lifted_at")
    fields = ("user", "cohort", "reason")
    actions = ("lift",)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Use an email address field for people."""
        if db_field.name == "user":
            return PersonField(label=_("Person (email address)"), required=False)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    @admin.display(description=_("about"))
    def about(self, hold: LegalHold) -> str:
        """Return the person or cohort that the hold applies to."""
        return str(hold.user or hold.cohort)

    def save_model(self, request: HttpRequest, obj: LegalHold, form: Any, change: bool) -> None:  # noqa: FBT001
        """Set the hold and log it."""
        set_hold(hold=obj, actor=administrator(request))

    @admin.action(description=_("Lift the selected holds"), permissions=["add"])
    def lift(self, request: HttpRequest, queryset: QuerySet[LegalHold]) -> None:
        """Lift the selected holds; retention periods apply again."""
        for hold in queryset:
            lift_hold(hold=hold, actor=administrator(request))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: a reason must not be changed afterwards."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: holds are kept as a record."""
        return False


class RoleFilter(admin.SimpleListFilter):
    """Filter by role."""

    title = _("role")
    parameter_name = "role"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return every role."""
        return [(role.value, str(role.label)) for role in Role]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        """Return the people with the role."""
        return queryset.filter(roles__contains=[self.value()]) if self.value() else queryset


class CohortFilter(admin.SimpleListFilter):
    """Filter by cohort."""

    title = _("group")
    parameter_name = "cohort"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return every cohort."""
        found = Cohort.objects.order_by("name").values_list("pk", "name")
        return [(str(key), name) for key, name in found]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        """Return the members of the cohort."""
        key = self.value() or ""
        if not key.isdecimal():
            return queryset
        return queryset.filter(pk__in=Membership.objects.filter(cohort=int(key)).values("user"))


class MaySignInFilter(admin.BooleanFieldListFilter):
    """Filter by open and closed accounts, labelled as in the form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = _("may sign in")


class PersonAdmin(AskingPasswordAdmin[User]):
    """People: without username, and with a password that only they know."""

    form = PersonForm
    ordering = ("email",)
    list_display = ("email", "name", "roles_in_words", "may_sign_in", "last_login")
    list_filter = (RoleFilter, CohortFilter, ("is_active", MaySignInFilter))
    lookups = ("role", "cohort", "is_active")
    search_fields = ("email", "name")
    actions = ("send_links",)
    fields = (
        *("email", "name", "language", "roles", "trainee_in", "coach_in"),
        *("is_active", "reason", "send_link"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return the people with an account; visitors in a trial are left alone."""
        return super().get_queryset(request).filter(trial_ends_at=None)

    @admin.display(description=_("may sign in"), boolean=True, ordering="is_active")
    def may_sign_in(self, person: User) -> bool:
        """Return whether the account is open."""
        return person.is_active

    @admin.display(description=_("roles"))
    def roles_in_words(self, person: User) -> str:
        """Return the labels of the roles."""
        return ", ".join(str(Role(role).label) for role in person.roles)

    def get_form(
        self,
        request: HttpRequest,
        obj: User | None = None,
        change: bool = False,  # noqa: FBT001, FBT002
        **kwargs: Any,
    ) -> type[forms.ModelForm[User]]:
        """Return a form class that knows the administrator who fills it in."""
        form = super().get_form(request, obj, change=change, **kwargs)
        form.actor = administrator(request)  # type: ignore[attr-defined]
        return form

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001
        """Save each change as one logged action, then send the link if wanted."""
        actor, said = administrator(request), form.cleaned_data
        if change:
            person = User.objects.select_for_update().get(pk=obj.pk)
            people.change_address(person=person, address=said["email"], actor=actor)
            people.change_name(person=person, name=said["name"], actor=actor)
            people.set_roles(person=person, roles=said["roles"], actor=actor)
        else:
            person = people.add_person(
                address=said["email"], name=said["name"], roles=said["roles"], actor=actor
            )
            obj.pk = person.pk
        person.language = said["language"]
        person.save(update_fields=["language"])
        people.set_access(person=person, may_sign_in=said["is_active"], actor=actor)
        for role in (Role.TRAINEE, Role.COACH):
            people.set_cohorts(person=person, role=role, cohorts=said[f"{role}_in"], actor=actor)
        if person.pk == actor.pk:
            update_session_auth_hash(request, person)
        if not said["roles"]:
            text = gettext(
                "%(name)s has no role yet. Without one, people are asked to contact you when "
                "they sign in. Choose a role, or a group in which they practise or coach."
            )
            messages.warning(request, text % {"name": person})
        if said["send_link"]:
            self._write(request, person)

    @admin.action(description=_("Email the selected people a link for choosing a password"))
    def send_links(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Send a first or another invitation to the selected people."""
        for person in queryset.filter(is_active=True):
            self._write(request, person)

    def _write(self, request: HttpRequest, person: User) -> None:
        site = request.build_absolute_uri("/")
        has_left = invite_person(person=person, site=site, actor=administrator(request))
        if has_left and is_mail_printed():
            text = gettext(
                "This site does not send email yet. The link for %(address)s to choose a "
                "password is in the log of the web process. Pass it on yourself."
            )
            messages.warning(request, text % {"address": person.email})
        elif has_left:
            text = gettext("A link to choose a password was sent to %(address)s.")
            messages.success(request, text % {"address": person.email})
        else:
            text = gettext(
                "The email to %(address)s could not be sent. The account is saved. Try again "
                "from the list of people, or run the command add_person on the server, which "
                "prints the link."
            )
            messages.warning(request, text % {"address": person.email})

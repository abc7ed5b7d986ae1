"""What administrators keep: people and cohorts. Recordings are not among it."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserCreationForm
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import Cohort, Membership, User


class NewUserForm(UserCreationForm[User]):
    """A new person: address, name, a first password."""

    class Meta:
        model = User
        fields = ("email", "name", "roles")


class MembershipInline(admin.TabularInline[Membership, Cohort]):
    """Who belongs to the cohort."""

    model = Membership
    extra = 1


@admin.register(Cohort)
class CohortAdmin(admin.ModelAdmin[Cohort]):
    """Cohorts with their people."""

    list_display = ("name", "policy", "reply_hours")
    inlines = (MembershipInline,)


@admin.register(User)
class PersonAdmin(UserAdmin[User]):
    """People: no username, roles in place of groups."""

    add_form = NewUserForm
    ordering = ("email",)
    list_display = ("email", "name", "roles", "is_active")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        (_("Roles"), {"fields": ("roles", "is_active", "is_staff", "is_superuser")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name", "roles", "password1", "password2")}),)

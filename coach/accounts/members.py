"""The members of a cohort in the administration: of a large group its coaches alone."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from coach.accounts.forms import PersonField, reason_missing
from coach.accounts.models import Cohort, Membership, Role
from coach.accounts.selectors import ways_of, ways_to_recordings

MOST_LISTED = 100
"""Members on the page of their cohort. Each is six fields of one form, of which a thousand are
taken (`DATA_UPLOAD_MAX_NUMBER_FIELDS`): a larger group could not be saved any more."""


def is_large(cohort: Cohort | None) -> bool:
    """Whether a cohort has more members than its page shows."""
    if cohort is None or not cohort.pk:
        return False
    return Membership.objects.filter(cohort=cohort)[: MOST_LISTED + 1].count() > MOST_LISTED


class MembershipForm(forms.ModelForm[Membership]):
    """One member, by the address of the row that was fetched with the others."""

    class Meta:
        model = Membership
        fields = ("user", "role", "leads")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["user"] = self.instance.user.email


class MembersFormSet(BaseInlineFormSet[Membership, Cohort, forms.ModelForm[Membership]]):
    """Of a large group the coaches alone; who was sent is found, whoever is shown."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        rows = Membership.objects.select_related("user", "cohort").order_by("pk")
        is_asked = not (kwargs.get("data") or (args and args[0]))
        if is_asked and is_large(kwargs.get("instance")):
            rows = rows.filter(role=Role.COACH)
        super().__init__(*args, **kwargs | {"queryset": rows})

    def clean(self) -> None:
        """An administrator becomes a coach here for a reason that is said."""
        super().clean()
        if not str(self.data.get("reason", "")).strip() and any(map(self._opens, self.forms)):
            raise reason_missing()

    def _opens(self, form: forms.ModelForm[Membership]) -> bool:
        """Whether a row lets an administrator open recordings of this cohort."""
        said = getattr(form, "cleaned_data", {})
        person = said.get("user")
        if person is None or said.get("DELETE") or said.get("role") != Role.COACH:
            return False
        here = self.instance.pk or 0
        after = ways_to_recordings(
            roles={*person.roles, Role.COACH}, coaches_in=[here], is_active=person.is_active
        )
        return not after <= ways_of(person)


class MembershipInline(admin.StackedInline[Membership, Cohort]):
    """Who belongs to the cohort. Joining gives the role with it.

    Stacked, so that each field has a label of its own; in a table of Django's none has.
    """

    model = Membership
    form = MembershipForm
    formset = MembersFormSet
    extra = 1
    fields = (("user", "role", "leads"),)
    verbose_name = _("member")
    verbose_name_plural = _("members")

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """People by their address."""
        if db_field.name == "user":
            return PersonField(label=_("E-mail address"))
        return super().formfield_for_dbfield(db_field, request, **kwargs)

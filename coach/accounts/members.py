"""Members of a cohort in the administration; a large group lists only its coaches."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from coach.accounts.forms import (
    PersonField,
    another_administrator_needed,
    opens_to_oneself,
    reason_missing,
)
from coach.accounts.models import Cohort, Membership, Role, User
from coach.accounts.selectors import ways_of, ways_to_recordings

MOST_LISTED = 100
"""Members on the page of their cohort. Each has six fields of one form, which may have a thousand
(`DATA_UPLOAD_MAX_NUMBER_FIELDS`): a larger group could not be saved."""


def is_large(cohort: Cohort | None) -> bool:
    """Return whether a cohort has more members than its page lists."""
    if cohort is None or not cohort.pk:
        return False
    return Membership.objects.filter(cohort=cohort)[: MOST_LISTED + 1].count() > MOST_LISTED


class MembershipForm(forms.ModelForm[Membership]):
    """One member, by the email address of the already fetched row."""

    class Meta:
        model = Membership
        fields = ("user", "role", "leads")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["user"] = self.instance.user.email


class MembersFormSet(BaseInlineFormSet[Membership, Cohort, forms.ModelForm[Membership]]):
    """Members of a cohort, of a large group only the coaches; submitted rows are found in
    any case.
    """

    actor: User | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        rows = Membership.objects.select_related("user", "cohort").order_by("pk")
        is_asked = not (kwargs.get("data") or (args and args[0]))
        if is_asked and is_large(kwargs.get("instance")):
            rows = rows.filter(role=Role.COACH)
        super().__init__(*args, **kwargs | {"queryset": rows})

    def clean(self) -> None:
        """Require a reason if an administrator becomes a coach, and somebody else where the site
        asks for it. Raises ValidationError.
        """
        super().clean()
        opened = [each.cleaned_data["user"] for each in self.forms if self._opens(each)]
        if any(opens_to_oneself(person, self.actor) for person in opened):
            raise another_administrator_needed()
        if opened and not str(self.data.get("reason", "")).strip():
            raise reason_missing()

    def _opens(self, form: forms.ModelForm[Membership]) -> bool:
        """Return whether a row lets an administrator open recordings of this cohort."""
        said = getattr(form, "cleaned_data", {})
        person = said.get("user")
        if person is None or said.get("DELETE") or said.get("role") != Role.COACH:
            return False
        here = self.instance.pk or 0
        after = ways_to_recordings(
            roles={*person.roles, Role.COACH},
            coaches_in=[here],
            is_active=person.is_active,
            administers_departments=person.administers_departments,
        )
        return not after <= ways_of(person)


class MembershipInline(admin.StackedInline[Membership, Cohort]):
    """The members of a cohort. Joining gives the role as well.

    Stacked, so that each field has its own label, which Django's table lacks.
    """

    model = Membership
    form = MembershipForm
    formset = MembersFormSet
    extra = 1
    fields = (("user", "role", "leads"),)
    verbose_name = _("member")
    verbose_name_plural = _("members")

    def get_formset(self, request: HttpRequest, obj: Cohort | None = None, **kwargs: Any) -> Any:
        """Return the formset, which knows who sends it."""
        made = super().get_formset(request, obj, **kwargs)
        made.actor = request.user  # type: ignore[attr-defined]
        return made

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Use an email address field for people."""
        if db_field.name == "user":
            return PersonField(label=_("Email address"))
        return super().formfield_for_dbfield(db_field, request, **kwargs)

"""Forms for groups: codes, terms, and the roll-over to the next term."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.accounts.departments import Department
from coach.accounts.forms import CohortForm
from coach.accounts.models import Cohort, User
from coach.lib.pages.forms import DayInput
from coach.lib.pages.plain_text import NameField
from coach.lib.words.dates import here, zone_here
from coach.portal.departments.selectors import departments_for

_USUAL_DAYS = 14
_USUAL_USES = 40
_MOST_DAYS = 366
_MOST_USES = 1000
"""Two weeks and a class are rules of thumb, as are the limits: a year, and a year group."""


class GroupCodeForm(forms.Form):
    """The last day of a code, and how many people may use it."""

    ends_on = forms.DateField(label=_("Works until"), widget=DayInput())
    most_uses = forms.IntegerField(
        label=_("For how many people"), min_value=1, max_value=_MOST_USES, initial=_USUAL_USES
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ends_on"].initial = here(None).date() + timedelta(days=_USUAL_DAYS)

    def clean_ends_on(self) -> datetime:
        """Return the end of that day. Raises ValidationError for a day that is over, or far off."""
        day, today = self.cleaned_data["ends_on"], here(None).date()
        if not today <= day <= today + timedelta(days=_MOST_DAYS):
            raise ValidationError(gettext("Choose today or a later day, within a year."))
        return timezone.make_aware(datetime.combine(day, time.max), zone_here())


class TermForm(forms.ModelForm[Cohort]):
    """The first and last day of a group's term, and the time zone of its due dates."""

    class Meta:
        model = Cohort
        fields = ("starts_on", "ends_on", "time_zone")
        widgets = {"starts_on": DayInput(), "ends_on": DayInput()}

    def clean(self) -> dict[str, Any]:
        """Require an end that is not before the beginning."""
        cleaned = super().clean() or self.cleaned_data
        begins, ends = cleaned.get("starts_on"), cleaned.get("ends_on")
        if begins and ends and ends < begins:
            self.add_error("ends_on", gettext("The term ends before it begins."))
        return cleaned


class GroupSettingsForm(CohortForm, TermForm):
    """Name, department, policy and term of a new or an existing group.

    What is rarely set, and members one by one, are in Django's admin.
    """

    reason = None  # type: ignore[assignment]
    department = forms.ModelChoiceField(
        label=_("Department"),
        required=False,
        queryset=Department.objects.none(),
        empty_label=_("None"),
    )

    class Meta(TermForm.Meta):
        fields = (  # type: ignore[assignment]
            *("name", "policy", "reply_hours", "starts_on", "ends_on", "time_zone"),
            *("keep_media_days", "keep_reports_days"),
        )
        labels = {"policy": _("When trainees see feedback")}

    field_order = ("name", "department")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["department"]
        field.queryset = departments_for(user).filter(closed_at=None)  # type: ignore[attr-defined]
        field.initial = self.instance.department
        if not user.is_staff:
            field.required = True
            field.empty_label = None  # type: ignore[attr-defined]
            # How long recordings are stored is for administrators of the site.
            del self.fields["keep_media_days"], self.fields["keep_reports_days"]
        elif not field.queryset.exists():  # type: ignore[attr-defined]
            del self.fields["department"]


class RollOverForm(TermForm):
    """A group for the next term, and whether to archive the present one."""

    name = NameField(label=_("Name of the new group"), max_length=120)
    archive = forms.BooleanField(
        label=_("Archive the present group"),
        required=False,
        initial=True,
        help_text=_("It takes no new people, and its codes stop. Members and takes stay."),
    )

    field_order = ("name", "starts_on", "ends_on", "archive")

    class Meta(TermForm.Meta):
        fields = ("name", "starts_on", "ends_on", "time_zone")  # type: ignore[assignment]

"""Forms for departments: the name, an administrator, and a group."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.accounts.departments import Department
from coach.accounts.forms import PersonField
from coach.accounts.models import Cohort
from coach.lib.pages.plain_text import NameField


class DepartmentForm(forms.ModelForm[Department]):
    """The name of a department."""

    name = NameField(label=_("Name"), max_length=120)

    class Meta:
        model = Department
        fields = ("name",)


class AdministratorForm(forms.Form):
    """A person with an account, by email address."""

    person = PersonField(label=_("Email address"))


class GroupField(forms.ModelChoiceField[Cohort]):
    """A group, with the department that it is in now."""

    def label_from_instance(self, obj: Cohort) -> str:
        """Return the name, and the present department in brackets."""
        return f"{obj.name} ({obj.department})" if obj.department else obj.name


class GroupForm(forms.Form):
    """A group that moves to a department."""

    def __init__(self, *args: Any, department: Department, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Cohort.objects.select_related("department").order_by("name", "pk")
        self.fields["cohort"] = GroupField(
            label=_("Group"),
            queryset=others.exclude(department=department),
            empty_label=_("Choose a group"),
        )

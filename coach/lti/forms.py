"""Forms of LTI: a platform, and the group of a course."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.lib.pages.plain_text import NameField
from coach.lti.models import MOST_NAME, Course, Platform
from coach.lti.selectors import open_groups
from coach.webhooks.addresses import NotPublic, check_literal

_ADDRESSES = ("login_url", "token_url", "keys_url")


class PlatformForm(forms.ModelForm[Platform]):
    """What the platform shows about itself, and who may come from it."""

    name = NameField(
        label=_("Name"), max_length=120, help_text=_("For example Moodle of the university.")
    )
    deployment_ids = SimpleArrayField(
        forms.CharField(max_length=MOST_NAME),
        label=Platform._meta.get_field("deployment_ids").verbose_name,  # noqa: SLF001
        help_text=Platform._meta.get_field("deployment_ids").help_text,  # noqa: SLF001
        max_length=50,
    )

    class Meta:
        model = Platform
        fields = (
            "name",
            "issuer",
            "client_id",
            "deployment_ids",
            *_ADDRESSES,
            "token_audience",
            "makes_accounts",
            "makes_coaches",
            "is_active",
        )

    def clean(self) -> dict[str, Any]:
        """Require public addresses: this site never asks another network."""
        cleaned = super().clean() or self.cleaned_data
        for name in _ADDRESSES:
            try:
                if cleaned.get(name):
                    check_literal(cleaned[name])
            except NotPublic:
                self.add_error(name, gettext("Give a public address that begins with https://."))
        return cleaned

    def clean_deployment_ids(self) -> list[str]:
        """Return each deployment once. Raises ValidationError without any."""
        found = list(dict.fromkeys(each for each in self.cleaned_data["deployment_ids"] if each))
        if not found:
            raise ValidationError(gettext("Give at least one deployment ID."))
        return found


class CourseForm(forms.ModelForm[Course]):
    """The group that people of a course join."""

    class Meta:
        model = Course
        fields = ("cohort",)

    cohort = forms.ModelChoiceField(
        label=_("Group"),
        queryset=open_groups(),
        required=False,
        empty_label=_("No group yet"),
    )

"""Forms for importing and exporting bundles."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.research.coding.interviews.forms import language_choices_or_unset
from coach.research.exports.formats.parquet import can_write_parquet
from coach.research.exports.models import Export

_FORMATS = tuple(
    (value, label)
    for value, label in Export.OnRequest.choices
    if value != Export.OnRequest.PARQUET or can_write_parquet()
)


class BundleForm(forms.Form):
    """A bundle to import."""

    file = forms.FileField(
        label=_("Bundle (.zip) or REFI-QDA project (.qdpx)"),
        help_text=_(
            "An export bundle of a study, from this or another site, or a project from "
            "NVivo, ATLAS.ti, MAXQDA, QualCoder and others."
        ),
        widget=forms.FileInput(attrs={"accept": ".zip,.qdpx"}),
    )
    language = forms.ChoiceField(
        label=_("Language of the interviews"),
        choices=language_choices_or_unset,
        required=False,
        help_text=_(
            "Only for projects, which do not state their language. You can change it on "
            "each interview’s page. Bundles state theirs."
        ),
    )

    is_declared = forms.BooleanField(
        label=_("The texts were anonymised before, and everybody in them has consented"),
        required=False,
        help_text=_(
            "Only for projects from another tool. Their texts can then be exported without "
            "another redaction. The audit log records that you declared it."
        ),
    )
    declared = forms.CharField(
        label=_("Anonymised by, and where consent is documented"),
        required=False,
        max_length=500,
        help_text=_(
            "For example “Anonymised in 2024 by the interview team; signed forms in the "
            "project archive”. Name no participants: this is exported as the consent sheet."
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Take the statement only with its tick, and the tick only with a statement."""
        data = super().clean() or self.cleaned_data
        if data.get("is_declared") and not data.get("declared"):
            self.add_error("declared", _("Say who anonymised the texts, and where consent is."))
        if not data.get("is_declared"):
            data["declared"] = ""
        return data


class ExportForm(forms.Form):
    """The recipient, purpose and formats of an export."""

    recipient = forms.CharField(label=_("Recipient"), max_length=200)
    purpose = forms.CharField(label=_("Purpose"), max_length=500)
    agreement = forms.CharField(
        label=_("Data agreement"),
        max_length=200,
        required=False,
        help_text=_("Required if groups are so small that people could be recognised."),
    )
    formats = forms.MultipleChoiceField(
        label=_("Optional files"),
        choices=_FORMATS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

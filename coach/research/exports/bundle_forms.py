"""What a researcher says when they ask for a bundle."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.research.coding.interviews.forms import or_unsaid
from coach.research.exports.formats.parquet import can_write_parquet
from coach.research.exports.models import Export

_FORMATS = tuple(
    (value, label)
    for value, label in Export.OnRequest.choices
    if value != Export.OnRequest.PARQUET or can_write_parquet()
)


class BundleForm(forms.Form):
    """A bundle to load."""

    file = forms.FileField(
        label=_("Bundle (.zip) or REFI-QDA project (.qdpx)"),
        help_text=_(
            "A bundle as an export of a study made it, here or on another site; or a project of "
            "NVivo, ATLAS.ti, MAXQDA, QualCoder and others."
        ),
        widget=forms.FileInput(attrs={"accept": ".zip,.qdpx"}),
    )
    language = forms.ChoiceField(
        label=_("Language of its interviews"),
        choices=or_unsaid,
        required=False,
        help_text=_(
            "Of a project, which does not say it. The page of each interview changes it. A bundle "
            "says it by itself."
        ),
    )


class ExportForm(forms.Form):
    """For whom, what for, and what else."""

    recipient = forms.CharField(label=_("Who gets it"), max_length=200)
    purpose = forms.CharField(label=_("What for"), max_length=500)
    agreement = forms.CharField(
        label=_("Under which agreement"),
        max_length=200,
        required=False,
        help_text=_("Needed where groups are so small that people might be recognised."),
    )
    formats = forms.MultipleChoiceField(
        label=_("On request"),
        choices=_FORMATS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

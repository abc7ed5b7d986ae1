"""Form for a recording of an exercise, posted where the script of the page does not run."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.rehearsals.media_types import ACCEPT


class ExerciseFileForm(forms.Form):
    """The recording as a file."""

    recording = forms.FileField(
        label=_("Recording"),
        max_length=500,
        widget=forms.FileInput(attrs={"accept": ACCEPT}),
        error_messages={
            "required": _("Choose a recording first."),
            "empty": _("This file is empty (0 bytes). Record or export it again."),
        },
    )

"""Forms of spoken replies."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.feedback.forms import ClockField
from coach.rehearsals.media_types import ACCEPT


class ReplyTimeForm(forms.Form):
    """The time of the take that a reply is about."""

    at = ClockField(
        max_length=12,
        label=_("At this time of the take"),
        error_messages={"required": _("Enter the time of the take, for example 1:05.")},
    )


class ReplyFileForm(ReplyTimeForm):
    """A recording as a file, posted where the recorder does not run."""

    recording = forms.FileField(
        label=_("Recording"),
        max_length=500,
        widget=forms.FileInput(attrs={"accept": ACCEPT}),
        error_messages={
            "required": _("Choose a recording first."),
            "empty": _("This file is empty (0 bytes). Record or export it again."),
        },
    )

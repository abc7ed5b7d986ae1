"""Form with which a visitor begins a trial."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _

from coach.accounts.models import Purpose
from coach.accounts.purposes import current_text


class TrialForm(forms.Form):
    """Consent to the analysis, and the age that the site asks for."""

    consent = forms.BooleanField()
    age = forms.BooleanField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        consent = self.fields["consent"]
        consent.label = _("I agree to the analysis of my recording.")
        consent.help_text = current_text(Purpose.ANALYSIS)
        least = settings.TRIAL_LEAST_AGE
        if least:
            said = _("I am %(age)s years old or older.")
            self.fields["age"].label = said % {"age": least}
        else:
            del self.fields["age"]

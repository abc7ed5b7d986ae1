"""The form that the script of the calibration page sends."""

from __future__ import annotations

import math

from django import forms
from django.utils.translation import gettext_lazy as _

MOST_LOOKS = 100
_NUMBERS = 8


class CalibrationForm(forms.Form):
    """The camera, and what was measured in each picture."""

    camera = forms.CharField(max_length=128, required=False)
    is_upright = forms.BooleanField(required=False)
    # Whether the screen was measured with a bank card.
    knows_screen = forms.BooleanField(required=False)
    shown = forms.IntegerField(min_value=1, max_value=20)
    looks = forms.JSONField()

    def clean_looks(self) -> list[list[float]]:
        """Return the rows of `analysis.talk.gaze_calibration.CalibrationLook`."""
        rows = self.cleaned_data["looks"]
        if not isinstance(rows, list) or len(rows) > MOST_LOOKS or not all(map(_is_look, rows)):
            raise forms.ValidationError(_("We could not read this."))
        return rows


def _is_look(row: object) -> bool:
    if not isinstance(row, list) or len(row) != _NUMBERS:
        return False
    return all(
        isinstance(each, int | float) and math.isfinite(each) and abs(each) < 1000 for each in row
    )

"""The form for a file with slides."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy


class DeckForm(forms.Form):
    """A PDF file with slides."""

    file = forms.FileField(
        label=gettext_lazy("Slides as a PDF file"),
        help_text=gettext_lazy(
            "Up to 100 pages. Only you and people you share a take with see it."
        ),
        widget=forms.FileInput(attrs={"accept": "application/pdf,.pdf"}),
    )

"""Forms of the page on which owners correct their transcript."""

from __future__ import annotations

from django import forms


class PlaceForm(forms.Form):
    """A place in the transcript, in seconds of the recording."""

    at = forms.FloatField(min_value=0)


class WordForm(forms.Form):
    """A word of the transcript, and what was said instead."""

    start = forms.FloatField(min_value=0)
    before = forms.CharField(max_length=200, strip=False)
    after = forms.CharField(max_length=200, required=False)


class EventForm(forms.Form):
    """A filler that was not one."""

    kind = forms.CharField(max_length=30)
    start = forms.FloatField(min_value=0)

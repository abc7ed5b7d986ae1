"""Form of a new webhook."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.webhooks.models import Event


class WebhookForm(forms.Form):
    """The address of a webhook, and the events that it gets."""

    url = forms.URLField(
        label=_("Address"),
        max_length=500,
        assume_scheme="https",
        help_text=_("Public, with https, for example https://lms.example.org/rostrum."),
    )
    events = forms.MultipleChoiceField(
        label=_("Which events does it get?"),
        choices=Event.choices,
        widget=forms.CheckboxSelectMultiple,
    )

    @property
    def chosen(self) -> list[Event]:
        """The events that were ticked."""
        return [Event(each) for each in self.cleaned_data["events"]]

"""The form for a message in a thread."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.lib.pages.plain_text import PlainTextField
from coach.review.threads.models import MOST_CHARACTERS


class MessageForm(forms.Form):
    """A message under a card or a note."""

    text = PlainTextField(
        max_length=MOST_CHARACTERS, error_messages={"required": _("Write your message first.")}
    )

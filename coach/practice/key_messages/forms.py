"""Forms for key messages and for decisions about them."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from coach.lib.pages.plain_text import NameField

MOST_MESSAGES = 3
MOST_LETTERS = 200


def _field(label: StrOrPromise) -> forms.CharField:
    return NameField(
        label=label,
        required=False,
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class KeyMessagesForm(forms.Form):
    """Up to three sentences; an empty field removes one."""

    message_1 = _field(_("First message"))
    message_2 = _field(_("Second message"))
    message_3 = _field(_("Third message"))

    def texts(self) -> list[str]:
        """Return the sentences in order."""
        return [self.cleaned_data[f"message_{n}"] for n in range(1, MOST_MESSAGES + 1)]


class VerdictForm(forms.Form):
    """A decision about one message; `at` is the time of the sentence."""

    message = forms.UUIDField()
    wish = forms.ChoiceField(
        choices=[(wish, wish) for wish in ("yes", "no", "other_words", "left_out", "reopen")]
    )
    at = forms.FloatField(required=False, min_value=0)

    def clean(self) -> dict[str, object]:
        """Require a time where a sentence is decided on."""
        data = super().clean() or self.cleaned_data
        if data.get("wish") in {"yes", "no"} and data.get("at") is None:
            raise forms.ValidationError(_("Choose a sentence."))
        return data

"""Forms of the review page for decisions on items."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.feedback.models import RejectReason
from coach.lib.pages.plain_text import PlainTextField
from coach.rehearsals.models import Goal
from coach.review.items.moments import MOST_TYPED, ClipsField


def written(form: forms.Form, name: str) -> str:
    """Return the text of a field. Raises ValidationError with the form's error."""
    if name in form.errors:
        raise forms.ValidationError([str(each) for each in form.errors[name]])
    words: str = form.cleaned_data[name]
    return words


class SeenForm(forms.Form):
    """A form that sends the newest action that its page showed."""

    seen = forms.IntegerField(required=False, min_value=0)


ALSO_WORDED = ("why", "comparison")
"""The texts of a card that a coach may change besides claim and suggestion."""


class VerdictForm(SeenForm):
    """The form for a decision on an item, or for its position."""

    ACTIONS = ("accept", "edit", "reject", "hold", "undo", "up", "down", "instead")

    action = forms.ChoiceField(choices=[(action, "") for action in ACTIONS])
    wording = PlainTextField(required=False, max_length=600)
    suggestion = PlainTextField(required=False, max_length=600)
    why = PlainTextField(required=False, max_length=600)
    comparison = PlainTextField(required=False, max_length=600)
    clips = ClipsField(required=False, max_length=MOST_TYPED)
    reason = forms.ChoiceField(choices=[("", ""), *RejectReason.choices], required=False)
    note = PlainTextField(required=False, max_length=2000)
    other = forms.UUIDField(required=False)

    def clean(self) -> dict[str, Any]:
        """Return the data, with None for texts missing on the page; empty ones are removed."""
        data = super().clean() or self.cleaned_data
        return {**data, **{name: None for name in ALSO_WORDED if name not in self.data}}


class WordOnAllForm(forms.Form):
    """The comment form; `before` is the text on the page, `over` the one replaced."""

    word = PlainTextField(required=False, max_length=2000)
    before = PlainTextField(required=False, max_length=2000)
    over = PlainTextField(required=False, max_length=2000)

    def known(self) -> list[str] | None:
        """Return the texts on the coach's page, or None for a page of an earlier version."""
        sent = [name for name in ("before", "over") if name in self.data]
        return [self.cleaned_data.get(name, "") for name in sent] if sent else None


class HandOverForm(forms.Form):
    """The form that hands a take to a colleague, with a note."""

    colleague = forms.IntegerField(
        min_value=1,
        # The same message for every invalid value.
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value"), _("Choose a colleague to hand this take to.")
        ),
    )
    note = PlainTextField(
        required=False,
        max_length=500,
        error_messages={
            "max_length": _(
                "This note has %(show_value)d characters; the limit is %(limit_value)d. "
                "Shorten it and try again. The take was not handed over."
            )
        },
    )


class CoachItemForm(SeenForm):
    """The form for a coach's own item, also as a replacement."""

    tone = forms.ChoiceField(choices=[("strength", ""), ("improvement", "")])
    quality = forms.ChoiceField(choices=Goal.choices)
    claim = PlainTextField(max_length=600, error_messages={"required": _("Say what you observed.")})
    suggestion = PlainTextField(required=False, max_length=600)
    clips = ClipsField(
        max_length=MOST_TYPED, error_messages={"required": _("Enter a time, for example 1:05.")}
    )


class ReplaceForm(CoachItemForm):
    """The form for a replacement, with the reason for rejecting the replaced item."""

    reason = forms.ChoiceField(
        choices=RejectReason.choices,
        error_messages={
            "required": _("Choose a reason for rejecting it. It helps to improve the rules.")
        },
    )
    note = PlainTextField(required=False, max_length=2000)


class BankForm(forms.Form):
    """The form for a sentence of the comment bank."""

    text = PlainTextField(
        max_length=600,
        error_messages={"required": _("Write the sentence that you want to use again.")},
    )
    tag = forms.ChoiceField(choices=[("", ""), *Goal.choices], required=False)
    cohort = forms.IntegerField(required=False, min_value=1)

"""Forms of the review page that decide on items."""

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
    """A form that sends the newest act that its page showed."""

    seen = forms.IntegerField(required=False, min_value=0)


ALSO_WORDED = ("why", "comparison")
"""The texts of a card that a coach may change besides the observation and the suggestion."""


class VerdictForm(SeenForm):
    """A decision on an item, or its place among the others."""

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
        """None for a text that the page did not ask for: only an empty field leaves it out."""
        data = super().clean() or self.cleaned_data
        return {**data, **{name: None for name in ALSO_WORDED if name not in self.data}}


class WordOnAllForm(forms.Form):
    """The comment on the whole talk; `before` is the text on the page, `over` the one replaced."""

    word = PlainTextField(required=False, max_length=2000)
    before = PlainTextField(required=False, max_length=2000)
    over = PlainTextField(required=False, max_length=2000)

    def known(self) -> list[str] | None:
        """Return what the coach's page showed; None for a page of an earlier version."""
        sent = [name for name in ("before", "over") if name in self.data]
        return [self.cleaned_data.get(name, "") for name in sent] if sent else None


class HandOverForm(forms.Form):
    """The colleague to hand a take to, with a note."""

    colleague = forms.IntegerField(
        min_value=1,
        # Whatever it was that named nobody.
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
    """An item of the coach's own, also as a replacement."""

    tone = forms.ChoiceField(choices=[("strength", ""), ("improvement", "")])
    quality = forms.ChoiceField(choices=Goal.choices)
    claim = PlainTextField(max_length=600, error_messages={"required": _("Say what you observed.")})
    suggestion = PlainTextField(required=False, max_length=600)
    clips = ClipsField(
        max_length=MOST_TYPED, error_messages={"required": _("Enter a time, for example 1:05.")}
    )


class ReplaceForm(CoachItemForm):
    """An item that replaces another one, with the reason for rejecting that."""

    reason = forms.ChoiceField(
        choices=RejectReason.choices,
        error_messages={
            "required": _("Choose a reason for rejecting it. It helps to improve the rules.")
        },
    )
    note = PlainTextField(required=False, max_length=2000)


class BankForm(forms.Form):
    """A sentence of the comment bank."""

    text = PlainTextField(
        max_length=600,
        error_messages={"required": _("Write the sentence that you want to use again.")},
    )
    tag = forms.ChoiceField(choices=[("", ""), *Goal.choices], required=False)
    cohort = forms.IntegerField(required=False, min_value=1)

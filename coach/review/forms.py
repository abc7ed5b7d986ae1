"""What a coach fills in on the desk."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.feedback.forms import ClockField
from coach.feedback.models import RejectReason
from coach.feedback.notes import NoteWords
from coach.lib.pages.plain_text import PlainTextField
from coach.lib.words.clock import clock
from coach.rehearsals.models import Goal
from coach.review.items.moments import MOST_TYPED, ClipsField


def written(form: forms.Form, name: str) -> str:
    """What was written in a field. Raises ValidationError with what the form says against it."""
    if name in form.errors:
        raise forms.ValidationError([str(each) for each in form.errors[name]])
    words: str = form.cleaned_data[name]
    return words


class SeenForm(forms.Form):
    """What every form of the desk carries: the newest act that its page showed."""

    seen = forms.IntegerField(required=False, min_value=0)


ALSO_WORDED = ("why", "comparison")
"""The texts of a card that a coach may change besides the observation and the suggestion."""


class VerdictForm(SeenForm):
    """One decision on one item, or its place among the others."""

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
    """A word to the trainee as a whole; `before` is what stood there, `over` what shall go."""

    word = PlainTextField(required=False, max_length=2000)
    before = PlainTextField(required=False, max_length=2000)
    over = PlainTextField(required=False, max_length=2000)

    def known(self) -> list[str] | None:
        """What its coach has seen there; None of a page of the version before."""
        sent = [name for name in ("before", "over") if name in self.data]
        return [self.cleaned_data.get(name, "") for name in sent] if sent else None


class RetractForm(forms.Form):
    """Why released feedback is taken away again."""

    why = PlainTextField(
        max_length=500, error_messages={"required": _("Give a reason. The trainee will read it.")}
    )


class HandOverForm(forms.Form):
    """To whom a take goes, and what they should know."""

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
    """An item of the coach's own, or one that stands in another's place."""

    tone = forms.ChoiceField(choices=[("strength", ""), ("improvement", "")])
    quality = forms.ChoiceField(choices=Goal.choices)
    claim = PlainTextField(max_length=600, error_messages={"required": _("Say what you observed.")})
    suggestion = PlainTextField(required=False, max_length=600)
    clips = ClipsField(
        max_length=MOST_TYPED, error_messages={"required": _("Enter a time, for example 1:05.")}
    )


class ReplaceForm(CoachItemForm):
    """Words of the coach's own in the place of an item, and why that is rejected."""

    reason = forms.ChoiceField(
        choices=RejectReason.choices,
        error_messages={
            "required": _("Choose a reason for rejecting it. It helps to improve the rules.")
        },
    )
    note = PlainTextField(required=False, max_length=2000)


class NoteForm(forms.Form):
    """A note at a time; `*_exact` says where in the second it was marked."""

    text = PlainTextField(
        max_length=2000, error_messages={"required": _("Write what you noticed.")}
    )
    tag = forms.ChoiceField(choices=[("", ""), *Goal.choices], required=False)
    start = ClockField(max_length=12, error_messages={"required": _("Enter where it begins.")})
    end = ClockField(max_length=12, required=False)
    start_exact = forms.FloatField(required=False, min_value=0)
    end_exact = forms.FloatField(required=False, min_value=0)
    seen = forms.CharField(required=False, max_length=16)
    over = forms.CharField(required=False, max_length=16)

    def known(self) -> list[str] | None:
        """How its coach has seen the note stand; None of a page of the version before."""
        known = [self.cleaned_data[name] for name in ("seen", "over")]
        return [each for each in known if each] or None

    def words(self) -> NoteWords:
        """What is written, and where."""
        names = ("text", "start", "end", "tag")
        return NoteWords(**{name: self.cleaned_data[name] for name in names})

    def clean(self) -> dict[str, Any]:
        """The exact second, as long as what stands in the field is still that second."""
        data = super().clean() or self.cleaned_data
        for name in ("start", "end"):
            typed, exact = data.get(name), data.pop(f"{name}_exact", None)
            if typed is not None and exact is not None and clock(typed) == clock(exact):
                data[name] = exact
        return data


class FlagForm(forms.Form):
    """Why a take is flagged."""

    why = PlainTextField(
        max_length=500,
        error_messages={"required": _("Give a reason. The person who settles it will read it.")},
    )


class StrikeForm(forms.Form):
    """Which filler or look-away was none; seconds of the media."""

    kind = forms.CharField(max_length=30)
    start = forms.FloatField(min_value=0)


class WordForm(forms.Form):
    """Which word was said instead of the one that stands there."""

    start = forms.FloatField(min_value=0)
    before = forms.CharField(max_length=200, strip=False)
    after = forms.CharField(max_length=200, required=False)


class BankForm(forms.Form):
    """A sentence of the comment bank."""

    text = PlainTextField(
        max_length=600,
        error_messages={"required": _("Write the sentence that you want to use again.")},
    )
    tag = forms.ChoiceField(choices=[("", ""), *Goal.choices], required=False)
    cohort = forms.IntegerField(required=False, min_value=1)

"""Forms of coaches: a written question, and a comment on an answer."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User
from coach.lib.pages.plain_text import PlainTextField
from coach.questions.models import MOST_CHARACTERS, QuestionKind, QuestionLanguage
from coach.questions.selectors import coached_groups


class WrittenQuestionForm(forms.Form):
    """A question with its kind, its language and, unless it is for one talk, its group."""

    text = PlainTextField(
        label=_("Question"),
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One question that can be understood on first hearing."),
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=QuestionKind.choices)
    language = forms.ChoiceField(label=_("Language"), choices=QuestionLanguage.choices)
    cohort = forms.TypedChoiceField(label=_("Group"), coerce=int, empty_value=None)

    def __init__(self, *args: Any, coach: User, for_talk: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = [(each.pk, each.name) for each in coached_groups(coach)]
        self.fields["cohort"].choices = groups  # type: ignore[attr-defined]
        if for_talk:
            del self.fields["cohort"]


class AnswerCommentForm(forms.Form):
    """A coach's comment on the content of an answer."""

    comment = PlainTextField(label=_("Your comment"), max_length=2000)

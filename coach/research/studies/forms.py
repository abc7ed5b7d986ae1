"""Forms of study members and participants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import Cohort, Language
from coach.lib.pages.forms import DayInput, MomentField
from coach.lib.words.punctuation import pair_words, within_quotes
from coach.research.studies.consent_table import CONSENT_STATES, sheet_key, sheet_words
from coach.research.studies.models import (
    ConsentDocument,
    ConsentEvent,
    Member,
    Participant,
    Question,
    Questionnaire,
    Scope,
    Study,
)
from coach.research.studies.noted_consents import NotedAnswer
from coach.research.studies.scaffold import still_asked

_FIELDS = (
    "title",
    "question",
    "protocol",
    "ethics",
    "contact",
    "recipients",
    "cohorts",
    "planned_takes",
    "starts_on",
    "ends_on",
    "cut_off",
    "least_group",
    "recording_days",
    "is_blinded",
)


WORD_LENGTH = 80
"""Longest word that can be allowed."""


class StudyForm(forms.ModelForm[Study]):
    """A study, as described in its protocol."""

    class Meta:
        model = Study
        fields = _FIELDS
        field_classes = {"cut_off": MomentField}
        widgets = {
            "question": forms.Textarea(attrs={"rows": 3}),
            "protocol": forms.Textarea(attrs={"rows": 8}),
            "cohorts": forms.CheckboxSelectMultiple,
            "starts_on": DayInput(),
            "ends_on": DayInput(),
            "cut_off": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            ),
        }
        labels = {
            "recipients": _("Recipients of the exports"),
            "planned_takes": _("Takes per person"),
            "cut_off": _("Cut-off date for takes and consents"),
            "least_group": _("Smallest group shown separately (k)"),
            "recording_days": _("Days to keep a recording after its text is locked"),
            "is_blinded": _("Hide the conditions from members (blinding)"),
        }
        help_texts = {
            "contact": _("Shown to participants and in exports."),
            "recipients": _(
                "Universities or archives that will receive the data. Participants can read it."
            ),
            "cohorts": _("Members of these groups may take part."),
            "planned_takes": _("The overview lists people with fewer takes."),
            "cut_off": _(
                "Uses the takes and consents of this date. Leave empty to use those of the "
                "export date."
            ),
            "least_group": _(
                "In the export, smaller groups have their group and experience removed. Five "
                "is usual, ten for public data."
            ),
            "recording_days": _(
                "For interviews recorded or uploaded here. After this time the recording is "
                "deleted."
            ),
            "is_blinded": _(
                "Members see letters instead of conditions until the study is unblinded."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cohorts = self.fields["cohorts"]
        cohorts.queryset = Cohort.objects.order_by("name")  # type: ignore[attr-defined]
        if self.instance.pk and self.instance.state != Study.State.DRAFT:
            # Pinned with the policy at the start; what participants were told stays true.
            for name in ("cohorts", "is_blinded"):
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """Require the last day not to be before the first; otherwise no take would count."""
        said = super().clean() or self.cleaned_data
        first, last = said.get("starts_on"), said.get("ends_on")
        if first and last and last < first:
            self.add_error("ends_on", _("The last day is before the first day."))
        return said

    def before(self) -> dict[str, str]:
        """Return the stored values, for the log."""
        fields = [name for name in self.fields if name != "cohorts"]
        kept = Study.objects.get(pk=self.instance.pk)
        return {name: str(getattr(kept, name)) for name in fields}


class MemberForm(forms.Form):
    """A researcher's address and role."""

    email = forms.EmailField(label=_("Email address of a researcher"))
    role = forms.ChoiceField(
        label=_("Role"), choices=Member.Role.choices, initial=Member.Role.CODER
    )


class LeaveOutForm(forms.Form):
    """A take, by its name in exports, and the reason for excluding it."""

    take = forms.CharField(label=_("Take"), max_length=20, widget=forms.TextInput)
    reason = forms.CharField(
        label=_("Reason for excluding it"),
        max_length=200,
        help_text=_("Stored with the study. Do not name anyone."),
    )


class AllowedWordsForm(forms.Form):
    """Words that look like a name or a number and are none."""

    words = forms.CharField(
        label=_("Words that are not names"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        max_length=20_000,
        help_text=_(
            "One per line. The export will no longer stop at these words, so check that "
            "they identify nobody and describe nobody’s feelings. The person who allows "
            "them is logged."
        ),
    )

    def clean_words(self) -> list[str]:
        """Return the words without duplicates. Raises ValidationError for one longer than a
        name.
        """
        words = [" ".join(line.split()) for line in self.cleaned_data["words"].splitlines()]
        if any(len(word) > WORD_LENGTH for word in words):
            raise forms.ValidationError(_("One word or name per line, up to 80 characters each."))
        return sorted({word for word in words if word})


def consent_method_field() -> forms.ChoiceField:
    """Return the field for consent given outside this site, on paper or aloud."""
    methods = (ConsentEvent.Method.PAPER, ConsentEvent.Method.VERBAL_RECORDED)
    return forms.ChoiceField(
        label=_("How consent was given"), choices=[(each.value, each.label) for each in methods]
    )


class ConsentFilterForm(forms.Form):
    """Which people the table of consents shows."""

    scope = forms.ChoiceField(label=_("Scope of the consent"), required=False)
    state = forms.ChoiceField(
        label=_("Show"), choices=[("", _("everybody")), *CONSENT_STATES], required=False
    )

    def __init__(self, *args: Any, scopes: Sequence[Scope], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("any")), *((each.value, each.label) for each in scopes)]
        self.fields["scope"].choices = choices  # type: ignore[attr-defined]


class NotedConsentForm(forms.Form):
    """The answer of several people without an account to one sheet, given on paper or aloud."""

    sheet = forms.ChoiceField(label=_("Information sheet"))
    only = forms.ChoiceField(label=_("Scope of the consent"), required=False)
    new = forms.ChoiceField(
        label=_("Also of a new participant without an account"),
        choices=[("", _("nobody new")), *Participant.Group.choices],
        required=False,
        help_text=_("Choose their role in the study. They get a pseudonym."),
    )
    answer = forms.ChoiceField(
        label=_("Their answer"),
        choices=[("yes", _("They agree")), ("no", _("They decline or withdraw"))],
        initial="yes",
        widget=forms.RadioSelect,
    )
    method = consent_method_field()
    said_on = forms.DateField(label=_("Date of consent"), widget=DayInput())

    def __init__(
        self,
        *args: Any,
        sheets: Sequence[Sequence[ConsentDocument]],
        people: Sequence[Participant],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._sheets = {sheet_key(group): group for group in sheets}
        self._people = {str(each.pk): each for each in people}
        self.fields["sheet"].choices = [  # type: ignore[attr-defined]
            (key, sheet_words(group)) for key, group in self._sheets.items()
        ]
        scopes = {each.scope: Scope(each.scope).label for group in sheets for each in group}
        self.fields["only"].choices = [  # type: ignore[attr-defined]
            ("", _("all of the sheet")),
            *scopes.items(),
        ]
        self.fields["person"] = forms.MultipleChoiceField(
            choices=[(key, each.pseudonym) for key, each in self._people.items()], required=False
        )

    def clean(self) -> dict[str, Any]:
        """Require somebody, and the chosen scope to be on the chosen sheet."""
        said = super().clean() or self.cleaned_data
        if not said.get("person") and not said.get("new"):
            self.add_error("person", gettext("Tick the people first."))
        group = self._sheets.get(said.get("sheet", ""), ())
        only = said.get("only")
        if only and group and only not in {each.scope for each in group}:
            self.add_error("only", gettext("This sheet does not ask for that."))
        return said

    @property
    def people(self) -> list[Participant]:
        """Return the people who were ticked."""
        return [self._people[key] for key in self.cleaned_data["person"]]

    @property
    def ticked(self) -> list[str]:
        """Return the keys of the people ticked in a form that was refused."""
        return list(self["person"].value() or [])

    def noted(self) -> NotedAnswer:
        """Return the answer, with the sheets of the chosen scopes."""
        said = self.cleaned_data
        group = self._sheets[said["sheet"]]
        return NotedAnswer(
            sheets=[each for each in group if said["only"] in ("", each.scope)],
            agrees=said["answer"] == "yes",
            method=said["method"],
            said_on=said["said_on"],
        )


class WithdrawalForm(forms.Form):
    """A withdrawal on paper or aloud."""

    who = forms.CharField(
        label=_("Person who withdraws"),
        max_length=254,
        help_text=_("Their email address on this site, or their pseudonym in the study."),
    )
    method = consent_method_field()
    is_sure = forms.BooleanField(
        label=_("I have it in writing or recorded"),
        help_text=_("The withdrawal applies immediately and cannot be undone."),
    )


class SheetForm(forms.Form):
    """An information sheet, on which people decide about one scope of consent or several."""

    scopes = forms.MultipleChoiceField(
        label=_("Scopes of the consent"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "One sheet can ask for several. People can agree to all of them at once, and withdraw "
            "each one separately."
        ),
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=Language.choices, initial=get_language
    )
    text = forms.CharField(
        label=_("Information sheet"),
        widget=forms.Textarea(attrs={"rows": 20}),
        max_length=40_000,
        help_text=_(
            "Who runs the study and why, which data are stored and for how long, who receives "
            "them, and how to withdraw. Every version is stored word for word."
        ),
    )
    is_material = forms.BooleanField(
        label=_("Ask everyone to agree again"),
        required=False,
        initial=True,
        help_text=_("Untick only for typing errors."),
    )

    def clean_text(self) -> str:
        """Return the text. Raises ValidationError while it contains placeholders."""
        text = str(self.cleaned_data["text"])
        if asked := still_asked(text):
            first = {"asked": within_quotes(asked[0])}
            raise forms.ValidationError(_("Replace this placeholder: “%(asked)s”") % first)
        return text


class ConditionsForm(forms.Form):
    """The conditions, one per line, with shares if they differ."""

    names = forms.CharField(
        label=_("Conditions"),
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_(
            "One per line. For unequal shares, put the share first: “2 with a coach”. "
            "Letters are assigned to conditions at random."
        ),
    )

    def pairs(self) -> list[tuple[str, int]]:
        """Return the names with shares."""
        found = []
        for line in self.cleaned_data["names"].splitlines():
            first, _space, rest = line.strip().partition(" ")
            has_share = first.isdecimal() and len(first) == 1 and first != "0" and bool(rest)
            name, share = (rest.strip(), int(first)) if has_share else (line.strip(), 1)
            if name:
                found.append((name[:80], share))
        return found


class QuestionnaireForm(forms.Form):
    """A table of questions, typed or from a file."""

    title = forms.CharField(label=_("Title"), max_length=160)
    moment = forms.ChoiceField(label=_("When"), choices=Questionnaire.Occasion.choices)
    language = forms.ChoiceField(
        label=_("Language"), choices=Language.choices, initial=get_language
    )
    source = forms.CharField(
        label=_("Source"),
        max_length=300,
        required=False,
        help_text=_("For a published scale: its reference."),
    )
    terms = forms.CharField(label=_("Terms of use"), max_length=200, required=False)
    questions = forms.CharField(
        label=_("Questions"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_(
            "One per line, answered from 1 to 5; or a table whose first line names its "
            "columns: key, text, kind (scale, number, choice, text), least, most, "
            "least_means, most_means, choices, reversed, required."
        ),
    )
    file = forms.FileField(
        label=_("Or a file (.csv)"),
        required=False,
        help_text=_("The same table, in the usual format for scales."),
    )

    def table(self) -> str:
        """Return the content of the file, or the typed text if there is none."""
        file = self.cleaned_data.get("file")
        if file is None:
            return str(self.cleaned_data["questions"])
        return str(file.read(1_000_000).decode("utf-8-sig", "replace"))


class AnswersForm(forms.Form):
    """The questions of one questionnaire."""

    def __init__(self, *args: Any, questionnaire: Questionnaire, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for question in questionnaire.questions.all():
            self.fields[f"q{question.pk}"] = _field(question)

    def by_question(self) -> dict[int, object]:
        """Return the answers by the key of the question."""
        return {int(name[1:]): value for name, value in self.cleaned_data.items()}


def _field(question: Question) -> forms.Field:
    said: dict[str, Any] = {"label": question.text, "required": question.is_required}
    if question.kind == Question.Kind.SCALE:
        least, most = int(question.least or 1), int(question.most or 5)
        return forms.ChoiceField(
            choices=[(str(n), _step(question, n, least, most)) for n in range(least, most + 1)],
            widget=forms.RadioSelect,
            **said,
        )
    if question.kind == Question.Kind.CHOICE:
        choices = [(each, each) for each in question.choices]
        return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **said)
    if question.kind == Question.Kind.NUMBER:
        return forms.FloatField(**said)
    return forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), max_length=4000, **said)


def _step(question: Question, step: int, least: int, most: int) -> str:
    means = {least: question.least_means, most: question.most_means}.get(step, "")
    return pair_words(step, means) if means else str(step)


class ExperienceForm(forms.Form):
    """The participant's experience, asked once when they join."""

    experience = forms.ChoiceField(
        label=_("How long have you spoken in public, or coached?"),
        choices=Participant.Experience.choices,
        required=False,
    )

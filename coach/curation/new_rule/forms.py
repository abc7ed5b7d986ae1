"""Forms of the six questions about a new rule."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from analysis.metrics import BY_ID
from coach.curation import words
from coach.curation.new_rule.measures import Known, grouped_choices, relatives_of
from coach.curation.services import free_rule_id
from coach.lib.pages.plain_text import PlainTextField
from coach.lib.words.measure_words import label_of
from coach.lib.words.rule_words import title_words
from feedback_rules.model import READING_LANGUAGES, Rule

SAID = ("claim", "why", "suggestion", "exercise_title", "exercise_text")
"""The texts that the fifth question asks for in each language."""
LANGUAGES = {"en": _("English"), "fr": _("French")}
DEFAULT_SECONDS = 60
"""The shortest talk of a new rule, as of most rules here (rule of thumb)."""
_PER_CENT = 100
_ABOVE, _BELOW = "above", "below"
_LONG = frozenset({"why", "exercise_text"})
_PART_CHARACTERS, _TEXT_CHARACTERS = 200, 600


class SubjectForm(forms.Form):
    """Questions 1 and 2: what listeners notice, and the measure of it."""

    title = PlainTextField(
        label=_("Name of the rule"),
        max_length=80,
        help_text=_("A few words for the list of rules, for example “Long silences before names”."),
    )
    tone = forms.ChoiceField(label=_("Kind of card"), choices=lambda: words.choices(words.TONE))
    quality = forms.ChoiceField(
        label=_("Which quality do listeners notice it in?"), choices=words.qualities
    )
    metric = forms.ChoiceField(label=_("Measure"), choices=grouped_choices)


class AnswersForm(forms.Form):
    """Questions 3 to 6: the threshold, what else must hold, the words, and the other rules."""

    side = forms.ChoiceField(label=_("The card appears"))
    threshold = forms.FloatField(label=_("Threshold"))
    cases = forms.MultipleChoiceField(
        label=_("Your own takes as cases"), required=False, widget=forms.CheckboxSelectMultiple
    )
    min_seconds = forms.IntegerField(
        label=_("Shortest talk, in seconds"),
        min_value=0,
        max_value=3600,
        initial=DEFAULT_SECONDS,
    )
    other_metric = forms.ChoiceField(label=_("Another measure"), required=False)
    other_side = forms.ChoiceField(label=_("It must be"), required=False)
    other_threshold = forms.FloatField(label=_("Its threshold"), required=False)
    errs = PlainTextField(
        label=_("When could this card be wrong?"),
        max_length=_PART_CHARACTERS,
        help_text=_("For example: a fast speaker who pauses on purpose."),
    )
    behaviour = forms.ChoiceField(label=_("What the card praises or advises"))
    source = PlainTextField(
        label=_("Source"),
        max_length=_PART_CHARACTERS,
        required=False,
        help_text=_("A study with its year. Leave it empty for a rule of thumb."),
    )
    never_with = forms.MultipleChoiceField(
        label=_("Rules whose card would contradict this one"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    id = forms.RegexField(
        r"^[A-Z]{3}[0-9]{3}$",
        label=_("Id of the rule"),
        help_text=_("Three capital letters and three digits. It is never used again."),
        error_messages={"invalid": _("Use three capital letters and three digits, e.g. ABC123.")},
    )

    def __init__(self, *args: Any, known: Known, subject: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._known, self._subject = known, subject
        self._offer_thresholds()
        self._offer_other_measures()
        self._offer_words()
        self._offer_rules()

    def _offer_thresholds(self) -> None:
        is_share = self._known.metric.unit == "share"
        unit = gettext("percent") if is_share else self._known.unit
        field = self.fields["threshold"]
        field.label = gettext("Threshold (%(unit)s)") % {"unit": unit}
        field.widget.attrs.update({"step": "any", "inputmode": "decimal"})
        self._choices("side", ((_ABOVE, gettext("above it")), (_BELOW, gettext("below it"))))
        self._choices(
            "cases", [(each.id, f"{each.title}: {each.words}") for each in self._known.own]
        )

    def _offer_other_measures(self) -> None:
        others = [("", gettext("none")), *grouped_choices()]
        self._choices("other_metric", others)
        sides = (
            ("", "—"),
            (_ABOVE, gettext("above")),
            (_BELOW, gettext("below")),
        )
        self._choices("other_side", sides)
        self.fields["other_threshold"].widget.attrs.update({"step": "any", "inputmode": "decimal"})

    def _offer_words(self) -> None:
        labels = {
            "claim": gettext("What you heard or saw, in one sentence"),
            "why": gettext("What listeners gain or lose by it"),
            "suggestion": gettext("One thing to try"),
            "exercise_title": gettext("Name of the exercise"),
            "exercise_text": gettext("Exercise for a few minutes"),
        }
        for language in READING_LANGUAGES:
            for part in SAID:
                self.fields[f"{part}_{language}"] = PlainTextField(
                    label=f"{labels[part]} · {LANGUAGES[language]}",
                    max_length=_TEXT_CHARACTERS if part == "exercise_text" else _PART_CHARACTERS,
                    required=False,
                    widget=forms.Textarea(attrs={"rows": 2, "lang": language})
                    if part in _LONG
                    else forms.TextInput(attrs={"lang": language}),
                )
        self._choices("behaviour", words.choices(words.BEHAVIOUR))

    def _offer_rules(self) -> None:
        relatives = relatives_of(self._known.metric.id)
        self._choices(
            "never_with",
            [(each.id, f"{title_words(each.title)} ({each.id})") for each in relatives],
        )
        advised = next((each.behaviour.kind for each in self._known.rules if each.behaviour), None)
        self.fields["behaviour"].initial = advised
        self.fields["never_with"].initial = [
            each.id
            for each in relatives
            if each.tone != self._subject["tone"] and self._is_alike(each, advised)
        ]
        self.fields["id"].initial = free_rule_id(_prefix(relatives, self._known.metric.id))
        self.fields["side"].initial = self._usual_side()

    def _is_alike(self, rule: Rule, behaviour: str | None) -> bool:
        """Return whether a rule is about the same measure or the same behaviour."""
        is_advised = rule.behaviour is not None and rule.behaviour.kind == behaviour
        return is_advised or rule.severity.metric == self._known.metric.id

    def _usual_side(self) -> str:
        """Return the side of a rule of the same kind about this measure."""
        tone = self._subject["tone"]
        same = (each.severity.direction for each in self._known.rules if each.tone == tone)
        return next(same, _ABOVE)

    def _choices(self, name: str, choices: Any) -> None:
        cast("forms.ChoiceField", self.fields[name]).choices = choices

    def clean_threshold(self) -> float:
        """Return the threshold in the unit of the measure."""
        return self._in_unit("threshold", self._known.metric.id)

    def clean(self) -> dict[str, Any]:
        """Require one language in full, and all or nothing of the other measure."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        language = "fr" if get_language() == "fr" else "en"
        if not any(data.get(f"claim_{each}") for each in READING_LANGUAGES):
            self.add_error(f"claim_{language}", gettext("Write it in one language at least."))
        self._clean_other(data)
        return data

    def _clean_other(self, data: dict[str, Any]) -> None:
        metric = data.get("other_metric")
        if not metric:
            return
        if metric == self._known.metric.id:
            self.add_error("other_metric", gettext("Choose a measure other than the first."))
        if not data.get("other_side"):
            self.add_error("other_side", gettext("Choose above or below."))
        if data.get("other_threshold") is None:
            self.add_error("other_threshold", gettext("Enter a number."))
            return
        try:
            data["other_threshold"] = self._in_unit("other_threshold", metric)
        except forms.ValidationError as error:
            self.add_error("other_threshold", error)

    def _in_unit(self, name: str, metric: str) -> float:
        given = float(self.cleaned_data[name])
        if BY_ID[metric].unit != "share":
            return given
        if not 0 <= given <= _PER_CENT:
            raise forms.ValidationError(gettext("A share is between 0 and 100 percent."))
        return round(given / _PER_CENT, 6)

    def word_pairs(self) -> list[list[forms.BoundField]]:
        """Return the fields of each text, in both languages."""
        return [[self[f"{part}_{each}"] for each in READING_LANGUAGES] for part in SAID]


def subject_words(subject: dict[str, Any]) -> str:
    """Return the answers to the first two questions in one line."""
    kind = words.TONE[subject["tone"]]
    return f"{subject['title']} · {kind} · {label_of(subject['metric'])}"


def _prefix(relatives: tuple[Rule, ...], metric: str) -> str:
    """Return the letters of the family's rules, or of the family's name."""
    same = [each.id[:3] for each in relatives]
    return max(set(same), key=same.count) if same else BY_ID[metric].family[:3].upper()

"""Forms for importing a transcript."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any
from unicodedata import normalize

from django import forms
from django.conf.locale import LANG_INFO
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from coach.lib.pages.forms import DayInput, PlainSelect
from coach.lib.words.measure_words import language_words
from coach.research.coding.interviews.reading import ENDINGS
from coach.research.coding.interviews.services import InterviewData, VoiceRole
from coach.research.coding.interviews.speakers import NEW
from coach.research.coding.interviews.voices import ParsedTranscript
from coach.research.coding.models import UNSAID, Guide, Interview, Speaker
from coach.research.studies.models import Participant, Study

_FIRST = ("en", "fr")
_MORE = frozenset(
    {
        *("am", "fil", "ha", "ig", "jv", "lo", "mg", "mi", "ps", "qu", "rw", "si", "so", "ti"),
        *("wo", "xh", "yo", "yue", "zh", "zu"),
    }
)
"""Languages that Django has no interface in, such as Chinese without a region (CLDR)."""
_OF_A_VOICE = ("role", "same", "person", "group")
_MOST_ASKED = 300
"""Number of unassigned turns asked about one by one; Django accepts a thousand fields."""


def offer_guides(form: forms.Form, study: Study) -> None:
    """Add the study's interview guides as a choice; a study without one asks nothing."""
    if guides := list(study.guides.all()):
        form.fields["guide"] = forms.ModelChoiceField(
            Guide.objects.filter(study=study),
            label=_("Interview guide"),
            required=False,
            empty_label=_("none"),
            initial=guides[0],
        )


def person_choices(people: Iterable[Participant]) -> list[tuple[str, str]]:
    """Return the choices for a speaker: not chosen, the study's pseudonyms, a new participant."""
    known = [(str(each.pk), each.pseudonym) for each in people]
    return [
        ("", gettext("not chosen yet")),
        *known,
        (NEW, gettext("new participant without an account")),
    ]


def check_person(form: forms.Form, said: Mapping[str, Any], key: str) -> None:
    """Add form errors for a pseudonym of a non-participant, and for a new person without a
    group.
    """
    person, takes_part = said.get(f"person_{key}"), said.get(f"role_{key}")
    if person and takes_part and takes_part != Speaker.Role.PARTICIPANT:
        form.add_error(
            f"person_{key}",
            gettext("Only participants have a pseudonym: change the role, or choose none."),
        )
    elif person == NEW and takes_part and not said.get(f"group_{key}"):
        form.add_error(f"group_{key}", gettext("Choose this person’s role in the study."))


def language_choices() -> list[tuple[str, str]]:
    """Return the languages of interviews, the site's own first."""
    return _language_choices_in(get_language())


@cache
def _language_choices_in(_language: str) -> list[tuple[str, str]]:
    known = {code for code in LANG_INFO if "-" not in code and "name" in LANG_INFO[code]}
    codes = sorted(known | _MORE)
    named = [(code, language_words(code)) for code in codes]
    return sorted(named, key=lambda pair: (pair[0] not in _FIRST, _without_accents(pair[1])))


def _without_accents(name: str) -> str:
    return normalize("NFD", name).encode("ascii", "ignore").decode().casefold()


def language_choices_or_unset(*more: str) -> list[tuple[str, str]]:
    """Return the languages after "not chosen yet"; other codes in `more` are offered as
    they are.
    """
    known = language_choices()
    codes = {UNSAID, *(code for code, _name in known)}
    odd = [(code, code) for code in more if code not in codes]
    return [(UNSAID, str(_("not chosen yet"))), *known, *odd]


class _FilesInput(forms.FileInput):
    allow_multiple_selected = True


class _FilesField(forms.FileField):
    """One file or several; their list is the value."""

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Return the files. Raises ValidationError for an empty one, or without any."""
        return [super(_FilesField, self).clean(each, initial) for each in data or [None]]


class TranscriptForm(forms.Form):
    """Files to import."""

    file = _FilesField(
        label=_("Transcripts"),
        help_text=_(
            "Text (.txt), documents (.docx, .odt, .rtf, .pdf), captions (.vtt, .srt) or "
            "oTranscribe (.otr). You can choose several. You see a preview first; nothing is "
            "imported until you confirm."
        ),
        allow_empty_file=True,
        widget=_FilesInput(attrs={"accept": ",".join(f".{each}" for each in ENDINGS)}),
    )


class GuideForm(forms.Form):
    """A version of the interview guide."""

    text = forms.CharField(
        label=_("Interview guide"),
        widget=forms.Textarea(attrs={"rows": 16}),
        max_length=40_000,
        help_text=_(
            "Start each question with its number: “1. How do you prepare a talk?”. Every "
            "version is stored word for word, and each interview records which version "
            "it followed."
        ),
    )


class NamesForm(forms.Form):
    """Speaker names that were not detected."""

    also = forms.CharField(
        label=_("Additional speaker names"),
        max_length=500,
        help_text=_("Enter them as they appear before the colon, separated by commas."),
    )

    def clean_also(self) -> list[str]:
        """Return the separate names."""
        said = str(self.cleaned_data["also"]).replace("：", ":").split(",")
        return [" ".join(name.strip(" :").split())[:60] for name in said if name.strip(" :")]


class ImportInterviewForm(forms.Form):
    """The speakers, and the format and language of the conversation."""

    mode = forms.ChoiceField(label=_("Format"), choices=Interview.Mode.choices)
    language = forms.ChoiceField(label=_("Language"), choices=language_choices, widget=PlainSelect)
    held_on = forms.DateField(label=_("Date"), widget=DayInput())

    def __init__(
        self,
        *args: Any,
        study: Study,
        seen: ParsedTranscript,
        language: str,
        known: Iterable[Participant] | None = None,
        **kwargs: Any,
    ):
        """Show the voices of a file; `known` are the study's current participants, if read."""
        super().__init__(*args, **kwargs)
        self.seen = seen
        self._names = [voice.called for voice in seen.voices]
        self.fields["language"].initial = language
        offer_guides(self, study)
        if known is None:
            known = study.participants.filter(withdrawn_at=None)
        self._people = {str(each.pk): each for each in known}
        people = person_choices(self._people.values())
        for place, voice in enumerate(seen.voices):
            self._add_voice(place, voice.guess, people)
        self.asked = [n for n, turn in enumerate(seen.turns) if not turn.speaker][:_MOST_ASKED]
        choices = [(str(place), name or _("unnamed speaker")) for place, name in self._places()]
        for n in self.asked if len(choices) > 1 else ():
            self.fields[f"turn_{n}"] = forms.ChoiceField(
                label=_("Speaker"), choices=choices, initial=str(self._names.index(""))
            )

    def _places(self) -> list[tuple[int, str]]:
        return list(enumerate(self._names))

    def _add_voice(self, place: int, guess: str, people: Any) -> None:
        others = [(str(n), name) for n, name in self._places() if n != place and name]
        self.fields[f"role_{place}"] = forms.ChoiceField(
            label=_("Role"), choices=Speaker.Role.choices, initial=guess
        )
        self.fields[f"same_{place}"] = forms.ChoiceField(
            label=_("Same as"),
            choices=[("", _("no other speaker")), *others],
            required=False,
            widget=PlainSelect,
        )
        self.fields[f"person_{place}"] = forms.ChoiceField(
            label=_("Pseudonym"), choices=people, required=False, widget=PlainSelect
        )
        self.fields[f"group_{place}"] = forms.ChoiceField(
            label=_("Role of a new participant"),
            choices=[("", _("not given")), *Participant.Group.choices],
            required=False,
        )

    def clean(self) -> dict[str, Any]:
        """Report a choice that would be ignored, instead of dropping it silently."""
        said = super().clean() or self.cleaned_data
        for place, _name in self._places():
            if said.get(f"same_{place}"):
                continue
            check_person(self, said, str(place))
            if said.get(f"group_{place}") and said.get(f"person_{place}") != NEW:
                self.add_error(
                    f"group_{place}",
                    gettext("Only needed for a new participant."),
                )
        return said

    def voices(self) -> list[dict[str, Any]]:
        """Return each voice with its fields, for the page."""
        return [
            {
                "voice": voice,
                "place": place,
                "fields": [self[f"{name}_{place}"] for name in _OF_A_VOICE],
            }
            for place, voice in enumerate(self.seen.voices)
        ]

    def turns(self) -> list[dict[str, Any]]:
        """Return each turn, with a question about its speaker if none is named."""
        return [
            {"turn": turn, "field": self[name] if (name := f"turn_{n}") in self.fields else None}
            for n, turn in enumerate(self.seen.turns)
        ]

    def heading(self) -> InterviewData:
        """Return the data of the whole conversation."""
        names = ("mode", "language", "held_on", "guide")
        return InterviewData(**{n: self.cleaned_data[n] for n in names if n in self.cleaned_data})

    def same_as(self) -> dict[str, str]:
        """Return aliases of speaker names, resolved transitively."""
        said = {name: self.cleaned_data[f"same_{n}"] for n, name in self._places()}
        direct = {name: self._names[int(other)] for name, other in said.items() if other}
        found = {}
        for name in direct:
            other, seen = name, {name}
            while other in direct and direct[other] not in seen:
                other = direct[other]
                seen.add(other)
            found[name] = other
        return found

    def parts(self) -> dict[str, VoiceRole]:
        """Return the role and participant of each voice."""
        return {
            name: VoiceRole(
                role=self.cleaned_data[f"role_{n}"],
                participant=self._people.get(self.cleaned_data[f"person_{n}"]),
                new_as=self._new_as(n),
            )
            for n, name in self._places()
        }

    def _new_as(self, place: int) -> str:
        is_new = self.cleaned_data[f"person_{place}"] == NEW
        return str(self.cleaned_data[f"group_{place}"]) if is_new else ""

    def whose(self) -> dict[int, str]:
        """Return the speakers chosen for turns without a name."""
        return {
            n: self._names[int(self.cleaned_data[name])]
            for n in self.asked
            if (name := f"turn_{n}") in self.fields
        }

"""The trainee's forms: a new take, corrections, sending and disputes."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.feedback.models import MESSAGE_CHARACTERS, Dispute
from coach.feedback.services import LEAST_PART_SECONDS
from coach.lib.pages.plain_text import PlainTextField
from coach.lib.words.clock import seconds_of
from coach.lib.words.direction import without_turns
from coach.lib.words.numbers import typeset
from coach.rehearsals.models import (
    MOST_KEY_WORDS_CHARACTERS,
    Aim,
    Audience,
    CameraPosition,
    Goal,
    NotesShown,
    Rehearsal,
    Setting,
    SpeaksAs,
    SpokenLanguage,
)
from coach.rehearsals.speaking_ease import HowEasy
from coach.rehearsals.talk_context import CONTEXT_NAMES, TalkContext, context_of_take

MOST_PARTS = 3


_TOO_LONG = _(
    "This has %(show_value)d characters; the limit is %(limit_value)d. Shorten it and send "
    "again; nothing was sent yet."
)
_CHOOSE = ("", _("Choose one"))
_FIND_OUT = (SpokenLanguage.AUTO.value, _("Detect from the recording"))
EASE_CHOICES = [("", _("I would rather not say")), *HowEasy.choices]
_LANGUAGES = [_FIND_OUT, *(each for each in SpokenLanguage.choices if each[0] != _FIND_OUT[0])]


class TalkForm(forms.Form):
    """The form about a talk: purpose, title and optional details."""

    ASKED: tuple[str, ...] = ("aim", "audience", "goal")
    """The three main questions; all other fields except the title are under "More"."""

    aim = forms.ChoiceField(label=_("What is its purpose?"), choices=[_CHOOSE, *Aim.choices])
    audience = forms.ChoiceField(
        label=_("Who is your audience?"), choices=[_CHOOSE, *Audience.choices]
    )
    goal = forms.ChoiceField(
        label=_("What do you want to work on?"),
        choices=[("", _("No special goal")), *Goal.choices],
        required=False,
    )
    title = forms.CharField(
        label=_("Title of this talk"),
        max_length=120,
        required=False,
        help_text=_("If you leave this empty, we use the file name."),
    )
    setting = forms.ChoiceField(
        label=_("Where do you speak?"), choices=Setting.choices, initial=Setting.CAMERA
    )
    language = forms.ChoiceField(
        label=_("Which language do you speak?"), choices=_LANGUAGES, initial=SpokenLanguage.AUTO
    )
    time_limit_minutes = forms.FloatField(
        label=_("Time limit in minutes, if any"),
        required=False,
        min_value=0.1,
        max_value=600,
    )
    camera_position = forms.ChoiceField(
        label=_("Where is the camera?"),
        choices=CameraPosition.choices,
        initial=CameraPosition.LEVEL,
        required=False,
    )
    looks_into_lens_first = forms.BooleanField(
        label=_("I look into the lens for the first three seconds"),
        required=False,
        help_text=_(
            "Look at it in silence, then begin. This shows us where your camera is, so we can "
            "tell more exactly when you face it. These seconds do not count as part of the talk."
        ),
    )
    shows_slides = forms.BooleanField(
        label=_("I show slides"),
        required=False,
        help_text=_("Looking towards your slides will not count as looking away."),
    )
    speaks_as = forms.ChoiceField(
        label=_("Is the language of this talk your first language?"),
        choices=[("", _("I would rather not say")), *SpeaksAs.choices],
        required=False,
        help_text=_(
            "If not, we leave out cards based on research with native speakers only: usual "
            "pauses, restarts and sentence lengths. We remember your answer for the next take."
        ),
    )
    # Shown next to the recorder if the profile asks for it.
    ease_before = forms.ChoiceField(
        label=_("How easy does speaking feel right now?"),
        choices=EASE_CHOICES,
        required=False,
        widget=forms.HiddenInput,
        help_text=_("Only you can see this."),
    )
    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    # The talk of which this is another take; empty for the first one.
    talk = forms.UUIDField(widget=forms.HiddenInput, required=False)
    # From the recorder: its notes, how it showed them, and where the take was trimmed.
    key_words = PlainTextField(
        max_length=MOST_KEY_WORDS_CHARACTERS, required=False, widget=forms.HiddenInput
    )
    notes = forms.ChoiceField(
        choices=[("", ""), *NotesShown.choices], required=False, widget=forms.HiddenInput
    )
    gaze_calibration = forms.UUIDField(required=False, widget=forms.HiddenInput)
    part_start = forms.FloatField(min_value=0, required=False, widget=forms.HiddenInput)
    part_end = forms.FloatField(min_value=0, required=False, widget=forms.HiddenInput)

    @property
    def asked(self) -> list[forms.BoundField]:
        """The three main questions."""
        return [self[name] for name in self.ASKED]

    @property
    def more(self) -> list[forms.BoundField]:
        """The optional fields."""
        known = {*self.ASKED, "title", "recording", "ease_before"}
        return [each for each in self.visible_fields() if each.name not in known]

    @property
    def more_is_open(self) -> bool:
        """Whether an optional field has an error."""
        return any(each.errors for each in self.more)

    @property
    def as_it_stands(self) -> str:
        """The defaults under "More" in words, so that none of them is hidden."""
        chosen = (self[name] for name in ("setting", "language") if name in self.fields)
        return " · ".join([*map(_choice_words, chosen), *self._limit_words()])

    def _limit_words(self) -> Iterator[str]:
        if "time_limit_minutes" not in self.fields:
            return
        minutes = self["time_limit_minutes"].value()
        if not minutes:
            yield gettext("no time limit")
            return
        yield gettext("time limit %(minutes)s min") % {"minutes": _minutes_words(minutes)}

    def clean(self) -> dict[str, Any]:
        """Drop a trim that leaves less than any measure needs; the recorder offers none."""
        data = super().clean() or self.cleaned_data
        start, end = data.get("part_start") or 0.0, data.get("part_end")
        if end is not None and end - start < LEAST_PART_SECONDS:
            data["part_start"] = data["part_end"] = None
        return data

    @property
    def part(self) -> tuple[float | None, float | None]:
        """The part of the recording to measure, in seconds; None for its start or end."""
        return self.cleaned_data["part_start"] or None, self.cleaned_data["part_end"]

    @property
    def talk_notes(self) -> str | None:
        """The notes for the recorder; None if a form without them was sent."""
        return self.cleaned_data["key_words"] if "key_words" in self.data else None

    def clean_title(self) -> str:
        """Return the title without bidirectional control characters."""
        return without_turns(self.cleaned_data["title"])

    def context(self, *, fallback_title: str) -> TalkContext:
        """Return the cleaned answers as a talk context."""
        data = self.cleaned_data
        return TalkContext(
            **(_as_given(data) | {"title": data["title"].strip() or fallback_title}),
        )


def _as_given(data: dict[str, Any]) -> dict[str, Any]:
    """Return the answers of a form that a talk context has, by their names there."""
    minutes = data["time_limit_minutes"]
    given = {name: data[name] for name in CONTEXT_NAMES if name in data}
    if not given.get("camera_position", True):
        given["camera_position"] = CameraPosition.LEVEL
    return given | {"title": data["title"].strip(), "time_limit": minutes * 60 if minutes else None}


def _minutes_words(minutes: str | float) -> str:
    """Return the minutes in the reader's format; invalid input is returned unchanged."""
    if not isinstance(minutes, str):
        return typeset(f"{minutes:g}")
    try:
        float(minutes)
    except ValueError:
        return minutes
    return typeset(minutes)


def _choice_words(field: forms.BoundField) -> str:
    if field.value() == SpokenLanguage.AUTO:
        return gettext("language detected automatically")
    choices = dict(getattr(field.field, "choices", ()))
    return str(choices.get(str(field.value()), ""))


def answers_from(take: Rehearsal | None) -> dict[str, Any]:
    """Return the answers of an earlier take of the talk, to prefill the next form."""
    if take is None:
        return {}
    said = asdict(context_of_take(take))
    del said["notes"]  # those of the next take are not known yet
    of_talk = {"talk": take.talk_id, "key_words": take.talk.key_words}
    return said | of_talk | {"time_limit_minutes": _minutes(take.time_limit)}


def answers_for_new_talk(take: Rehearsal | None) -> dict[str, Any]:
    """Return the answers about the person's last take, to prefill another talk, or defaults.

    They are about the situation; title, notes and time limit belong to the earlier talk.
    """
    if take is None:
        return {
            "aim": Aim.INFORM.value,
            "audience": Audience.MIXED.value,
            "setting": Setting.CAMERA.value,
            "language": SpokenLanguage.AUTO.value,
        }
    own = {
        "title",
        "talk",
        "key_words",
        "time_limit",
        "time_limit_minutes",
        "looks_into_lens_first",
    }
    return {name: said for name, said in answers_from(take).items() if name not in own}


def _minutes(seconds: float | None) -> float | None:
    """Return the minutes as people type them: 2, not 2.0; None without a limit."""
    minutes = round(seconds / 60, 2) if seconds else None
    return int(minutes) if minutes and minutes.is_integer() else minutes


class CorrectionForm(TalkForm):
    """The form for later corrections of details that no measure depends on."""

    KEPT: ClassVar[tuple[str, ...]] = (
        "title",
        "aim",
        "audience",
        "time_limit_minutes",
        "goal",
        "speaks_as",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in set(self.fields) - set(self.KEPT):
            del self.fields[name]
        self.fields["title"].required = True
        self.fields["title"].help_text = _("This changes the title of all takes of this talk.")

    def correction(self, take: Rehearsal) -> TalkContext:
        """Return the context of a take with the cleaned answers."""
        return replace(context_of_take(take), **_as_given(self.cleaned_data))


class WaitingForm(CorrectionForm):
    """The form about the talk during its analysis; the setting counts until the measures do."""

    KEPT: ClassVar[tuple[str, ...]] = (*CorrectionForm.KEPT, "setting", "shows_slides")


class ClockField(forms.CharField):
    """A field for a time of the recording: 5:02, 1:05:02, or seconds."""

    def clean(self, value: Any) -> float | None:
        """Return the seconds, or None for empty input. Raises ValidationError."""
        text = super().clean(value)
        if not text:
            return None
        try:
            return seconds_of(text)
        except ValueError as error:
            raise forms.ValidationError(
                _("Write the time as minutes and seconds: 5:02.")
            ) from error


class PartForm(forms.Form):
    """The form for the parts of the recording with the trainee's own talk, usually one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number in range(1, MOST_PARTS + 1):
            for edge in ("start", "end"):
                self.fields[f"{edge}_{number}"] = ClockField(required=False, max_length=12)

    def parts(self) -> list[tuple[float | None, float | None]]:
        """Return the filled-in rows; without any, one row for the whole recording."""
        rows = [
            (self.cleaned_data[f"start_{number}"], self.cleaned_data[f"end_{number}"])
            for number in range(1, MOST_PARTS + 1)
        ]
        return [row for row in rows if row != (None, None)] or [(None, None)]


class SendForm(forms.Form):
    """The form that sends a take to the coach."""

    note = PlainTextField(required=False, max_length=2000)
    needed_by = forms.DateField(
        required=False,
        error_messages={"invalid": _("Write the day of your talk as a date, or leave it empty.")},
    )


class DisputeForm(forms.Form):
    """The form for a trainee's objection to a card."""

    reason = forms.ChoiceField(
        choices=Dispute.Reason.choices,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), _("Choose what is wrong with this card.")
        ),
    )
    note = PlainTextField(
        required=False, max_length=MESSAGE_CHARACTERS, error_messages={"max_length": _TOO_LONG}
    )


class QuestionForm(forms.Form):
    """The form for a question of a trainee or a coach."""

    text = PlainTextField(
        max_length=MESSAGE_CHARACTERS,
        error_messages={"required": _("Write your question first."), "max_length": _TOO_LONG},
    )


class AnswerForm(forms.Form):
    """The form for an answer to a message."""

    text = PlainTextField(
        max_length=MESSAGE_CHARACTERS,
        error_messages={"required": _("Write your answer first."), "max_length": _TOO_LONG},
    )

"""Import of many transcripts at once: a line for each file, with its speakers and its problems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from django import forms
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.research.coding.interviews.forms import ImportInterviewForm, offer_guides
from coach.research.coding.interviews.speakers import NEW
from coach.research.coding.interviews.voices import (
    ParsedTranscript,
    likely_language,
    parsed_transcript,
)
from coach.research.coding.interviews.words import odd_words
from coach.research.coding.models import Interview, Speaker, Transcript
from coach.research.studies.models import Participant, Study

MOST_LINES: Final = 20
"""Files on one page: the next ones follow once these are imported."""
_MOST_VOICES: Final = 6
"""Speakers that a line can name; a file with more has a page of its own."""
_MOST_ODD: Final = 2
_DAY = re.compile(r"(?<!\d)(20\d\d)[-_. ]?(\d\d)[-_. ]?(\d\d)(?!\d)")


class CommonForm(forms.Form):
    """What the files of one import have in common."""

    mode = forms.ChoiceField(label=_("Format"), choices=Interview.Mode.choices)
    group = forms.ChoiceField(
        label=_("Role of new participants"),
        choices=[("", _("not given")), *Participant.Group.choices],
        required=False,
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_guides(self, study)


class TranscriptLineForm(ImportInterviewForm):
    """One file among many: language, day, and the role and pseudonym of each speaker."""

    # A file without a date must not keep the others from being sent.
    use_required_attribute = False
    take = forms.BooleanField(label=_("Import"), required=False)

    def __init__(self, *args: Any, common: CommonForm, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._common = common
        others = ("mode", "guide", "same_", "turn_", "group_")
        for name in [each for each in self.fields if each.startswith(others)]:
            del self.fields[name]

    @property
    def is_ticked(self) -> bool:
        """Return whether the file is to be imported."""
        return bool(self["take"].value())

    def clean(self) -> dict[str, Any]:
        """Add what the files have in common; a new person needs a role in the study."""
        common = self._common.cleaned_data if self._common.is_valid() else {"mode": "in_person"}
        people = range(len(self.seen.voices))
        self.cleaned_data |= {"guide": None, **common}
        for place in people:
            person, role = f"person_{place}", f"role_{place}"
            is_new = self.cleaned_data.get(person) == NEW
            is_new = is_new and self.cleaned_data.get(role) == Speaker.Role.PARTICIPANT
            group = common.get("group") if is_new else ""
            self.cleaned_data[f"group_{place}"] = group
            if is_new and not group:
                raise forms.ValidationError(gettext("Choose the role of new participants above."))
        return super().clean()

    def voices(self) -> list[dict[str, Any]]:
        """Return each voice with its role and pseudonym."""
        return [
            {"voice": voice, "role": self[f"role_{place}"], "person": self[f"person_{place}"]}
            for place, voice in enumerate(self.seen.voices)
        ]


@dataclass(kw_only=True)
class TranscriptLine:
    """A file waiting to be imported."""

    transcript: Transcript
    form: TranscriptLineForm
    odd: list[str]
    more_odd: int
    problems: list[str] = field(default_factory=list)

    @property
    def has_too_many(self) -> bool:
        """Return whether more people speak than a line can name."""
        return len(self.form.seen.voices) > _MOST_VOICES


def lines_of(
    study: Study,
    waiting: Iterable[Transcript],
    *,
    language: str,
    common: CommonForm,
    data: Mapping[str, Any] | None = None,
) -> list[TranscriptLine]:
    """Return a line for each of the first files; those that were posted, if there is data."""
    rows = sorted(waiting, key=lambda each: (each.name.casefold(), each.uploaded_at))
    if data is not None:
        rows = [each for each in rows if f"seen_{each.pk}" in data]
    prefetch_related_objects([study], "guides")
    known = list(study.participants.filter(withdrawn_at=None))
    lines = []
    for each in rows[:MOST_LINES]:
        seen = parsed_transcript(each.document)
        about: dict[str, Any] = {"study": study, "seen": seen, "known": known, "common": common}
        about |= {"language": likely_language(seen) or language, "prefix": str(each.pk)}
        form = TranscriptLineForm(data, initial=_guesses(each, seen), **about)
        if data is not None and not form.is_ticked:  # kept as it is, without a word about it
            form = TranscriptLineForm(
                initial={name: form[name].value() for name in form.fields}, **about
            )
        lines.append(_line(each, form))
    return lines


def _guesses(transcript: Transcript, seen: ParsedTranscript) -> dict[str, Any]:
    speaks = any(voice.guess == Speaker.Role.PARTICIPANT for voice in seen.voices)
    is_clear = bool(likely_language(seen)) and speaks and not seen.odd
    return {"take": is_clear, "held_on": _day_in(transcript.name)}


def _line(transcript: Transcript, form: TranscriptLineForm) -> TranscriptLine:
    odd = form.seen.odd
    return TranscriptLine(
        transcript=transcript,
        form=form,
        odd=[odd_words(each.code, each.what) for each in odd[:_MOST_ODD]],
        more_odd=max(len(odd) - _MOST_ODD, 0),
    )


def _day_in(name: str) -> date | None:
    """Return the day that a file name holds, such as 2026-03-14; None if there is none."""
    found = _DAY.search(name)
    try:
        return date(*(int(part) for part in found.groups())) if found else None
    except ValueError:
        return None

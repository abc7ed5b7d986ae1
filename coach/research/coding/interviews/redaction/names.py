"""Names that this site knows already: of its people, of the study, and of those who speak."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.db.models import F
from django.db.models.functions import Substr

from coach.accounts.models import User
from coach.research.coding.interviews.reading.turns import is_word_for_a_part
from coach.research.coding.interviews.redaction.patterns import Known, without_title
from coach.research.coding.models import Redaction, Speaker, Text
from coach.research.studies.models import Member, Pseudonym, Study

_LEAST_PART = 3
"""Shorter parts of a name (de, El, Li) stand in too many words to be looked for alone."""
_SHORTEST_NAME = 2
"""Of one that was taken out and has no other part: Jo, Al."""


def known_names(study: Study) -> Known:
    """Whole names and addresses of the site; of the study's own people also each part.

    They are only looked for: a page shows what stands in the text, and nothing else of anybody.
    """
    site = {value for pair in User.objects.values_list("name", "email") for value in pair if value}
    spoken = names_in_files(study)
    own = User.objects.filter(pk__in=_own(study.pk)).values_list("name", flat=True)
    taken_out = names_taken_out(study)
    whole = {name for name in site | spoken if len(name) >= _LEAST_PART} | taken_out.whole
    parts = parts_of(own) | parts_in_files(spoken) | taken_out.parts
    return Known(whole=frozenset(whole), parts=frozenset(parts))


def names_in_files(study: Study) -> set[str]:
    """What transcripts call those who speak, where that is a name: “I” and “Moderator” are none.

    As a name, the “I” of an interviewer would stand in every text, and no export would leave.
    """
    called = Speaker.objects.filter(interview__study=study).exclude(called="")
    names = called.values_list("called", flat=True).distinct()
    return {name for name in names if not is_word_for_a_part(name)}


def names_taken_out(study: Study) -> Known:
    """Names that were taken out of a text of the study, while the text with them is kept.

    One word alone counts as it is written: a rose is nobody, Rose may be somebody. Of a transcript
    that writes all of them small it counts as names are written. What a lead let through names
    nobody.
    """
    innocent = {word.casefold() for word in study.innocent_words}
    taken = Redaction.objects.filter(
        text__interview__study=study,
        text__kind=Text.Kind.RAW,
        kind=Redaction.Kind.NAME,
        state=Redaction.State.APPROVED,
    )
    said = Substr("text__text", F("start") + 1, F("end") - F("start"))
    found = {without_title(each) for each in taken.values_list(said, flat=True).distinct()}
    names = {name.title() if name.islower() else name for name in found}
    whole = {name for name in names if " " in name}
    parts = parts_of(names) | {name for name in names - whole if len(name) == _SHORTEST_NAME}
    return Known(
        whole=frozenset(name for name in whole if name.casefold() not in innocent),
        parts=frozenset(name for name in parts if name.casefold() not in innocent),
    )


def parts_of(names: Iterable[str]) -> set[str]:
    """The parts of names by which somebody is known, as names are written."""
    return {
        part
        for name in names
        for part in re.split(r"[\s\-'’.]+", name)
        if len(part) >= _LEAST_PART and part[0].isupper()
    }


def parts_in_files(names: Iterable[str]) -> set[str]:
    """The same of what files call people, less what they do: of “Moderator Ana” the second.

    Who has an account is called by their name alone, and some people are called Expert.
    """
    return {part for part in parts_of(names) if not is_word_for_a_part(part)}


def _own(study_id: int) -> set[int]:
    people = Pseudonym.objects.filter(study=study_id).values_list("user_id", flat=True)
    members = Member.objects.filter(study=study_id).values_list("user_id", flat=True)
    coding = User.objects.filter(coder_in__study=study_id).values_list("pk", flat=True)
    return {*people, *members, *coding}

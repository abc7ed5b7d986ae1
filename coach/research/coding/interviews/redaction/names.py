"""Known names: of the site's users, the study's people, and speakers in transcripts."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F
from django.db.models.functions import Substr

from coach.accounts.models import User
from coach.research.coding.interviews.reading.turns import is_word_for_a_part
from coach.research.coding.interviews.redaction.folding import fold
from coach.research.coding.interviews.redaction.matching import (
    KnownNames,
    parts_of,
    short_parts_of,
)
from coach.research.coding.interviews.redaction.patterns import without_title
from coach.research.coding.models import Redaction, Speaker, Text
from coach.research.studies.models import Member, Pseudonym, Study

_SHORTEST_NAME = 2
"""Shortest name of a person: Jo, Al, 李娜. It is found with its capital only."""


def known_names(study: Study) -> KnownNames:
    """Return whole names and addresses of the site, and parts of names of the study's people.

    They are only searched for: a page shows words of the text and no other names.
    """
    site = {value for pair in User.objects.values_list("name", "email") for value in pair if value}
    spoken = names_in_files(study)
    own = User.objects.filter(pk__in=_own(study.pk)).values_list("name", flat=True)
    taken_out = names_taken_out(study)
    whole = {name for name in site | spoken if len(name) >= _SHORTEST_NAME} | taken_out.whole
    parts = parts_of(own) | parts_in_files(spoken) | taken_out.parts
    parts |= short_parts_of({*own, *spoken})
    return KnownNames(whole=frozenset(whole), parts=frozenset(parts))


def names_in_files(study: Study) -> set[str]:
    """Return speakers' names in the study's transcripts, without roles such as “I” and “Moderator”.

    As a name, an interviewer's “I” would match in every text and block every export.
    """
    called = Speaker.objects.filter(interview__study=study).exclude(called="")
    names = called.values_list("called", flat=True).distinct()
    return {name for name in names if not is_word_for_a_part(name)}


def names_taken_out(study: Study) -> KnownNames:
    """Return names redacted in the study's texts, while the originals are stored.

    A single word matches in its own case: a rose is no person, Rose may be one. If a transcript
    writes names in lower case, it matches capitalised. Words that a lead has allowed are left out.
    """
    innocent = set(map(fold, study.innocent_words))
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
    return KnownNames(
        whole=frozenset(name for name in whole if fold(name) not in innocent),
        parts=frozenset(name for name in parts if fold(name) not in innocent),
    )


def parts_in_files(names: Iterable[str]) -> set[str]:
    """Return the parts of transcripts' speaker names, without roles: the second of “Moderator Ana”.

    Users' names contain no role, and some people are called Expert, so `parts_of` keeps all parts.
    """
    return {part for part in parts_of(names) if not is_word_for_a_part(part)}


def _own(study_id: int) -> set[int]:
    people = Pseudonym.objects.filter(study=study_id).values_list("user_id", flat=True)
    members = Member.objects.filter(study=study_id).values_list("user_id", flat=True)
    coding = User.objects.filter(coder_in__study=study_id).values_list("pk", flat=True)
    return {*people, *members, *coding}

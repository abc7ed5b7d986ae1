"""Consent texts by purpose, with every earlier wording.

A wording is never changed: a new one is added after it, so that an accepted wording stays readable.
A test checks each by its digest. People who accepted an earlier wording are asked again and shown
the difference; until they answer, their consent counts, unless the new wording asks for more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import Consent, Purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One wording of a purpose."""

    text: str | Promise
    changed: str | Promise = ""
    """What is different from the one before, in a sentence; empty for the first."""
    asks_more: bool = False
    """Whether a consent to an earlier one is no consent to this."""


WORDINGS: Mapping[Purpose, tuple[Wording, ...]] = {
    Purpose.ANALYSIS: (
        Wording(
            text=_(
                "Your recordings are analysed on this installation's own machines and sent "
                "nowhere else. Uploading gives this consent; without it, nothing is analysed."
            ),
        ),
        Wording(
            text=_(
                "Your recordings are analysed on this installation's own machines; no outside "
                "service analyses them. They are stored there, or in storage that this "
                "installation chose. Uploading gives this consent; without it, nothing is analysed."
            ),
            changed=_(
                "It now says where recordings are stored, and no longer that they are sent "
                "nowhere else: some installations keep them in rented storage."
            ),
            asks_more=settings.CUSTODY == "s3",
        ),
    ),
    Purpose.COACH: (
        Wording(
            text=_(
                "The coaches of your group see a take that you send them: the recording, its "
                "transcript and the draft. Sending gives this consent; taking it back takes "
                "back every take that you sent."
            ),
        ),
    ),
    Purpose.RESEARCH_MEASUREMENTS: (
        Wording(
            text=_(
                "Measurements, items and coaches' decisions about your takes may be used for "
                "research, under a pseudonym: no name, no free text, no face, no voice."
            ),
        ),
    ),
    Purpose.RESEARCH_TRANSCRIPT: (
        Wording(
            text=_(
                "What you said in your takes may be read by researchers, word for word as it "
                "was written down, under a pseudonym. Names that you say stay in it."
            ),
        ),
    ),
    Purpose.RESEARCH_QUOTES: (
        Wording(
            text=_(
                "Researchers who may read what you said may also quote sentences of it in what "
                "they publish, without your name."
            ),
        ),
    ),
    Purpose.RESEARCH_AUDIO: (
        Wording(
            text=_(
                "Researchers may be given the sound of your takes, under a pseudonym: your "
                "voice may be recognised. A recording is one file: one with a picture is given "
                "only if you agree to the picture as well."
            ),
        ),
    ),
    Purpose.RESEARCH_VIDEO: (
        Wording(
            text=_(
                "Researchers may be given the picture of your takes, under a pseudonym: your "
                "face may be recognised. A recording is one file: it is given only if you agree "
                "to the sound as well."
            ),
        ),
    ),
    Purpose.RULE_PREVIEW: (
        Wording(
            text=_(
                "Curators who change a feedback rule may see what it would say about your "
                "takes: the card with its times and figures, without your name, your recording "
                "or its transcript. Without it your takes are only counted."
            ),
        ),
    ),
    Purpose.COACH_TRAINING: (
        Wording(
            text=_(
                "A coach who leads your group may let its new coaches judge a take that was "
                "sent to the group and answered: they watch the recording, and compare what "
                "they saw with what was decided. You see who opened it."
            ),
        ),
    ),
}
"""The last of each is what is asked now; the first is version 1."""


def current_version(purpose: Purpose) -> int:
    """Return the current version of a purpose's wording."""
    return len(WORDINGS[purpose])


def least_version(purpose: Purpose) -> int:
    """Return the earliest version whose consents still count: the last one that asked for more."""
    wider = (number for number, each in enumerate(WORDINGS[purpose], 1) if each.asks_more)
    return max(wider, default=1)


def current_text(purpose: Purpose) -> str:
    """Return the current wording, in the reader's language."""
    return str(WORDINGS[purpose][-1].text)


def changes_since(purpose: Purpose, version: int) -> list[str]:
    """Return the changes since a version, one sentence for each later wording."""
    return [str(each.changed) for each in WORDINGS[purpose][version:]]


def is_ever_reworded() -> bool:
    """Return whether any purpose has been reworded, so that consents may need renewal."""
    return any(len(wordings) > 1 for wordings in WORDINGS.values())


def agreed_text(consent: Consent) -> str:
    """Return the accepted wording as it was read, or that version's text if it was not stored."""
    versions = WORDINGS[Purpose(consent.purpose)]
    return consent.text or str(versions[min(consent.version, len(versions)) - 1].text)

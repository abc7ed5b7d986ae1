"""Feedback preferences of a person: what to respect, and how to present feedback."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Respect(models.TextChoices):
    """A circumstance that a person asks us to respect; stored only in their profile."""

    STAMMER = "stammer", _("I stammer")
    SECOND_LANGUAGE = "second_language", _("I speak in a language that I learned later")
    VOICE_AND_BREATH = "voice_and_breath", _("My voice or my breath has its own limits")
    SEATED = "seated", _("I speak seated")
    ONE_HANDED = "one_handed", _("I use one hand, or none, when I speak")
    MOVES_BY_ITSELF = "moves_by_itself", _("Parts of my body move by themselves")
    LOW_VISION = "low_vision", _("I see little, or look at people in another way than most")
    FACE_COVERED = "face_covered", _("My face is covered, or the camera is not where I look")


class Manner(models.TextChoices):
    """Presentation of feedback: its framing and what is folded, never its content."""

    USUAL = "usual", _("As it is: what was seen, why it matters, what to try")
    BRIEF = "brief", _("Short and to the point")
    OPENED = "opened", _("With a kind word first, and every reason opened")


MANNERS: Final[dict[Manner, str | Promise]] = {
    Manner.USUAL: _("You see each card in full; you can open the rules behind it."),
    Manner.BRIEF: _(
        "Each card says what we observed, where, what to try and how sure we are. You can open "
        "why it matters and what we compared it with."
    ),
    Manner.OPENED: _(
        "The report begins with a welcoming sentence, and each card shows why you see it."
    ),
}
"""What each changes, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Effect of a circumstance to respect. Takes and drafts store this, never the circumstance."""

    words: str | Promise
    leaves_out: tuple[str, ...] = ()
    """Names of `analysis.metrics.PROFILE_FAMILIES` that are not measured."""
    quiets: tuple[str, ...] = ()
    """Of what no rule speaks although it is measured: see `feedback_rules.model.QUIETABLE`."""


EFFECTS: Final[dict[Respect, Effect]] = {
    Respect.STAMMER: Effect(
        words=_(
            "Software can mistake blocks and repeated sounds for ums and pauses. So we measure "
            "neither, and no card is about pace, restarts or repeated phrases."
        ),
        leaves_out=("fluency",),
        quiets=(
            "pace",
            "wording.restarts_per_100_words",
            "wording.verbal_habits_per_minute",
            "wording.anaphora_count",
        ),
    ),
    Respect.SECOND_LANGUAGE: Effect(
        words=_(
            "We leave out cards based on research with native speakers only: usual pauses, "
            "restarts and sentence lengths. You can change this for each take."
        ),
        quiets=("first_language",),
    ),
    Respect.VOICE_AND_BREATH: Effect(
        words=_(
            "We do not measure pitch variation or loudness, and no card is about pauses or "
            "pace: you breathe where you need to."
        ),
        leaves_out=("voice",),
        quiets=("pauses", "pace"),
    ),
    Respect.SEATED: Effect(
        words=_(
            "We leave out cards based on research with standing speakers: no card is about "
            "posture or still hands."
        ),
        quiets=("posture", "gesture"),
    ),
    Respect.ONE_HANDED: Effect(
        words=_("We do not measure hands, and no card is about arms, shoulders or posture."),
        leaves_out=("hands",),
        quiets=("posture",),
    ),
    Respect.MOVES_BY_ITSELF: Effect(
        words=_(
            "We do not measure posture, hands or head movements, and no card is about where you "
            "look."
        ),
        leaves_out=("posture", "hands", "head"),
        quiets=("gaze",),
    ),
    Respect.LOW_VISION: Effect(
        words=_("We do not measure where your face and eyes are turned."),
        leaves_out=("face",),
    ),
    Respect.FACE_COVERED: Effect(
        words=_(
            "We do not measure where your face is turned, and we say nothing about it when it "
            "is not visible."
        ),
        leaves_out=("face",),
    ),
}
"""The one place that says what a respect does. Which measures it falsifies is a rule of thumb."""


class Profile(models.Model):
    """A person's preferences; without a row the defaults apply."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="profile"
    )
    respects = ArrayField(
        models.CharField(max_length=20, choices=Respect.choices), default=list, blank=True
    )
    # Otherwise a coach sees what a take leaves out, but not why.
    coach_may_know = models.BooleanField(default=False)
    one_item = models.BooleanField(default=False)
    # Feedback is readable only after a coach has released it, and figures are shown on request.
    coach_first = models.BooleanField(default=False)
    # Sound first, coach before anything else, one item, strengths first, words before figures:
    # chosen, never inferred.
    gentle = models.BooleanField(default=False)
    # The same cards with the same evidence, framed and folded as the reader prefers.
    manner = models.CharField(max_length=10, choices=Manner.choices, default=Manner.USUAL)
    # Ask for a self-assessment before the report.
    reflects_first = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"Wishes of {self.user}"

    @property
    def reads_one_by_one(self) -> bool:
        """Return whether one card is open and the others are folded."""
        return self.one_item or self.gentle

    @property
    def reads_words_first(self) -> bool:
        """Return whether figures are hidden until requested."""
        return self.coach_first or self.gentle

    @property
    def reads_coach_first(self) -> bool:
        """Return whether feedback waits for a coach, if the person has one."""
        return self.coach_first or self.gentle

    @property
    def effects(self) -> list[Effect]:
        """Return the effects of the circumstances to respect."""
        return [EFFECTS[Respect(each)] for each in self.respects]

    @property
    def leaves_out(self) -> list[str]:
        """Return the measures left out for them, besides those that the person switched off."""
        return _all_of(each.leaves_out for each in self.effects)

    @property
    def quiets(self) -> list[str]:
        """Return the topics on which no rule fires because of them."""
        return _all_of(each.quiets for each in self.effects)


def _all_of(named: Iterable[tuple[str, ...]]) -> list[str]:
    return sorted({each for names in named for each in names})

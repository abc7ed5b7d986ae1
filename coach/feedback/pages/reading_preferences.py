"""The owner's reading preferences: one card at a time, words before figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.accounts.profile import Manner
from coach.accounts.selectors import profile_of
from coach.feedback.pages.cards import Card, ClipLink
from coach.lib.words.clock import clock
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.speaking_ease import Ease, HowEasy


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPreferences:
    """The owner's reading preferences; other readers get the defaults."""

    one_at_a_time: bool = False
    strength_first: bool = False
    words_first: bool = False
    """Whether figures are behind a button."""
    is_brief: bool = False
    """Whether the reason and the comparison are behind a button."""
    reasons_open: bool = False
    """Whether the explanation under each card is open."""
    welcome: str = ""
    """A sentence before the cards; empty by default."""
    ease: EaseBox | None = None
    can_read_now: bool = False
    """Whether the owner chose to wait for a coach, and may read at once instead."""
    waits_gently: bool = False
    """Whether gentle mode is the reason for waiting; the page links to the setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EaseBox:
    """The ease of speaking, visible to the owner only."""

    before: str
    """The answer in words; empty without one."""
    choices: tuple[tuple[str, str, bool], ...]
    """Codes, labels, and whether each is the answer after the take."""


AS_IT_IS = ReadingPreferences()


def reading_of(take: Rehearsal, reader: User, *, is_held: bool) -> ReadingPreferences:
    """Return the owner's preferences; the defaults for other readers."""
    if reader.pk != take.owner_id:
        return AS_IT_IS
    wishes = profile_of(take.owner)
    waits = is_held and take.waits_by_choice
    return ReadingPreferences(
        one_at_a_time=wishes.reads_one_by_one,
        strength_first=wishes.gentle,
        words_first=wishes.reads_words_first,
        is_brief=wishes.manner == Manner.BRIEF,
        reasons_open=wishes.manner == Manner.OPENED,
        welcome=_welcome(take) if wishes.manner == Manner.OPENED and not is_held else "",
        ease=_ease_box(take) if wishes.gentle else None,
        can_read_now=waits,
        waits_gently=waits and wishes.gentle and not wishes.coach_first,
    )


def _welcome(take: Rehearsal) -> str:
    """Return a welcome that states facts only; it praises nothing that was not measured."""
    if take.is_partial or not take.duration:
        return _("You recorded this and came back to review it: that is practice.")
    return _(
        "You recorded %(time)s of this talk and came back to review it: that is practice. The "
        "cards below are for the next time, at your own pace."
    ) % {"time": clock(take.duration)}


def _ease_box(take: Rehearsal) -> EaseBox:
    said = Ease.objects.filter(rehearsal=take).first() or Ease()
    return EaseBox(
        before=str(HowEasy(said.before).label) if said.before else "",
        choices=tuple((each.value, str(each.label), each == said.after) for each in HowEasy),
    )


def as_wished(cards: Sequence[Card], reading: ReadingPreferences) -> tuple[Card, ...]:
    """Return the cards as preferred: strengths first, short, or words before figures."""
    if reading.strength_first:
        cards = sorted(cards, key=lambda card: card.tone != "strength")
    if reading.is_brief:
        cards = [replace(card, is_brief=_is_as_drafted(card)) for card in cards]
    return tuple(map(_in_words, cards)) if reading.words_first else tuple(cards)


def _is_as_drafted(card: Card) -> bool:
    """Return whether the card has a rule's wording; a coach's text is never shortened."""
    return bool(card.title) and card.explanation is not None


def _in_words(card: Card) -> Card:
    """Return a card with its topic in place of a claim with figures, and ordinals for times.

    The figures wait behind a button. A coach's own wording stays.
    """
    clips = tuple(_in_order(clip, place) for place, clip in enumerate(card.clips))
    if not card.title:
        return replace(card, clips=clips)
    if not any(map(str.isdigit, card.claim_alone)):
        return replace(card, claim=card.claim_alone, clips=clips)
    figure = f"{card.claim} {card.figure}".strip()
    return replace(card, claim=card.title, figure=figure, clips=clips)


def _in_order(clip: ClipLink, place: int) -> ClipLink:
    words = (_("First moment"), _("Second moment"), _("Third moment"))
    return replace(clip, label=words[place], time=clip.label) if place < len(words) else clip

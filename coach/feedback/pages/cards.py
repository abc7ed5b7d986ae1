"""Evidence cards with their explanations, from items and the coach's decisions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _

from coach.feedback.documents import CardClip, CardDocument
from coach.feedback.items import Correction as Corrected
from coach.feedback.items import StandingItem
from coach.feedback.messages import Thread, thread_of
from coach.feedback.models import Feedback, Item
from coach.feedback.pages.about_take import Fact
from coach.feedback.pages.measures import measurement_words
from coach.lib.words.clock import clock
from coach.lib.words.measure_words import label_of
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.rule_words import LocalisedText, reference_words, title_words
from coach.rehearsals.models import Goal
from feedback_rules.explain import why_in_short, why_more
from feedback_rules.model import DraftItem

_CORRECTED: dict[Corrected, str | Promise] = {
    "": "",
    "follows": gettext_lazy("These figures include corrections."),
    "silent": gettext_lazy("After a correction, this rule no longer applies here."),
}


Tone = Literal["strength", "improvement"]


_BRACKETED_TIMES = re.compile(r"\s\(([\d:]+(?:, [\d:]+)*)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipLink:
    """A playable moment: seconds of the media, and the label of its chip (`3:10`)."""

    start: float
    end: float
    label: str
    time: str = ""
    """The time, if the label contains other text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The explanation of a card: “Why am I seeing this?”."""

    rule: str
    rule_set: str
    author: str
    short: tuple[str, ...]
    """Two sentences: why the card appeared, and when it would not have appeared."""
    decided: tuple[str, ...]
    """Other factors in the choice, the grade of evidence, the source."""
    inputs: tuple[Fact, ...]
    references: tuple[LocalisedText, ...]
    language: str = ""
    """The language of `short` and `decided`, which is that of the card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """An evidence card on a report, on the review page or in a preview."""

    tone: Tone
    heading: str
    """Keep, Work on this first, Next."""
    quality: str
    claim: str
    figure: str
    comparison: str
    why: str
    suggestion: str
    exercise_title: str
    exercise: str
    certainty: str
    clips: tuple[ClipLink, ...]
    author: str
    """Rule PAU002, or the coach's name."""
    id: str = ""
    """The item's id; empty in a preview."""
    title: str = ""
    """The rule's title in the card's language; empty on a coach's own card."""
    rank: int = 0
    badge: str = ""
    """The difference, in a comparison of two drafts."""
    counterfactual: str = ""
    """When the card would not have appeared, if it has no explanation."""
    corrected: str = ""
    """A sentence if a correction changed the figures, or if the rule no longer applies."""
    coach_note: str = ""
    """The coach's decision in words: Confirmed by, Worded by; empty if there is none."""
    original: str = ""
    """The wording before a coach changed it; empty if unchanged."""
    explanation: Why | None = None
    language: str = ""
    """The language of the card, which is that of the talk; empty if it is the reader's."""
    thread: Thread | None = None
    """Messages of trainee and coaches about the card."""
    is_about_talk: bool = False
    """Whether the card is about the whole talk, so that it may have no moment to play."""
    is_brief: bool = False
    """Whether the reader prefers short cards: why it matters is behind a button."""

    @property
    def claim_alone(self) -> str:
        """The claim without times that its moments already show."""
        told = {clip.time or clip.label for clip in self.clips}

        def left(found: re.Match[str]) -> str:
            return "" if set(found[1].split(", ")) <= told else found[0]

        return _BRACKETED_TIMES.sub(left, self.claim)


def cards(items: Sequence[StandingItem], feedback: Feedback) -> tuple[Card, ...]:
    """Return the cards in reading order, with their rank in words as heading."""
    headings = _headings([(each.item.tone, each.is_shown) for each in items])
    return tuple(
        card(item, feedback, rank=rank, heading=heading)
        for rank, (item, heading) in enumerate(zip(items, headings, strict=True))
    )


def drafted_cards(items: Sequence[DraftItem], *, rule_set: int) -> tuple[Card, ...]:
    """Return the cards of a draft that has not been saved."""
    headings = _headings([(item.tone, True) for item in items])
    return tuple(
        replace(
            drafted_card(item, heading=heading),
            id=f"drafted-{rank}",
            rank=rank,
            explanation=_why(item, rule_set),
        )
        for rank, (item, heading) in enumerate(zip(items, headings, strict=True))
    )


def _headings(items: Iterable[tuple[str, bool]]) -> list[str]:
    """Return the heading of each card, by its tone and whether it is shown."""
    improvements = 0
    found: list[str] = []
    for tone, is_shown in items:
        if tone == "strength":
            found.append(_("Keep"))
        elif not is_shown:
            found.append(_("Something to work on"))
        else:
            found.append(_("Work on this first") if improvements == 0 else _("Next"))
            improvements += 1
    return found


def card(standing: StandingItem, feedback: Feedback, *, rank: int, heading: str) -> Card:
    """Return the card of an item in its current wording."""
    item = standing.item
    plain = card_of(
        standing.card, tone=_tone(item), heading=heading, quality=item.quality, author=_author(item)
    )
    return replace(
        plain,
        id=str(item.pk),
        rank=rank,
        title=_title_of(standing),
        corrected=str(_CORRECTED[standing.correction]),
        coach_note=_coach_note(standing),
        original=standing.original_claim,
        explanation=_why_of(standing, feedback) if item.origin == Item.Origin.RULE else None,
        thread=thread_of(item),
    )


def _title_of(standing: StandingItem) -> str:
    """Return the rule's title; empty if a coach wrote or changed the card."""
    if standing.original_claim:
        return ""
    with override(standing.card.language or get_language()):
        return title_words(standing.document.get("title", ""))


def card_of(document: CardDocument, *, tone: Tone, heading: str, quality: str, author: str) -> Card:
    """Return the card of a document; all cards are created here."""
    exercise = document.exercise
    return Card(
        tone=tone,
        heading=heading,
        quality=_quality(quality),
        claim=document.claim,
        figure=document.figure,
        comparison=document.comparison,
        why=document.why,
        suggestion=document.suggestion,
        exercise_title=exercise.title if exercise else "",
        exercise=exercise.text if exercise else "",
        certainty=document.certainty,
        clips=tuple(clip(each) for each in document.clips),
        author=author,
        is_about_talk=document.is_about_talk,
        language=document.language,
    )


def drafted_card(item: DraftItem, *, heading: str) -> Card:
    """Return the card that a rule would make, before it is stored as an item."""
    document = CardDocument.read(item.model_dump(mode="json"))
    author = _("Rule %(rule)s") % {"rule": item.rule}
    return card_of(document, tone=item.tone, heading=heading, quality=item.quality, author=author)


def _tone(item: Item) -> Tone:
    return "strength" if item.tone == "strength" else "improvement"


def _quality(code: str) -> str:
    return str(Goal(code).label) if code in Goal.values else code


def clip(span: CardClip) -> ClipLink:
    """Return a playable moment with the time as its label."""
    return ClipLink(start=span.start, end=span.end, label=clock(span.named))


def _author(item: Item) -> str:
    if item.origin == Item.Origin.COACH:
        return _("Your coach %(name)s") % {"name": item.author} if item.author else _("Your coach")
    return _("Rule %(rule)s, version %(version)s") % {
        "rule": item.rule,
        "version": item.rule_version,
    }


def _coach_note(standing: StandingItem) -> str:
    if standing.verdict is None or standing.decision == "added":
        return ""
    words = {
        "accepted": _("Confirmed by %(name)s"),
        "edited": _("Worded by %(name)s"),
        "rejected": _("Rejected by %(name)s"),
        "replaced": _("Replaced by %(name)s"),
        "held": _("Held back by %(name)s"),
        "open": "",
    }
    return words[standing.decision] % {"name": name_words(standing.verdict.coach_name)}


def _why_of(standing: StandingItem, feedback: Feedback) -> Why:
    """Explain the card as it was drafted, or as it is after a correction."""
    written = standing.document if standing.correction == "follows" else standing.item.document
    return _why(DraftItem.model_validate(written), feedback.rule_set.number)


def _why(drafted: DraftItem, rule_set: int) -> Why:
    """Return the rule's explanation from a drafted document."""
    return Why(
        rule=f"{drafted.rule} · {title_words(drafted.title)}",
        rule_set=_("Rule set %(number)s, rule version %(version)s")
        % {"number": rule_set, "version": drafted.rule_version},
        author=name_words(drafted.author),
        short=why_in_short(drafted, drafted.language),
        decided=why_more(drafted, drafted.language),
        inputs=tuple(
            Fact(label=label_of(metric), value=measurement_words(measurement))
            for metric, measurement in drafted.inputs.items()
        ),
        references=tuple(map(reference_words, drafted.references)),
        language=drafted.language,
    )

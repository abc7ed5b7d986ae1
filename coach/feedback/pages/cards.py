"""Evidence cards and everything behind them, from an item and the coach's decision on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _

from coach.feedback.documents import CardClip, CardDocument
from coach.feedback.items import Correction as Corrected
from coach.feedback.items import StandingItem
from coach.feedback.models import Feedback, Item
from coach.feedback.pages.measures import measurement_words
from coach.feedback.pages.threads import thread_of
from coach.feedback.pages.values import Card, ClipLink, Fact, Tone, Why
from coach.lib.words.clock import clock
from coach.lib.words.measure_words import label_of
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.rule_words import reference_words, title_words
from coach.rehearsals.models import Goal
from feedback_rules.explain import why_in_short, why_more
from feedback_rules.model import DraftItem

_CORRECTED: dict[Corrected, str | Promise] = {
    "": "",
    "follows": gettext_lazy("These figures include corrections."),
    "silent": gettext_lazy("After a correction, this rule no longer applies here."),
}


def cards(items: Sequence[StandingItem], feedback: Feedback) -> tuple[Card, ...]:
    """The cards in the order they are read, headed by their rank in words."""
    headings = _headings([(each.item.tone, each.is_shown) for each in items])
    return tuple(
        card(item, feedback, rank=rank, heading=heading)
        for rank, (item, heading) in enumerate(zip(items, headings, strict=True))
    )


def drafted_cards(items: Sequence[DraftItem], *, rule_set: int) -> tuple[Card, ...]:
    """A draft as it would be read, before anybody keeps it."""
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
    """What stands over each card, by its tone and whether it is one of the shown."""
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
    """One card, in the words that stand now."""
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
    """Empty where a coach wrote or worded it: then their words stand."""
    if standing.original_claim:
        return ""
    with override(standing.card.language or get_language()):
        return title_words(standing.document.get("title", ""))


def card_of(document: CardDocument, *, tone: Tone, heading: str, quality: str, author: str) -> Card:
    """What every card shows, wherever it stands: the one place where a document becomes one."""
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
    """A card that a rule would make, before it is anybody's item."""
    document = CardDocument.read(item.model_dump(mode="json"))
    author = _("Rule %(rule)s") % {"rule": item.rule}
    return card_of(document, tone=item.tone, heading=heading, quality=item.quality, author=author)


def _tone(item: Item) -> Tone:
    return "strength" if item.tone == "strength" else "improvement"


def _quality(code: str) -> str:
    return str(Goal(code).label) if code in Goal.values else code


def clip(span: CardClip) -> ClipLink:
    """A playable moment with the time that its chip shows."""
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
    """From the document as it was drafted, or as it is since a person put something right."""
    written = standing.document if standing.correction == "follows" else standing.item.document
    return _why(DraftItem.model_validate(written), feedback.rule_set.number)


def _why(drafted: DraftItem, rule_set: int) -> Why:
    """The rule's own words for its choice, from the document as it was drafted."""
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

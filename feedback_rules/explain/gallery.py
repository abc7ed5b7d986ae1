"""Gallery: for each rule a correct card, and a talk for which it correctly gives none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.explain.why import why_silent
from feedback_rules.model import READING_LANGUAGES, Case, DraftItem, ReadingLanguage, Rule
from feedback_rules.select.sample import card_on


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryEntry:
    """One rule's card and its silence, both from its own cases."""

    rule: Rule
    speaks_on: str
    """Name of the case with a card."""
    cards: Mapping[ReadingLanguage, DraftItem]
    silent_on: str
    silence: Mapping[ReadingLanguage, str]
    """Reason for the silence."""


def gallery_entry(rule: Rule) -> GalleryEntry | None:
    """Return the exhibit, or None for a rule that is retired or still a draft."""
    speaking = next((case for case in rule.cases if _cards(rule, case)), None)
    silent = next((case for case in rule.cases if not case.fires), None)
    if rule.status in {"draft", "retired"} or speaking is None or silent is None:
        return None
    finding = finding_of(rule, Facts.of(case_report(silent.report), silent.context))
    return GalleryEntry(
        rule=rule,
        speaks_on=speaking.name,
        cards=_cards(rule, speaking),
        silent_on=silent.name,
        silence={language: why_silent(finding, language) for language in READING_LANGUAGES},
    )


def _cards(rule: Rule, case: Case) -> dict[ReadingLanguage, DraftItem]:
    if not case.fires:
        return {}
    report = case_report(case.report)
    cards = {
        language: card_on(rule, report, case.context, language) for language in READING_LANGUAGES
    }
    return {language: card for language, card in cards.items() if card is not None}


def gallery_entries(rules: Sequence[Rule]) -> tuple[GalleryEntry, ...]:
    """Return the exhibits of all active rules, by quality, then by id."""
    ordered = sorted(rules, key=lambda rule: (rule.quality, rule.id))
    found = (gallery_entry(rule) for rule in ordered)
    return tuple(exhibit for exhibit in found if exhibit is not None)


_HEADINGS = {
    "clarity": "Clarity · Clarté",
    "fluency": "Fluency · Fluidité",
    "vocal_variety": "A lively voice · Voix vivante",
    "presence": "Presence · Présence",
    "audience_contact": "Contact with the audience · Contact avec le public",
    "structure": "Structure · Structure",
}
_TRY: dict[ReadingLanguage, str] = {"en": "Try this:", "fr": "À essayer\u00a0:"}
_INTRODUCTION = """\
# Gallery of cards

For each rule one card that is right and one talk in which it rightly stays silent, in English and
in French. Both come from the rule's own cases, which are invented talks. The rule studio shows the
same for the rules in use. Written by `python -m bench docs`.
"""


def as_markdown(exhibits: Sequence[GalleryEntry]) -> str:
    """Return the gallery as a Markdown page."""
    return "\n".join((_INTRODUCTION, *_sections(exhibits)))


def _sections(exhibits: Sequence[GalleryEntry]) -> Iterator[str]:
    for quality, group in groupby(exhibits, key=lambda each: each.rule.quality):
        yield f"## {_HEADINGS[quality]}\n"
        for exhibit in group:
            yield from _section(exhibit)


def _section(exhibit: GalleryEntry) -> Iterator[str]:
    rule = exhibit.rule
    decided = {"coach": ", shown once a coach confirms it", "machine_then_coach": ""}
    kind = "a strength" if rule.tone == "strength" else "something to work on"
    yield f"### {rule.id} {rule.title}\n"
    yield f"{kind.capitalize()}, grade {rule.grade}{decided.get(rule.decided_by, '')}.\n"
    yield f"**Speaks:** {exhibit.speaks_on}\n"
    for language, card in exhibit.cards.items():
        yield f"> {card.text}\n>"
        yield f"> {_TRY[language]} {card.exercise.title}\n" if card.exercise else ""
    yield f"**Stays silent:** {exhibit.silent_on}\n"
    for sentence in exhibit.silence.values():
        yield f"> {sentence}\n"

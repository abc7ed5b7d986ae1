"""Findings that are not shown as cards, with the reason for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.utils.translation import ngettext

from analysis.results import Reason
from coach.feedback.items import StandingItem
from coach.feedback.models import Feedback
from coach.lib.words.rule_words import reading_language
from coach.rulesets.selectors import RuleName, rule_names_of
from feedback_rules.explain import why_held, why_silent
from feedback_rules.model import (
    Draft,
    Finding,
    HeldBackReason,
    Outcome,
    ReachedFocus,
    ReadingLanguage,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBackItem:
    """A finding that is not shown, with the reason."""

    title: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """A reason why rules did not fire, with the topics of these rules."""

    reason: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseSuggestion:
    """An exercise to try if there is no improvement to work on."""

    lead: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotShown:
    """Findings that are not among the cards, with reasons."""

    items: tuple[HeldBackItem, ...] = ()
    waiting: str = ""
    """A sentence if some findings wait for a coach; else empty."""
    silences: tuple[Silence, ...] = ()
    recording: tuple[HeldBackItem, ...] = ()
    """Problems of the recording with advice; they do not count among the three cards."""
    trying: ExerciseSuggestion | None = None
    reached: tuple[ReachedFocus, ...] = ()
    """Focuses of the last take that this one has reached."""
    language: str = ""
    """The language of all texts except `waiting`, which is that of the cards."""


def left_out(feedback: Feedback, read: Iterable[StandingItem], *, has_coach: bool) -> NotShown:
    """Return all evaluated findings that are not shown, with reasons.

    Findings that only a coach may show are counted but not named before the release; without a
    coach, no review is promised.
    """
    draft = Draft.model_validate_json(feedback.draft)
    if not has_coach:
        draft = _without_untested(draft)
    return NotShown(
        items=_items(draft),
        waiting=""
        if feedback.is_released  # a coach has decided by then: accepted findings are cards
        else _waiting(draft, {each.item.rule for each in read}, has_coach=has_coach),
        silences=_silences(draft, feedback),
        recording=_recording(draft),
        trying=_trying(draft),
        reached=draft.reached,
        language=_language(draft, feedback),
    )


def _without_untested(draft: Draft) -> Draft:
    """Return the draft with coach-only findings on untested speech as not measured."""
    why = Reason.OUTSIDE_TESTED_SPEECH
    if all(each.reason is not why for each in draft.findings):
        return draft
    silent = {"outcome": Outcome.UNRELIABLE_HERE, "reason": why}
    findings = tuple(
        each.model_copy(update=silent) if each.needs_coach and each.quality == "fluency" else each
        for each in draft.findings
    )
    fired = {each.rule for each in findings if each.fired}
    held_back = tuple(held for held in draft.held_back if held.rule in fired)
    return draft.model_copy(update={"findings": findings, "held_back": held_back})


def _items(draft: Draft) -> tuple[HeldBackItem, ...]:
    labels = {item.rule: item.label for item in draft.items}
    return tuple(
        HeldBackItem(
            title=held.item.claim,
            reason=why_held(held, held.item.language, by=labels.get(held.outranked_by or "", "")),
        )
        for held in draft.held_back
        if not held.needs_coach and held.why is not HeldBackReason.ABOUT_RECORDING
    )


def _recording(draft: Draft) -> tuple[HeldBackItem, ...]:
    return tuple(
        HeldBackItem(
            title=held.item.claim,
            reason=" ".join((held.item.figure, held.item.why, held.item.suggestion)),
        )
        for held in draft.held_back
        if held.why is HeldBackReason.ABOUT_RECORDING
    )


def _trying(draft: Draft) -> ExerciseSuggestion | None:
    offer = draft.worth_trying
    if offer is None:
        return None
    return ExerciseSuggestion(lead=offer.lead, title=offer.exercise.title, text=offer.exercise.text)


def _waiting(draft: Draft, read: Collection[str], *, has_coach: bool) -> str:
    count = sum(held.needs_coach and held.rule not in read for held in draft.held_back)
    if not count:
        return ""
    if has_coach:
        words = ngettext(
            "%(count)s observation needs a coach: you will see it if your coach confirms it.",
            "%(count)s observations need a coach: you will see those your coach confirms.",
            count,
        )
    else:
        words = ngettext(
            "%(count)s observation needs a coach and is not shown without one.",
            "%(count)s observations need a coach and are not shown without one.",
            count,
        )
    return words % {"count": count}


def _silences(draft: Draft, feedback: Feedback) -> tuple[Silence, ...]:
    """Return why each other rule did not fire: its first closed gate.

    Several rules may have the same topic: it is named once, preferably with the reason that
    prevented a judgement. Topics of cards are not named, nor is a measurement called
    unclear if a less strict rule has judged it.
    """
    rules = rule_names_of(feedback.rule_set)
    language = _language(draft, feedback)
    found: dict[str, list[str]] = {}
    named = {_label(rules[each.rule], language) for each in draft.findings if each.fired}
    judged = {
        (_label(rules[each.rule], language), rules[each.rule].metric)
        for each in draft.findings
        if each.outcome is Outcome.IN_BAND
    }
    for finding in sorted(draft.findings, key=_last_what_was_judged):
        rule = rules[finding.rule]
        if finding.fired or finding.outcome is Outcome.NOT_ACTIVE or rule.decided_by == "coach":
            continue
        about = _label(rule, language)
        if finding.outcome is not Outcome.IN_BAND and (about, rule.metric) in judged:
            continue
        if about not in named:
            named.add(about)
            found.setdefault(why_silent(finding, language), []).append(about)
    return tuple(Silence(reason=reason, about=tuple(about)) for reason, about in found.items())


def silence_by_metric(feedback: Feedback) -> dict[str, str]:
    """Return for each measure why its rules gave no card, in the reader's language.

    A measure with a fired rule is left out: it has a card, or is among those held back.
    """
    draft = Draft.model_validate_json(feedback.draft)
    rules, language = rule_names_of(feedback.rule_set), reading_language()
    spoke = {rules[each.rule].metric for each in draft.findings if each.fired}
    found: dict[str, str] = {}
    for finding in sorted(draft.findings, key=_last_what_was_judged):
        metric = rules[finding.rule].metric
        if metric not in spoke and finding.outcome is not Outcome.NOT_ACTIVE:
            found[metric] = why_silent(finding, language)
    return found


def _last_what_was_judged(finding: Finding) -> tuple[bool, int]:
    """Return a sort key: unjudged findings first, by the required length of the talk."""
    return finding.outcome is Outcome.IN_BAND, finding.seconds_needed or 0


def _language(draft: Draft, feedback: Feedback) -> ReadingLanguage:
    for item in (*draft.items, *(held.item for held in draft.held_back)):
        return item.language
    return context_language(feedback)


def context_language(feedback: Feedback) -> ReadingLanguage:
    """Return the language of the take's context, for text without an item."""
    return "fr" if feedback.context.get("language") == "fr" else "en"


def _label(rule: RuleName, language: ReadingLanguage) -> str:
    return rule.label_fr if language == "fr" else rule.label_en

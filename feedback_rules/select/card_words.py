"""The sentences of one evidence card: what a message leaves open, filled in from the report."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter
from typing import Self

from analysis.clock import clock
from analysis.metrics import BY_ID
from analysis.results import Measurement, Quality, Report
from feedback_rules.evaluate import Facts
from feedback_rules.evaluate.advice import Praise, chosen_suggestion
from feedback_rules.evaluate.facts import BASELINE_TAKES
from feedback_rules.model import (
    Baseline,
    Clip,
    Context,
    Factors,
    Finding,
    Message,
    Moment,
    Quote,
    ReadingLanguage,
    Rule,
)
from feedback_rules.select.certainty import FAIRLY_SURE, LESS_SURE, level_of
from feedback_rules.select.evidence import clips_of, quotes_for, words_at_half
from feedback_rules.select.heard import is_measured, missed_in_words
from feedback_rules.select.numbers import (
    NBSP,
    before_a_unit,
    careful_share,
    edge_in_words,
    in_words,
    is_same_side,
    is_spelt,
    mended,
    range_in_words,
    time_word,
    times_in_words,
)
from feedback_rules.select.score import JUST_PAST, previous_of
from feedback_rules.select.silent import as_measured

MOST_QUOTED_WORDS = 4
"""A longer quote is cut in the sentence; the whole of it stands in `quotes`."""
MOST_ASKED_WORDS = 6
"""The same of a question, which says nothing before its verb: “What time do I …?”."""

PLACEHOLDERS = frozenset(
    {
        "value",
        "range",
        "times",
        "from",
        "to",
        "count",
        "quote",
        "edge",
        "edge_in_five",
        "fillers",
        "least_count",
        "least_seconds",
        "limit",
        "baseline",
        "missed",
        "halfway",
    }
)
"""What a message may leave to be filled in; docs/reference/writing-rules.md explains each."""

_BRACKETED_TIMES = re.compile(r"\s*\([^()]*\{times\}[^()]*\)")

_FILLERS = frozenset({"filled_pause", "filler_word"})
_MOST_NAMED = 3

_SHARES = frozenset({"percent", "fine_percent"})

_DECIMAL = re.compile(r"\d[.,]\d")

_CERTAINTY: dict[ReadingLanguage, tuple[str, str, str]] = {
    "en": ("Less sure", "Fairly sure", "Sure"),
    "fr": ("Moins fiable", "Plutôt fiable", "Fiable"),
}
"""By level."""
MORE: dict[ReadingLanguage, str] = {
    "en": "a longer, clearer take would help.",
    "fr": "une prise plus longue ou plus nette aiderait.",
}
"""The reason of what is less sure, where little or unclear sound makes it so."""
SEEN = frozenset({"face", "body"})
"""Modalities of which sound says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a card is made from."""

    rule: Rule
    finding: Finding
    factors: Factors
    report: Report
    context: Context
    language: ReadingLanguage
    praise: tuple[Praise, ...] = ()
    """What strengths of the same report praise: no suggestion asks for it."""
    hides_quotes: bool = False
    """Whoever reads it may not read the transcript: an ellipsis stands for what was said."""


def most_words_of(said: str) -> int:
    """How many words of a quote stand in the sentence that quotes it."""
    return MOST_ASKED_WORDS if said.endswith("?") else MOST_QUOTED_WORDS


@lru_cache(maxsize=4096)
def _names_in(template: str) -> tuple[str, ...]:
    return tuple({name for _, name, _, _ in Formatter().parse(template) if name})


@dataclass(frozen=True, slots=True, kw_only=True)
class CardWords:
    """The sentences of one card."""

    subject: Subject
    message: Message
    quotes: tuple[Quote, ...]
    clips: tuple[Clip, ...]

    @classmethod
    def of(cls, subject: Subject) -> Self:
        """From the rule's message in the language of the card, as far as it was measured."""
        rule, finding, report = subject.rule, subject.finding, subject.report
        message = rule.message.en if subject.language == "en" else rule.message.fr
        return cls(
            subject=subject,
            message=as_measured(message, report, subject.language),
            quotes=quotes_for(rule, finding, report),
            clips=clips_of(finding.moments, report.media.duration),
        )

    def fill(self, template: str) -> str:
        """The template with its placeholders filled in; no times where nothing is played."""
        if not self.clips:
            template = _BRACKETED_TIMES.sub("", template)
        text = template.format(**{name: self._filling(name) for name in _names_in(template)})
        return self._mended(text)

    def _mended(self, text: str) -> str:
        return mended(text, self.subject.language)

    def claim(self) -> str:
        """What was observed; of a focus that is nearly done not that it came often."""
        finding = self.subject.finding
        is_near = finding.held_focus and self.subject.factors.severity < JUST_PAST
        return self.fill((is_near and self.message.claim_near) or self.message.claim)

    def figure(self) -> str:
        """The number with its meaning; as a change where the item was shown before."""
        return self.change() or self.fill(self.message.figure)

    def change(self) -> str:
        """From last time to now; empty where that would not tell of a change."""
        previous = self._previous()
        if previous is None:
            return ""
        now = self.subject.report.measurements[self.subject.rule.severity.metric].value
        return self._mended(self._change(previous, now))

    def _previous(self) -> float | None:
        """What it was last time; None where the figure would not tell of it as a change."""
        rule, previous = self.subject.rule, previous_of(self.subject.rule, self.subject.context)
        if previous is None or previous.value is None or rule.tone == "strength":
            return None
        now = self.subject.report.measurements[rule.severity.metric].value
        return previous.value if is_same_side(previous.value, now, rule.value_format) else None

    def why(self) -> str:
        """Why it matters, for the aim where the rule has words for it."""
        aim = self.subject.context.aim
        special = self.message.why_for.get(aim) if aim else None
        return self.fill(special or self.message.why)

    def suggestion(self) -> str:
        """What to try, as it fits the report."""
        return self.fill(self._suggestion())

    def _suggestion(self) -> str:
        subject = self.subject
        if not subject.rule.suggestions:
            return self.message.suggestion
        facts = Facts.of(subject.report, subject.context)
        chosen = chosen_suggestion(subject.rule, subject.finding, facts, subject.praise)
        return chosen.text_in(subject.language) if chosen else self.message.suggestion

    def certainty(self) -> str:
        """How sure we are, with the reason."""
        level = level_of(self.subject.finding.confidence or 0.0)
        # "Less sure: your voice was clear" would give a reason for the contrary.
        swapped = level == LESS_SURE and self._is_scant()
        reason = MORE[self.subject.language] if swapped else self.fill(self.message.certainty)
        if level != LESS_SURE and self._is_untested():
            return self._unproven(reason)
        said = _CERTAINTY[self.subject.language][level]
        return f"{said}: {reason}" if self.subject.language == "en" else f"{said}{NBSP}: {reason}"

    def _is_untested(self) -> bool:
        """Whether the reason is that nobody counted our misses here, which makes nothing surer."""
        return "{missed}" in self.message.certainty and not is_measured(self.subject.report)

    def _unproven(self, reason: str) -> str:
        """Never "Sure: our misses are not measured"."""
        said = _CERTAINTY[self.subject.language][FAIRLY_SURE]
        return f"{said}, {'but' if self.subject.language == 'en' else 'mais'} {reason}"

    def _is_scant(self) -> bool:
        """Whether little or unclear sound is what lowers the confidence."""
        rule, report = self.subject.rule, self.subject.report
        lead = report.measurements[rule.severity.metric]
        return rule.modality not in SEEN and lead.quality is not Quality.GOOD

    def comparison(self) -> str:
        """The person's own usual, where it is known and the figure tells of no take before; else
        the band, which the counterfactual names in any case."""
        own = self._told_usual()
        if own is None:
            return self.fill(self.message.comparison)
        # A share is one of what the figure has just named.
        unit = "" if self.subject.rule.value_format in _SHARES else f" {self.message.unit}"
        said = f"{self._before_unit(own.value)}{unit}."
        if self.subject.language == "en":
            return self._mended(f"Usual for you: {said}")
        return self._mended(f"Votre valeur habituelle{NBSP}: {said}")

    def source(self) -> str:
        """Where the comparison comes from; of the person's own usual also over how many takes."""
        given, own = self.subject.rule.source_in(self.subject.language), self._told_usual()
        if own is None:
            return given
        if self.subject.language == "en":
            return f"your usual over {own.takes} takes; {given}"
        return f"votre habitude sur {own.takes} prises{NBSP}; {given}"

    def _told_usual(self) -> Baseline | None:
        """What the comparison tells of; None where it tells of the band."""
        own = self._own_usual()
        return own if own and self._before_unit(own.value) and not self.change() else None

    def _own_usual(self) -> Baseline | None:
        """What is usual for this person; none where the same words would tell of the contrary."""
        rule = self.subject.rule
        own = self.subject.context.baseline.get(rule.severity.metric)
        if own is None or own.takes < BASELINE_TAKES or rule.severity.relative_to != "nothing":
            return None
        if BY_ID[rule.severity.metric].unit == "count" and rule.value_format == "whole":
            return None  # There or not: "Usual for you: about 1 formula" says nothing.
        value = self.subject.report.measurements[rule.severity.metric].value
        return own if is_same_side(own.value, value, rule.value_format) else None

    def _change(self, previous: float, value: float) -> str:
        was, unit = self._before_unit(previous), self.message.unit
        now = self._at_the_careful_end() or self._before_unit(value)
        if not was or not now:
            return ""
        span, again = self._filling("range"), time_word(unit, previous, value)
        # Two lengths that differ by seconds are the same in minutes.
        is_same = self._mended(f"{was} {unit}") == self._mended(f"{now} {unit}")
        if self.subject.language == "en":
            if is_same:
                return f"As last time, this was {now} {unit}{span}."
            return f"Last time this was {was} {unit}, now {now}{again}{span}."
        if is_same:
            return f"Comme la dernière fois, c’était {now} {unit}{span}."
        return f"La dernière fois, c’était {was} {unit}, maintenant {now}{again}{span}."

    def _said(self, value: float) -> str:
        return in_words(self._scaled(value), self.subject.rule.value_format, self.subject.language)

    def _before_unit(self, value: float) -> str:
        number, language = self._scaled(value), self.subject.language
        return before_a_unit(number, self.subject.rule.value_format, language)

    def _scaled(self, value: float) -> float:
        rule = self.subject.rule
        if rule.value_format == "faster" and rule.severity.relative_to == "baseline":
            own = self.subject.context.baseline.get(rule.severity.metric)
            return value / own.value if own else value
        return value

    def _filling(self, name: str) -> str:
        return _FILLINGS[name](self)

    def value(self) -> str:
        return self._at_the_careful_end() or self._said(self._lead().value)

    def span(self) -> str:
        rule = self.subject.rule
        if self._at_the_careful_end():
            return ""
        return range_in_words(self._lead().interval, rule.value_format, self.subject.language)

    def _lead(self) -> Measurement:
        return self.subject.report.measurements[self.subject.rule.severity.metric]

    def _at_the_careful_end(self) -> str:
        """Of what would be called nearly all or almost none: how far its range lets it be."""
        lead = self._lead()
        return careful_share(
            lead.value, lead.interval, self.subject.rule.value_format, self.subject.language
        )

    def moments(self) -> tuple[Moment, ...]:
        return self.subject.finding.moments

    def times(self) -> str:
        """When each of the moments to play begins: as many times as there are clips."""
        return times_in_words(tuple(c.start if c.at is None else c.at for c in self.clips))

    def longest(self) -> Moment:
        return max(self.moments(), key=lambda m: (m.end - m.start, -m.start))

    def quote(self) -> str:
        return self._quoted(self.quotes[0].text if self.quotes else "")

    def _quoted(self, said: str) -> str:
        is_french = self.subject.language == "fr"
        text = "…" if self.subject.hides_quotes else self._shortened(said, is_french=is_french)
        return f"«{NBSP}{text}{NBSP}»" if is_french else f"“{text}”"

    def _shortened(self, said: str, *, is_french: bool) -> str:
        spoken = said.removesuffix("?").replace("'", "’").split()
        most = most_words_of(said)
        text = " ".join(spoken[:most]).rstrip(",;:")
        text += " …" if len(spoken) > most else ""
        if said.endswith("?"):
            text += f"{NBSP}?" if is_french else "?"
        return text

    def halfway(self) -> str:
        """A sentence of its own on what was being said at half of the time; empty where unsure."""
        quote = words_at_half(self.subject.report, self.subject.context.time_limit)
        if quote is None:
            return ""
        said, at = self._quoted(quote.text), clock(quote.start)
        if self.subject.language == "en":
            return f" At half time ({at}) you were at {said}."
        return f" À mi-temps ({at}), vous en étiez à {said}."

    def quoted_at_half(self) -> tuple[Quote, ...]:
        """The same, where the claim or the suggestion says it: what they quote can be told from
        `quotes`. A comparison stands in no export, and drafts of before stay as they are."""
        if "{halfway}" not in self.message.claim + self._suggestion():
            return ()
        quote = words_at_half(self.subject.report, self.subject.context.time_limit)
        return () if quote is None else (quote,)

    def edge(self) -> str:
        rule = self.subject.rule
        return edge_in_words(rule.severity.edge, rule.value_format, self.subject.language)

    def edge_in_five(self) -> str:
        """The edge of a rate, in five minutes."""
        rule = self.subject.rule
        return edge_in_words(rule.severity.edge * 5, rule.value_format, self.subject.language)

    def least_count(self) -> str:
        """How many of its moments the rule needs."""
        return str(round(self.subject.rule.least_moments[0]))

    def least_seconds(self) -> str:
        """How long each of them must be."""
        return f"{self.subject.rule.least_moments[1]:g}"

    def fillers(self) -> str:
        """': “um”, “like”, “you know”': what lies in the moments, the most frequent first."""
        said = Counter(
            event.label
            for event in self.subject.report.events
            if event.kind in _FILLERS and event.label
            if any(m.start <= event.start < m.end for m in self.moments())
        )
        named = [label for label, _ in sorted(said.items(), key=lambda each: (-each[1], each[0]))]
        if not named or self.subject.hides_quotes:
            return ""
        quoted = ", ".join(map(self._quoted, named[:_MOST_NAMED]))
        return f"{NBSP if self.subject.language == 'fr' else ''}: {quoted}"

    def stands(self) -> str:
        """The value with its unit, where its line can be said beside it; not of what is there or
        not, as a closing formula: "about 1; the line is 1" says nothing."""
        rule = self.subject.rule
        is_time = rule.value_format in {"clock", "times_limit"}
        is_counted = BY_ID[rule.severity.metric].unit == "count"
        number = self.subject.report.measurements[rule.severity.metric].value
        if is_time or is_counted or is_spelt(number, rule.value_format):
            return ""
        return self._mended(f"{self.value()} {self.message.unit}")

    def line(self) -> str:
        """The edge of the band, where it is a number that people say."""
        edge = self.edge()
        return edge if self.stands() and not _DECIMAL.search(edge) else ""

    def limit(self) -> str:
        return clock(self.subject.context.time_limit or 0.0)

    def missed(self) -> str:
        return missed_in_words(self.subject.report, self.subject.language)

    def baseline(self) -> str:
        own = self.subject.context.baseline.get(self.subject.rule.severity.metric)
        return self._said(own.value) if own else ""


_FILLINGS = {
    "value": CardWords.value,
    "range": CardWords.span,
    "times": CardWords.times,
    "from": lambda words: clock(words.longest().start),
    "to": lambda words: clock(words.longest().end),
    "count": lambda words: str(words.subject.finding.count),
    "quote": CardWords.quote,
    "edge": CardWords.edge,
    "edge_in_five": CardWords.edge_in_five,
    "fillers": CardWords.fillers,
    "least_count": CardWords.least_count,
    "least_seconds": CardWords.least_seconds,
    "limit": CardWords.limit,
    "baseline": CardWords.baseline,
    "missed": CardWords.missed,
    "halfway": CardWords.halfway,
}

"""Card texts: a message's templates, filled in from the report."""

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
from feedback_rules.select.certainty import CERTAINTY_WORDS, FAIRLY_SURE, LESS_SURE, level_of
from feedback_rules.select.evidence import clips_of, quotes_for, words_at_half
from feedback_rules.select.missed_fillers import is_measured, missed_in_words
from feedback_rules.select.numbers import (
    NBSP,
    before_a_unit,
    careful_share,
    corrected_sentence,
    edge_in_words,
    in_words,
    is_same_side,
    is_spelt,
    range_in_words,
    time_word,
    times_in_words,
)
from feedback_rules.select.score import JUST_PAST, previous_of
from feedback_rules.select.silent import adapted_to_media

MOST_QUOTED_WORDS = 4
"""Longest quote in a sentence; the full quote is in `quotes`."""
MOST_ASKED_WORDS = 6
"""Longest quoted question, which says nothing before its verb: “What time do I …?”."""

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
"""Placeholders of a message; docs/reference/writing-rules.md explains each."""

_BRACKETED_TIMES = re.compile(r"\s*\([^()]*\{times\}[^()]*\)")

_FILLERS = frozenset({"filled_pause", "filler_word"})
_MOST_NAMED = 3

_SHARES = frozenset({"percent", "fine_percent"})

_DECIMAL = re.compile(r"\d[.,]\d")

MORE: dict[ReadingLanguage, str] = {
    "en": "a longer, clearer take would help.",
    "fr": "une prise plus longue ou plus nette aiderait.",
}
"""Reason given if little or unclear sound lowers the certainty."""
SEEN = frozenset({"face", "body"})
"""Modalities that do not depend on sound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Input of a card."""

    rule: Rule
    finding: Finding
    factors: Factors
    facts: Facts
    language: ReadingLanguage
    praise: tuple[Praise, ...] = ()
    """Behaviours praised by strengths of the same report; no suggestion asks for them."""
    hides_quotes: bool = False
    """Whether quotes are replaced by an ellipsis, for readers without access to the transcript."""

    @property
    def report(self) -> Report:
        return self.facts.report

    @property
    def context(self) -> Context:
        return self.facts.context


def most_words_of(said: str) -> int:
    """Return the most words of a quote in the sentence that quotes it."""
    return MOST_ASKED_WORDS if said.endswith("?") else MOST_QUOTED_WORDS


@lru_cache(maxsize=4096)
def _names_in(template: str) -> tuple[str, ...]:
    return tuple({name for _, name, _, _ in Formatter().parse(template) if name})


@dataclass(frozen=True, slots=True, kw_only=True)
class CardWords:
    """Texts of one card."""

    subject: Subject
    message: Message
    quotes: tuple[Quote, ...]
    clips: tuple[Clip, ...]

    @classmethod
    def of(cls, subject: Subject) -> Self:
        """Build the texts from the rule's message in the language of the card, adapted to a
        recording without sound.
        """
        rule, finding, report = subject.rule, subject.finding, subject.report
        message = rule.message.en if subject.language == "en" else rule.message.fr
        return cls(
            subject=subject,
            message=adapted_to_media(message, report, subject.language),
            quotes=quotes_for(rule, finding, report),
            clips=clips_of(finding.moments, report.media.duration),
        )

    def fill(self, template: str) -> str:
        """Return the template with its placeholders filled in; without clips, no times."""
        if not self.clips:
            template = _BRACKETED_TIMES.sub("", template)
        text = template.format(**{name: self._filling(name) for name in _names_in(template)})
        return self._mended(text)

    def _mended(self, text: str) -> str:
        return corrected_sentence(text, self.subject.language)

    def claim(self) -> str:
        """Return the observation; for a focus almost achieved, without "often"."""
        finding = self.subject.finding
        is_near = finding.held_focus and self.subject.factors.severity < JUST_PAST
        return self.fill((is_near and self.message.claim_near) or self.message.claim)

    def figure(self) -> str:
        """Return the number with its meaning, as a change if the item was shown before."""
        return self.change() or self.fill(self.message.figure)

    def change(self) -> str:
        """Return the change since last time; empty if the figures do not show one."""
        previous = self._previous()
        if previous is None:
            return ""
        now = self.subject.report.measurements[self.subject.rule.severity.metric].value
        return self._mended(self._change(previous, now))

    def _previous(self) -> float | None:
        """Return last time's value; None if the figure cannot express a change."""
        rule, previous = self.subject.rule, previous_of(self.subject.rule, self.subject.context)
        if previous is None or previous.value is None or rule.tone == "strength":
            return None
        now = self.subject.report.measurements[rule.severity.metric].value
        return previous.value if is_same_side(previous.value, now, rule.value_format) else None

    def why(self) -> str:
        """Return why it matters, for the aim if the rule has words for it."""
        aim = self.subject.context.aim
        special = self.message.why_for.get(aim) if aim else None
        return self.fill(special or self.message.why)

    def suggestion(self) -> str:
        """Return the suggestion that fits the report."""
        return self.fill(self._suggestion())

    def _suggestion(self) -> str:
        subject = self.subject
        if not subject.rule.suggestions:
            return self.message.suggestion
        chosen = chosen_suggestion(subject.rule, subject.finding, subject.facts, subject.praise)
        return chosen.text_in(subject.language) if chosen else self.message.suggestion

    def certainty(self) -> str:
        """Return the certainty with its reason."""
        level = level_of(self.subject.finding.confidence or 0.0)
        # "Less sure: your voice was clear" would be a reason for the contrary.
        swapped = level == LESS_SURE and self._is_scant()
        reason = MORE[self.subject.language] if swapped else self.fill(self.message.certainty)
        if level != LESS_SURE and self._is_untested():
            return self._unproven(reason)
        said = CERTAINTY_WORDS[self.subject.language][level]
        return f"{said}: {reason}" if self.subject.language == "en" else f"{said}{NBSP}: {reason}"

    def _is_untested(self) -> bool:
        """Return whether the reason is an unmeasured miss rate, which
        does not increase certainty.
        """
        return "{missed}" in self.message.certainty and not is_measured(self.subject.report)

    def _unproven(self, reason: str) -> str:
        """Return an adjusted sentence, to avoid "Sure: our misses are not measured"."""
        said = CERTAINTY_WORDS[self.subject.language][FAIRLY_SURE]
        return f"{said}, {'but' if self.subject.language == 'en' else 'mais'} {reason}"

    def _is_scant(self) -> bool:
        """Return whether little or unclear sound lowers the confidence."""
        rule, report = self.subject.rule, self.subject.report
        lead = report.measurements[rule.severity.metric]
        return rule.modality not in SEEN and lead.quality is not Quality.GOOD

    def comparison(self) -> str:
        """Return the person's usual value if known and the figure is not a change, otherwise the
        band.

        The counterfactual names the band in any case.
        """
        own = self._told_usual()
        if own is None:
            return self.fill(self.message.comparison)
        # A share is part of the thing just named by the figure.
        unit = "" if self.subject.rule.value_format in _SHARES else f" {self.message.unit}"
        said = f"{self._before_unit(own.value)}{unit}."
        if self.subject.language == "en":
            return self._mended(f"Usual for you: {said}")
        return self._mended(f"Votre valeur habituelle{NBSP}: {said}")

    def source(self) -> str:
        """Return the source of the comparison, with the number of takes for the person's usual
        value.
        """
        given, own = self.subject.rule.source_in(self.subject.language), self._told_usual()
        if own is None:
            return given
        if self.subject.language == "en":
            return f"your usual over {own.takes} takes; {given}"
        return f"votre habitude sur {own.takes} prises{NBSP}; {given}"

    def _told_usual(self) -> Baseline | None:
        """Return the baseline used in the comparison; None if it names the band."""
        own = self._own_usual()
        return own if own and self._before_unit(own.value) and not self.change() else None

    def _own_usual(self) -> Baseline | None:
        """Return the person's baseline; None if the same words would mean the contrary."""
        rule = self.subject.rule
        own = self.subject.context.baseline.get(rule.severity.metric)
        if own is None or own.takes < BASELINE_TAKES or rule.severity.relative_to != "nothing":
            return None
        if BY_ID[rule.severity.metric].unit == "count" and rule.value_format == "whole":
            return None  # Present or not: "Usual for you: about 1 formula" says nothing.
        value = self.subject.report.measurements[rule.severity.metric].value
        return own if is_same_side(own.value, value, rule.value_format) else None

    def _change(self, previous: float, value: float) -> str:
        was, unit = self._before_unit(previous), self.message.unit
        now = self._at_the_careful_end() or self._before_unit(value)
        if not was or not now:
            return ""
        span, again = self._filling("range"), time_word(unit, previous, value)
        # Two lengths that differ by seconds may be equal in minutes.
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
        """Return the cautious end of the interval for a value that would be called nearly all or
        almost none.
        """
        lead = self._lead()
        return careful_share(
            lead.value, lead.interval, self.subject.rule.value_format, self.subject.language
        )

    def moments(self) -> tuple[Moment, ...]:
        return self.subject.finding.moments

    def times(self) -> str:
        """Return the start of each clip, as many times as there are clips."""
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
        """Return a sentence about the words at half of the time limit; empty if uncertain."""
        quote = words_at_half(self.subject.report, self.subject.context.time_limit)
        if quote is None:
            return ""
        said, at = self._quoted(quote.text), clock(quote.start)
        if self.subject.language == "en":
            return f" At half time ({at}) you were at {said}."
        return f" À mi-temps ({at}), vous en étiez à {said}."

    def quoted_at_half(self) -> tuple[Quote, ...]:
        """Return the quote at half time if the claim or the suggestion contains it.

        Quotes of these texts are redacted by means of `quotes`. A comparison is in no export, and
        former drafts do not change.
        """
        if "{halfway}" not in self.message.claim + self._suggestion():
            return ()
        quote = words_at_half(self.subject.report, self.subject.context.time_limit)
        return () if quote is None else (quote,)

    def edge(self) -> str:
        rule = self.subject.rule
        return edge_in_words(rule.severity.edge, rule.value_format, self.subject.language)

    def edge_in_five(self) -> str:
        """Return the threshold of a rate, per five minutes."""
        rule = self.subject.rule
        return edge_in_words(rule.severity.edge * 5, rule.value_format, self.subject.language)

    def least_count(self) -> str:
        """Return the required number of moments."""
        return str(round(self.subject.rule.least_moments[0]))

    def least_seconds(self) -> str:
        """Return the required length of each moment."""
        return f"{self.subject.rule.least_moments[1]:g}"

    def fillers(self) -> str:
        """Return the fillers in the moments, the most frequent first: ':
        “um”, “like”, “you know”'.
        """
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
        """Return the value with its unit, if the threshold can be stated next to it.

        Empty for things that are present or not, such as a closing formula: "about 1; the line is
        1" says nothing.
        """
        rule = self.subject.rule
        is_time = rule.value_format in {"clock", "times_limit"}
        is_counted = BY_ID[rule.severity.metric].unit == "count"
        number = self.subject.report.measurements[rule.severity.metric].value
        if is_time or is_counted or is_spelt(number, rule.value_format):
            return ""
        return self._mended(f"{self.value()} {self.message.unit}")

    def line(self) -> str:
        """Return the threshold, if it is a number that people say; otherwise an empty string."""
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

"""A rule's conditions, weight and gates in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.metric import UNITS
from analysis.metrics import BY_ID
from coach.curation import words
from coach.curation.editor.fields import number_text
from coach.feedback.pages.measures import REASONS
from coach.lib.words.clock import clock
from coach.lib.words.measure_words import event_words, label_of, language_words, unit_words
from coach.lib.words.numbers import typeset
from coach.lib.words.punctuation import within_quotes
from feedback_rules.evaluate.gates import UNRELIABLE
from feedback_rules.model import (
    EventCondition,
    EventFilter,
    MetricCondition,
    Rule,
    Severity,
    SkippedCondition,
)

Condition = MetricCondition | EventCondition | SkippedCondition

_WHOLE_PERCENT = 100
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A lead sentence with its lines, one sentence each."""

    lead: str
    lines: tuple[str, ...] = ()


def both_say(one: Iterable[Part], other: Iterable[Part]) -> frozenset[str]:
    """Return the sentences that both have in common."""
    return frozenset(_said(one)) & frozenset(_said(other))


def _said(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        yield part.lead
        yield from part.lines


def when_it_speaks(rule: Rule) -> tuple[Part, ...]:
    """Return all conditions for a rule to fire, and its weight."""
    parts = (
        Part(lead=_("It gives a card if all of these are true:"), lines=_lines(rule.when.all)),
        Part(lead=_("If one of these is true:"), lines=_lines(rule.when.any)),
        Part(lead=_second_sign(rule), lines=_lines(rule.when.co_signals)),
        Part(lead=_("Unless one of these is true:"), lines=_lines(rule.when.unless)),
        Part(lead=_("Recording conditions:"), lines=tuple(_asked(rule))),
        Part(lead=_("No card if this was found:"), lines=tuple(_silencing(rule))),
    )
    last = Part(lead=" ".join((_band(rule), *_consequences(rule))))
    return (*_never(rule), *(part for part in parts if part.lines), last)


def _never(rule: Rule) -> Iterator[Part]:
    """Yield a notice if the rule is a draft or retired and never fires."""
    if rule.status == "retired":
        yield Part(
            lead=_("This rule is retired and gives no cards. These conditions applied before.")
        )
    elif rule.status == "draft":
        yield Part(
            lead=_("This rule is a draft and gives no cards yet. These conditions would apply.")
        )


def _lines(conditions: Iterable[Condition]) -> tuple[str, ...]:
    return tuple(condition_words(condition) for condition in conditions)


def condition_words(condition: Condition) -> str:
    """Return a condition as a sentence."""
    if isinstance(condition, MetricCondition):
        return _number_words(condition)
    if isinstance(condition, EventCondition):
        return _("%(moments)s: %(often)s.") % {
            "moments": moments_words(condition),
            "often": " ".join(_often(condition)),
        }
    return ngettext(
        "%(n)s measure could not be made, because: %(reason)s",
        "%(n)s measures or more could not be made, because: %(reason)s",
        condition.at_least,
    ) % {"n": condition.at_least, "reason": REASONS[condition.skipped]}


def _number_words(condition: MetricCondition) -> str:
    compared = f"{words.OPERATOR[condition.op]} {_limit_words(condition)}"
    which = "" if condition.use == "value" else f" ({words.USE[condition.use]})"
    return _("“%(measure)s” %(compared)s.") % {
        "measure": within_quotes(label_of(condition.metric)),
        "compared": f"{compared}{which}",
    }


def _limit_words(condition: MetricCondition) -> str:
    ends = condition.band or (condition.value or 0.0,)
    *before, last = (_amount(end, condition.metric, condition.relative_to) for end in ends)
    return _("%(low)s and %(high)s") % {"low": before[0], "high": last} if before else last


def _amount(value: float, metric: str, relative_to: str) -> str:
    """Return a limit with its unit: 50%, 5 per minute, 110% of the time limit."""
    if relative_to == "baseline":
        return _("%(share)s of the speaker’s baseline") % {"share": _percent(value)}
    if relative_to == "time_limit":
        return _("%(share)s of the time limit") % {"share": _percent(value)}
    unit = BY_ID[metric].unit
    if unit == "share":
        return _percent(value)
    return _number(value) if unit in {"ratio", "count"} else _with_unit(value, unit)


def _with_unit(value: float, unit: str) -> str:
    return f"{_number(value)} {unit_words(unit, value, is_as_written=True)}"


def _number(value: float) -> str:
    """Return a number as in the document, with the reader's decimal mark."""
    return typeset(number_text(value))


def _percent(value: float) -> str:
    number = _number(round(value * _WHOLE_PERCENT, 6))
    return _("%(number)s%%") % {"number": number}


def moments_words(wanted: EventFilter) -> str:
    """Return the selected moments: looks away (down, side), of 3 s or more, in the opening."""
    parts = [event_words(wanted.event), *_of_kinds(wanted)]
    if wanted.min_seconds:
        parts.append(_("of %(n)s s or more") % {"n": _number(wanted.min_seconds)})
    if wanted.within:
        parts.append(_("in %(windows)s") % {"windows": _either(wanted.within, words.WINDOW)})
    if wanted.overlaps:
        parts.append(_during(wanted, event_words(wanted.overlaps)))
    if wanted.free_of:
        parts.append(
            _("without “%(others)s”") % {"others": within_quotes(event_words(wanted.free_of))}
        )
    return " ".join(parts)


def _of_kinds(wanted: EventFilter) -> Iterator[str]:
    """Yield the kinds in brackets: down, side, or any in the opening."""
    kinds = [words.kind_of_moment(each) for each in (*wanted.labels, *wanted.detail.values())]
    kinds += [
        _("%(what)s: %(n)s or more") % {"what": words.detail_of_moment(key), "n": _number(value)}
        for key, value in wanted.detail_at_least.items()
    ]
    if kinds and wanted.or_within:
        windows = _either(wanted.or_within, words.WINDOW)
        kinds.append(_("or any in %(windows)s") % {"windows": windows})
    if kinds:
        yield "({})".format(", ".join(kinds))


def _during(wanted: EventFilter, others: str | Promise) -> str:
    kinds = ", ".join(map(words.kind_of_moment, wanted.overlap_labels))
    return _("that share at least %(share)s of their time with “%(others)s”") % {
        "share": _percent(wanted.overlap_share),
        "others": within_quotes(f"{others} ({kinds})" if kinds else others),
    }


def _often(condition: EventCondition) -> Iterator[str]:
    limits = ((_("at least"), condition.at_least), (_("at most"), condition.at_most))
    for lead, limit in limits:
        if limit is None:
            continue
        n = _number(limit)
        times = _("once") if limit == 1 else _("%(n)s times") % {"n": n}
        yield f"{lead} {_('%(n)s a minute') % {'n': n} if condition.per_minute else times}"


def _either(codes: Iterable[str], named: words.Words | words.Choices) -> str:
    names = dict(named)
    *before, last = [str(names.get(code, code)) for code in codes]
    if not before:
        return last
    return _("%(these)s or %(last)s") % {"these": ", ".join(before), "last": last}


def _second_sign(rule: Rule) -> str:
    if rule.when.without_co_signal == "silent":
        return _("And one second sign, otherwise there is no card:")
    if rule.grade == "C" and rule.decided_by != "coach":
        return _("And one second sign, otherwise the card waits for a coach:")
    return _("Second signs (they have no effect with this grade and this decision):")


def _asked(rule: Rule) -> Iterator[str]:
    gates, applies = rule.gates, rule.applies
    if gates.min_seconds:
        yield _("the talk lasts %(time)s or longer") % {"time": clock(gates.min_seconds)}
    yield _("its measures cover at least %(share)s of the speech and count as: %(least)s") % {
        "share": _percent(gates.min_coverage),
        "least": words.LEAST_MEASURED[gates.min_quality],
    }
    if gates.min_n:
        yield _("its main number is based on at least %(n)s") % {"n": gates.min_n}
    if gates.min_word_probability:
        sure = _percent(gates.min_word_probability)
        yield _("at least half of the words have a confidence of %(share)s or more") % {
            "share": sure
        }
    yield from (condition_words(need).removesuffix(".") for need in gates.needs)
    lists = (
        (_("the aim is: %(these)s"), _either_of(applies.aims, words.aims())),
        (_("the audience is: %(these)s"), _either_of(applies.audiences, words.audiences())),
        (_("the setting is: %(these)s"), _either_of(applies.settings, words.settings())),
        (_("the talk is in: %(these)s"), ", ".join(map(language_words, applies.languages))),
        (_("there is: %(these)s"), ", ".join(str(words.MEDIA[each]) for each in applies.media)),
        (
            _("the camera is not: %(these)s"),
            _either_of(applies.except_camera_positions, words.cameras()),
        ),
    )
    yield from (sentence % {"these": these} for sentence, these in lists if these)
    if applies.slides == "without":
        yield _("no slides are shown")
    if applies.notes == "not_scrolling":
        yield _("no text scrolls on the screen")
    if applies.speakers == "first_language":
        yield _("the speaker did not say that they speak a language learned later")


def _either_of(codes: tuple[str, ...], named: words.Choices) -> str:
    return _either(codes, named) if codes else ""


def _silencing(rule: Rule) -> Iterator[str]:
    """Yield the reasons that silence the rule: its own, and those of unreliable measures."""
    for reason, sentence in REASONS.items():
        if reason in rule.gates.silent_if or rule.families & UNRELIABLE.get(reason, frozenset()):
            yield str(sentence)


def _band(rule: Rule) -> str:
    severity = rule.severity
    step = severity.width if severity.direction == "above" else -severity.width
    edge = _amount(severity.edge, severity.metric, severity.relative_to)
    full = _amount(round(severity.edge + step, 6), severity.metric, severity.relative_to)
    name = within_quotes(label_of(severity.metric))
    if _never_gets_there(severity):
        sentence = (
            _(
                "Its weight grows the further “%(name)s” is above %(edge)s, but never reaches "
                "the full weight."
            )
            if severity.direction == "above"
            else _(
                "Its weight grows the further “%(name)s” is below %(edge)s, but never reaches "
                "the full weight."
            )
        )
        return sentence % {"name": name, "edge": edge}
    sentence = (
        _("Its weight grows as “%(name)s” rises from %(edge)s to %(full)s.")
        if severity.direction == "above"
        else _("Its weight grows as “%(name)s” falls from %(edge)s to %(full)s.")
    )
    return sentence % {"name": name, "edge": edge, "full": full}


def _never_gets_there(band: Severity) -> bool:
    """Return whether full weight would need a value that the measure cannot have."""
    if band.direction == "above":
        is_share = BY_ID[band.metric].unit == "share" and band.relative_to == "nothing"
        return is_share and band.edge + band.width > 1 + _ROUNDING
    has_floor = not UNITS[BY_ID[band.metric].unit].is_signed or band.relative_to != "nothing"
    return has_floor and band.edge - band.width < -_ROUNDING


def _consequences(rule: Rule) -> Iterator[str]:
    if rule.tone == "improvement":
        yield _(
            "Once shown, it stays the focus until this no longer applies, for three takes at most."
        )
    if rule.decided_by == "coach":
        yield _("Only a coach shows it.")
    elif rule.grade == "C" and not rule.when.co_signals:
        yield _("A coach has to confirm it.")
    yield from _beside_others(rule)


def _beside_others(rule: Rule) -> Iterator[str]:
    """Yield the rule's relations to other rules."""
    sentences = (
        (_("If it gives a card, it replaces %(rules)s."), rule.replaces),
        (_("If both play the same moment, it replaces %(rules)s."), rule.replaces_at),
        (_("Never shown together with %(rules)s, because they contradict."), rule.never_with),
    )
    yield from (said % {"rules": ", ".join(rules)} for said, rules in sentences if rules)
    if rule.offered:
        yield _("Its exercise may be offered if no card stood out.")

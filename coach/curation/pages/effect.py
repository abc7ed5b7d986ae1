"""The effect of an edit on the latest takes, counted before it is proposed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError

from analysis.metrics import BY_ID
from coach.curation.dry_runs.selectors import newest_drafts
from coach.curation.pages.sentences import condition_words
from coach.curation.selectors import working_rule
from coach.feedback.models import Feedback
from coach.feedback.reports import report_of
from coach.feedback.runs.drafting import stored_context
from coach.rulesets.selectors import rule_of
from feedback_rules.evaluate import Facts
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.model import Rule
from feedback_rules.model.rule import Condition, MetricCondition

LATEST = 100
"""The number of takes to count while the curator waits: about a second (rule of thumb)."""


_READ = ("context", "corrects", "run__report__document")
_STEPS = (-2, -1, 0, 1, 2)
_SHARE_STEP, _OTHER_STEP = 0.05, 0.1
"""The distance of two thresholds: five points of a share, else a tenth (rules of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtThreshold:
    """The number of takes with a card from a rule if one threshold were another."""

    words: str
    takes: int
    is_chosen: bool
    """Whether it is the threshold of the edit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The number of takes with a card from a rule, before and after an edit."""

    takes: int
    now: int
    changed: int
    new: int
    """Takes with a new card."""
    gone: int
    """Takes that lose the card."""
    at_thresholds: tuple[AtThreshold, ...] = ()
    """The number of takes with a card at thresholds around the rule's."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The counts in sentences."""
        if not self.takes:
            return (_("There are no takes yet to try it on."),)
        looked = ngettext(
            "Looked at the latest take.", "Looked at the latest %(n)s takes.", self.takes
        ) % {"n": self.takes}
        speaks = _("It gives a card for %(now)s of them now, and for %(changed)s after the change.")
        differs = _("It would give a new card for %(new)s and no longer give one for %(gone)s.")
        return (
            looked,
            speaks % {"now": self.now, "changed": self.changed},
            differs % {"new": self.new, "gone": self.gone},
        )


def effect_of(rule: Rule) -> Effect:
    """Return the effect on stored reports, in the stored contexts of their drafts.

    It returns counts only, so it includes takes without consent to rule previews.
    """
    working = working_rule(rule.id)
    standing = rule_of(working.active) if working and working.active else None
    drafts = newest_drafts().select_related("run__report").prefetch_related("lent")
    latest = drafts.order_by("-pk")
    read = [facts for each in latest.only(*_READ)[:LATEST] if (facts := _facts(each)) is not None]
    pairs = [(_speaks(standing, facts), _speaks(rule, facts)) for facts in read]
    return Effect(
        takes=len(pairs),
        now=sum(now for now, _changed in pairs),
        changed=sum(changed for _now, changed in pairs),
        new=sum(changed and not now for now, changed in pairs),
        gone=sum(now and not changed for now, changed in pairs),
        at_thresholds=tuple(
            AtThreshold(
                words=condition_words(condition),
                takes=sum(_speaks(moved, facts) for facts in read),
                is_chosen=moved == rule,
            )
            for condition, moved in _at_thresholds(rule)
        ),
    )


def _facts(feedback: Feedback) -> Facts | None:
    """Return what the rules know of this take, or None if its report is unreadable."""
    try:
        return Facts.of(report_of(feedback.run), stored_context(feedback))
    except ValidationError:
        return None


def _speaks(rule: Rule | None, facts: Facts) -> bool:
    return rule is not None and finding_of(rule, facts).fired


def _at_thresholds(rule: Rule) -> Iterator[tuple[MetricCondition, Rule]]:
    """Yield the rule with five thresholds of the measure that it is about."""
    main = next((each for each in rule.when.all if _is_main(rule, each)), None)
    if not isinstance(main, MetricCondition) or main.value is None:
        return
    place = rule.when.all.index(main)
    is_share = BY_ID[main.metric].unit == "share" and main.relative_to == "nothing"
    step = _SHARE_STEP if is_share else abs(main.value) * _OTHER_STEP
    for number in _STEPS:
        value = round(main.value + number * step, 6) if number else main.value
        if is_share and not 0 <= value <= 1:
            continue
        moved = main.model_copy(update={"value": value})
        conditions = (*rule.when.all[:place], moved, *rule.when.all[place + 1 :])
        when = rule.when.model_copy(update={"all": conditions})
        yield moved, rule.model_copy(update={"when": when})


def _is_main(rule: Rule, condition: Condition) -> bool:
    """Return whether the condition is a threshold other than 0 of the rule's main measure."""
    return (
        isinstance(condition, MetricCondition)
        and bool(condition.value)
        and condition.metric == rule.severity.metric
    )

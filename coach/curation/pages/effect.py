"""The effect of an edit on the latest takes, counted before it is proposed."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError

from coach.curation.dry_runs.selectors import newest_drafts
from coach.curation.selectors import working_rule
from coach.feedback.models import Feedback
from coach.feedback.reports import report_of
from coach.feedback.runs.drafting import stored_context
from coach.rulesets.selectors import rule_of
from feedback_rules.evaluate import Facts
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.model import Rule

LATEST = 100
"""The number of takes to count while the curator waits: about a second (rule of thumb)."""


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
    pairs = [
        pair
        for each in latest.only("context", "corrects", "run__report__document")[:LATEST]
        if (pair := _on(each, standing, rule)) is not None
    ]
    return Effect(
        takes=len(pairs),
        now=sum(now for now, _changed in pairs),
        changed=sum(changed for _now, changed in pairs),
        new=sum(changed and not now for now, changed in pairs),
        gone=sum(now and not changed for now, changed in pairs),
    )


def _on(feedback: Feedback, standing: Rule | None, changed: Rule) -> tuple[bool, bool] | None:
    """Return whether each version fires on this take, or None if its report is unreadable."""
    try:
        facts = Facts.of(report_of(feedback.run), stored_context(feedback))
    except ValidationError:
        return None
    speaks = standing is not None and finding_of(standing, facts).fired
    return speaks, finding_of(changed, facts).fired

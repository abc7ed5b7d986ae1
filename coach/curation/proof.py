"""What still keeps a rule from being approved, in words for curators."""

from __future__ import annotations

from django.utils.translation import gettext as _

from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.explain import place_of, problems_of, why_silent
from feedback_rules.model import Case, Rule

NO_CARD = "no case shows the card"
"""How the linter's sentence begins that follows from every case failing."""


def open_problems(rule: Rule) -> tuple[str, ...]:
    """One sentence a problem; empty where the rule may be approved."""
    return tuple(dict.fromkeys(_in_words(problem, rule) for problem in problems_of(rule)))


def _in_words(problem: str, rule: Rule) -> str:
    match place_of(problem, rule):
        case ("cases", int(index)):
            case = rule.cases[index]
            given = {"case": case.name, "words": why_case_fails(rule, case)}
            return _("The case “%(case)s” does not hold. %(words)s") % given
    if problem.startswith(NO_CARD):
        return no_card()
    return f"{problem[:1].upper()}{problem[1:]}."


def no_card() -> str:
    """Where no case shows what the rule would say."""
    return _("It speaks in none of its cases, so there is no card.")


def why_case_fails(rule: Rule, case: Case) -> str:
    """What the rule makes of a case that does not hold, and what it should."""
    speaking = rule.model_copy(update={"status": "stable"}) if rule.status == "draft" else rule
    finding = finding_of(speaking, Facts.of(case_report(case.report), case.context))
    if finding.fired and not case.fires:
        return _("The rule should stay silent here, and speaks.")
    if case.fires and not finding.fired:
        silent = {"why": why_silent(finding, "en")}
        return _("The rule should speak here, and stays silent. %(why)s") % silent
    if case.needs_coach:
        return _("What it says should wait for a coach here, and does not.")
    return _("What it says should not wait for a coach here, and does.")

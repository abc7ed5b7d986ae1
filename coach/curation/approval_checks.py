"""The problems that block a rule's approval, in words for curators."""

from __future__ import annotations

from django.utils.translation import gettext as _

from coach.lib.words.punctuation import within_quotes
from coach.lib.words.rule_words import case_words, reading_language
from coach.lib.words.sentences import template_words
from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.advice import USUAL, chosen_suggestion
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.explain import problems_of, why_silent
from feedback_rules.model import Case, Rule, RuleError, RuleProblem, problem
from feedback_rules.model.sentences import SENTENCES

NO_CARD = "no_card"
"""The code of a problem that follows from every case failing."""
_OF_CASES = frozenset(
    {"case_silent", "case_speaks", "case_needs_coach", "case_needs_none", "case_suggests"}
)


def open_problems(rule: Rule) -> tuple[str, ...]:
    """Return one sentence for each open problem; empty if the rule may be approved."""
    return tuple(dict.fromkeys(_in_words(each, rule) for each in problems_of(rule)))


def is_of_case(problem: RuleProblem) -> bool:
    """Return whether a problem is a failing case."""
    return problem.code in _OF_CASES


def problem_words(problem: RuleProblem) -> str:
    """Return a problem in the reader's language, without its place in the document."""
    return template_words(SENTENCES[problem.code], problem.values)


def error_words(error: RuleError) -> str:
    """Return the error of an unreadable document, with its file, line and place."""
    place = ".".join(map(str, error.problem.place))
    before = f"{error.before}{place}: " if place else error.before
    return f"{before}{problem_words(error.problem)}"


def in_our_words(sentence: str) -> RuleProblem:
    """Return a problem that only the studio detects, from a sentence already translated."""
    return problem("in_words", words=sentence)


def _in_words(found: RuleProblem, rule: Rule) -> str:
    if is_of_case(found):
        case = rule.cases[int(found.place[1])]
        given = {"case": within_quotes(case_words(case.name)), "words": why_case_fails(rule, case)}
        return _("The case “%(case)s” fails. %(words)s") % given
    return no_card() if found.code == NO_CARD else problem_words(found)


def no_card() -> str:
    """Return the sentence for a rule without a case that gives a card."""
    return _("None of its cases gives a card.")


def why_case_fails(rule: Rule, case: Case) -> str:
    """Return a sentence about a failing case: the rule's result and the expected one."""
    speaking = rule.model_copy(update={"status": "stable"}) if rule.status == "draft" else rule
    finding = finding_of(speaking, Facts.of(case_report(case.report), case.context))
    if finding.fired and not case.fires:
        return _("The rule should give no card here, but it does.")
    if case.fires and not finding.fired:
        silent = {"why": why_silent(finding, reading_language())}
        return _("The rule should give a card here, but it does not. %(why)s") % silent
    if case.suggests is not None and case.needs_coach in (None, finding.needs_coach):
        wanted = case.suggests
        facts = Facts.of(case_report(case.report), case.context)
        chosen = chosen_suggestion(speaking, finding, facts, ())
        return _("It should suggest “%(wanted)s” here, but it suggests “%(chosen)s”.") % {
            "wanted": wanted,
            "chosen": chosen.name if chosen else USUAL,
        }
    if case.needs_coach:
        return _("The card should wait for a coach here, but it does not.")
    return _("The card should not wait for a coach here, but it does.")

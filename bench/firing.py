"""Benchmark `firing`: how often each rule fires, on real recordings and on talks with planted
faults.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from bench.document import ROOT, publish
from bench.firing_reasons import OFTEN_BECAUSE, RARE_BECAUSE
from bench.judgement.faults import BY_NAME
from bench.judgement.making import Effort, Task, context_for, context_of, reports
from bench.judgement.recordings import recordings
from bench.judgement.rehearsal import ConstructedTalk, rehearsals
from bench.judgement.speaking import VOICES
from bench.media import ask_for_media, is_there, manifest
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Draft, Outcome, RuleSet
from feedback_rules.select import draft

DOCUMENT = ROOT / "docs" / "firing.md"
RARE, OFTEN = 0.01, 0.6
FEW = 5
"""Fewest talks from which a rule can be called frequent. Rule of thumb."""
_OF_THE_COURSE = ("trend", "opening", "closing", "end_rush")
COULD_NOT = frozenset(
    {
        *(Outcome.NOT_ACTIVE, Outcome.DISABLED_BY_PROFILE, Outcome.MISSING_CONTEXT),
        *(Outcome.OTHER_CONTEXT, Outcome.OTHER_LANGUAGE, Outcome.NO_MEDIA),
        *(Outcome.UNRELIABLE_HERE, Outcome.NOT_MEASURED, Outcome.LOW_QUALITY),
        *(Outcome.LOW_COVERAGE, Outcome.FEW_OBSERVATIONS, Outcome.TOO_SHORT),
        *(Outcome.UNSURE_WORDS, Outcome.SIGNAL_GATE),
    }
)
"""Outcomes for which a rule is not judged: too little was measured, or it is for other talks."""


@dataclass(slots=True)
class Counts:
    """Counts of talks of one kind, with the talks each rule could judge and those in which it
    fired.
    """

    talks: int = 0
    fired: Counter[str] = field(default_factory=Counter)
    could: Counter[str] = field(default_factory=Counter)

    def add(self, made: Draft, only: frozenset[str] | None = None) -> None:
        """Count one draft."""
        self.talks += 1
        for finding in made.findings:
            if only is None or finding.rule in only:
                self.fired[finding.rule] += finding.fired
                self.could[finding.rule] += finding.outcome not in COULD_NOT


@dataclass(slots=True)
class RuleFiringCounts:
    """Counts of real takes, of talks with a rule's planted fault, and of the others."""

    real: Counts = field(default_factory=Counts)
    faulty: Counts = field(default_factory=Counts)
    """Constructed talks with the fault that the rule names."""
    other: Counts = field(default_factory=Counts)
    """Constructed talks without it."""

    def add(self, task: Task, made: Draft) -> None:
        """Count one draft."""
        if not isinstance(task, ConstructedTalk):
            self.real.add(made, of_moments() if task[0].is_repeated else None)
            return
        faults = [BY_NAME[name] for name in task.faults]
        named = frozenset().union(*(fault.named_by for fault in faults))
        self.faulty.add(made, named)
        self.other.add(made, frozenset(each.rule for each in made.findings) - named)


@cache
def of_moments() -> frozenset[str]:
    """Return the rules that apply to any passage.

    A recording repeated to be long enough has no beginning, end or structure, and repeats
    everything.
    """
    return frozenset(
        rule.id
        for rule in builtin_rule_set().rules
        if rule.quality != "structure"
        and not rule.families & {"wording", "structure"}
        and not any(part in metric for metric in rule.required_metrics for part in _OF_THE_COURSE)
    )


def main(arguments: Sequence[str]) -> int:
    """Count, and list the rules that almost never or almost always fire."""
    parser = argparse.ArgumentParser(prog="python -m bench firing", description=__doc__)
    ask_for_media(parser)
    parser.add_argument("--jobs", type=int, default=1, help="talks that are analysed side by side")
    parser.add_argument("--kept", action="store_true", help="only what has been analysed before")
    parser.add_argument("--write", action="store_true", help="update docs/firing.md")
    chosen = parser.parse_args(arguments)
    rules, firing = builtin_rule_set(), RuleFiringCounts()
    effort = Effort(jobs=chosen.jobs, is_only_kept=chosen.kept)
    if is_there(chosen.media):
        real = [(each, chosen.media) for each in recordings(manifest(chosen.media))]
        _count(firing, real, effort, rules)
    _count(firing, list(rehearsals(VOICES)), replace(effort, is_only_kept=True), rules)
    publish("firing", lines(firing, rules), is_written=chosen.write, place=DOCUMENT)
    return 0


def _count(firing: RuleFiringCounts, tasks: Sequence[Task], effort: Effort, rules: RuleSet) -> None:
    for task, report in reports(tasks, effort):
        if isinstance(task, ConstructedTalk):
            context = context_for(task, report)
        else:
            context = context_of(task[0].language)
        firing.add(task, draft(report, rules, context))


def lines(firing: RuleFiringCounts, rules: RuleSet) -> Iterator[str]:
    """Yield a row for each rule, then the two lists."""
    yield f"{firing.real.talks} real takes; {firing.other.talks} rehearsals analysed so far."
    yield "Spoken of those that it could judge; made by `python -m bench judgement` where planted."
    yield from (
        "",
        "| rule | real takes | with its fault | without it |",
        "| --- | --- | --- | --- |",
    )
    active = [rule for rule in rules.rules if rule.status not in {"draft", "retired"}]
    for rule in active:
        counts = (firing.real, firing.faulty, firing.other)
        shares = " | ".join(_share(each, rule.id) for each in counts)
        yield f"| {rule.id} {rule.title} | {shares} |"
    ids = [rule.id for rule in active]
    never = [rule for rule in ids if not _judged_anywhere(firing, rule)]
    yield ""
    yield "Could judge no talk:"
    yield from _listed(never, RARE_BECAUSE)
    heard = [rule for rule in ids if rule not in never]
    seldom = [rule for rule in heard if _rate(firing, rule) < RARE]
    rare = [rule for rule in seldom if not firing.faulty.fired[rule]]
    planted = ", ".join(rule for rule in seldom if rule not in rare)
    yield from ("", f"Spoke only where their fault was planted: {planted or 'none'}.")
    yield from ("", "Spoke in under 1%, planted or not:")
    yield from _listed(rare, RARE_BECAUSE)
    often = [rule for rule in heard if _rate(firing, rule) > OFTEN and _judged(firing, rule) >= FEW]
    yield from ("", f"Spoke in over 60%, of {FEW} and more:")
    yield from _listed(often, OFTEN_BECAUSE)


def _judged_anywhere(firing: RuleFiringCounts, rule: str) -> int:
    return sum(each.could[rule] for each in (firing.real, firing.faulty, firing.other))


def _judged(firing: RuleFiringCounts, rule: str) -> int:
    return firing.real.could[rule] + firing.other.could[rule]


def _rate(firing: RuleFiringCounts, rule: str) -> float:
    """Return how often a rule fires, without talks with its planted fault."""
    could = firing.real.could[rule] + firing.other.could[rule]
    fired = firing.real.fired[rule] + firing.other.fired[rule]
    return fired / could if could else 0.0


def _share(counts: Counts, rule: str) -> str:
    could = counts.could[rule]
    return f"{counts.fired[rule]} of {could}" if could else "–"


def _listed(rules: Sequence[str], because: Mapping[str, str]) -> Iterator[str]:
    """Yield one line per rule with its reason; a rule without a reason has to be examined."""
    yield ""
    yield from (f"- {rule}: {because.get(rule, 'NO REASON KNOWN')}" for rule in rules)
    if not rules:
        yield "- none"

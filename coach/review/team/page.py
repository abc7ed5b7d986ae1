"""The team page, as plain values for the templates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, User
from coach.feedback.models import RejectReason
from coach.feedback.pages.about_take import Fact
from coach.lib.words.dates import date_words, written
from coach.lib.words.shares import kept_words, share_of, share_words
from coach.review.claim_words import claim_words
from coach.review.comparing.figures import comparison_facts
from coach.review.priority import WeighedReview
from coach.review.selectors import coaches_by_group
from coach.review.team import counts
from coach.review.team.time_facts import time_facts_in
from coach.rulesets.selectors import active_rule_names


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingTake:
    """A waiting take, and the coaches who can take it on."""

    url: str
    title: str
    trainee: str
    due: str
    is_late: bool
    state: str
    assign_url: str
    """Empty while a coach is working on it."""
    coaches: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekRow:
    """One week of the trend, in words."""

    begins: str
    sent: int
    answered: int
    median: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRuleRow:
    """The share of a rule's cards that coaches kept."""

    rule: str
    title: str
    kept: str
    kept_as: str
    """The number of kept cards as written and reworded, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamPage:
    """The state of the queue of the groups that a coach leads."""

    groups: str
    facts: tuple[Fact, ...]
    times: tuple[Fact, ...]
    compared: tuple[Fact, ...]
    """Minutes with and without automatic cards; empty if nothing is compared."""
    stranded: tuple[WaitingTake, ...]
    """Waiting takes of coaches who are away."""
    waiting: tuple[WaitingTake, ...]
    weeks: tuple[WeekRow, ...]
    quiet: tuple[str, ...]
    """Trainees without a second take."""
    loads: tuple[tuple[str, str, str, str, str], ...]
    """Name, claimed takes, answered takes, median minutes and days away, in words."""
    decisions: tuple[Fact, ...]
    rules: tuple[TeamRuleRow, ...]
    few: tuple[TeamRuleRow, ...]
    """Rules with too few verdicts for a share."""
    few_words: str


def team_page(groups: QuerySet[Cohort], coach: User) -> TeamPage:
    """Return the page for these groups, over the last 90 days."""
    now = timezone.now()
    since = now - counts.LOOKED_BACK
    decisions = counts.decisions_in(groups, since)
    rules, few = _rule_rows(decisions)
    return TeamPage(
        groups=", ".join(group.name for group in groups),
        facts=_facts(groups, now, since),
        times=time_facts_in(groups, since),
        compared=comparison_facts(groups),
        stranded=_waiting_takes(groups, coach, now, counts.stranded_in(groups, now)),
        waiting=_waiting_takes(groups, coach, now, counts.longest_waiting_in(groups, now)),
        weeks=tuple(map(_week, counts.weeks_in(groups, now))),
        quiet=tuple(counts.without_second_take_in(groups, now)),
        loads=tuple(
            (each.name, str(each.held), str(each.answered), _minutes(each.minutes), each.away)
            for each in counts.loads_in(groups, since)
        ),
        decisions=_decision_facts(decisions),
        rules=rules,
        few=few,
        few_words=_few_words(len(few)) if few else "",
    )


def _facts(groups: QuerySet[Cohort], now: datetime, since: datetime) -> tuple[Fact, ...]:
    waiting, answers = counts.waiting_in(groups, now), counts.turnaround_in(groups, since)
    oldest = date_words(waiting.since) if waiting.since else _("nothing waiting")
    return (
        Fact(label=_("Waiting"), value=str(waiting.count)),
        Fact(label=_("Late"), value=str(waiting.late)),
        Fact(label=_("Due within a day"), value=str(waiting.soon)),
        Fact(label=_("Flagged"), value=str(waiting.flagged)),
        Fact(label=_("Longest wait, since"), value=oldest),
        Fact(label=_("Answered in 90 days"), value=str(answers.count)),
        Fact(label=_("Median time to answer"), value=_hours(answers.median)),
        Fact(label=_("90% answered within"), value=_hours(answers.p90)),
    )


def _hours(hours: float | None) -> str:
    if hours is None:
        return _("no answer yet")
    whole = max(round(hours), 1)
    return ngettext("%(count)s hour", "%(count)s hours", whole) % {"count": whole}


def _minutes(minutes: float | None) -> str:
    if minutes is None:
        return _("not known")
    whole = max(round(minutes), 1)
    return ngettext("%(count)s minute", "%(count)s minutes", whole) % {"count": whole}


def _waiting_takes(
    groups: QuerySet[Cohort], coach: User, now: datetime, reviews: list[WeighedReview]
) -> tuple[WaitingTake, ...]:
    coaches = coaches_by_group(groups) if reviews else {}
    return tuple(
        _waiting(each, coach, coaches.get(each.grant.cohort_id or 0, []), now) for each in reviews
    )


def _waiting(review: WeighedReview, coach: User, coaches: list[User], now: datetime) -> WaitingTake:
    owner = review.rehearsal.owner_id
    due = review.due_at
    is_free = not review.is_held(now)
    url = reverse("review:assign", args=[review.rehearsal_id])
    return WaitingTake(
        url=reverse("review:desk", args=[review.rehearsal_id]),
        title=review.rehearsal.title,
        trainee=str(review.rehearsal.owner),
        due=date_words(due) if due else _("no date"),
        is_late=due is not None and due < now,
        state=claim_words(review, coach),
        assign_url=url if is_free else "",
        coaches=tuple((each.pk, str(each)) for each in coaches if each.pk != owner),
    )


def _week(week: counts.Week) -> WeekRow:
    return WeekRow(
        begins=written(week.begins, "j F"),
        sent=week.sent,
        answered=week.answered,
        median=_hours(week.median) if week.median is not None else "–",
    )


def _decision_facts(decisions: counts.Decisions) -> tuple[Fact, ...]:
    labels = dict(RejectReason.choices)
    rows = [
        (_("Kept as written"), decisions.kept),
        (_("Kept, reworded"), decisions.edited),
        *(
            (_("Rejected: %(reason)s") % {"reason": labels[reason]}, count)
            for reason, count in decisions.rejected.most_common()
        ),
    ]
    return tuple(
        Fact(label=str(label), value=share_words(share_of(count, decisions.count)))
        for label, count in rows
        if decisions.count
    )


def _rule_rows(
    decisions: counts.Decisions,
) -> tuple[tuple[TeamRuleRow, ...], tuple[TeamRuleRow, ...]]:
    """Return rules with enough verdicts for a share, and the others with their counts."""
    names = active_rule_names()
    french = (get_language() or "en").startswith("fr")
    enough: list[TeamRuleRow] = []
    few: list[TeamRuleRow] = []
    for rule, share, reworded in decisions.by_rule:
        name = names.get(rule)
        is_few = share.of < counts.LEAST_VERDICTS
        kept = _("%(kept)s of %(decided)s") % {"kept": share.hits, "decided": share.of}
        row = TeamRuleRow(
            rule=rule,
            title=(name.label_fr if french else name.label_en) if name else "",
            kept=kept if is_few else share_words(share),
            kept_as=kept_words(as_written=share.hits - reworded, reworded=reworded),
        )
        (few if is_few else enough).append(row)
    return tuple(enough), tuple(few)


def _few_words(rules: int) -> str:
    return ngettext(
        "%(count)s rule with fewer than %(least)s decisions",
        "%(count)s rules with fewer than %(least)s decisions",
        rules,
    ) % {"count": rules, "least": counts.LEAST_VERDICTS}

"""Drafting of feedback from a report, the active rules, the trainee's context and earlier takes."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from statistics import median
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from analysis.metrics import BY_ID
from coach.audit.services import record_act
from coach.feedback.corrected_reports import values_for_reading
from coach.feedback.documents import CardDocument
from coach.feedback.items import StandingItem, before_release, shown, standing_items
from coach.feedback.models import Feedback, Firing, Item, Lent, Run, StoredReport
from coach.feedback.reports import languages_in, report_of
from coach.feedback.selectors import feedback_for_owner, held_back_among
from coach.rehearsals.comparability import camera_stood, recorded_otherwise
from coach.rehearsals.models import Rehearsal, SpeaksAs, SpokenLanguage
from coach.rehearsals.talk_context import CONTEXT_NAMES
from coach.rulesets.selectors import release_for, rule_set_of
from coach.rulesets.services import publish_builtin_rules
from feedback_rules import select
from feedback_rules.model import (
    FIRST_LANGUAGE,
    Baseline,
    Context,
    Draft,
    Outcome,
    PreviousItem,
    PreviousOffer,
)
from feedback_rules.select import OFFER_RESTS

log = logging.getLogger(__name__)

BASELINE_TAKES = 3
"""Number of takes from which the trainee's own baseline is used (rule of thumb)."""
_SAME_NAMES = tuple(name for name in CONTEXT_NAMES if name in Context.model_fields)
"""The values of a talk that rules know by the same name; an empty one is missing."""
_SITUATION = ("setting", "speaks_as", "is_constructed")
"""Conditions that must be equal, besides the language, for two figures to be comparable."""
_BASELINE_LOOKS_BACK = 10
"""Number of takes in a baseline; older ones do not count (rule of thumb)."""


def store_draft(*, run: Run) -> Feedback:
    """Draft feedback from the run's report; call inside the transaction that ends the run."""
    take = run.rehearsal
    held = release_for(owner=take.owner_id, cohort=take.cohort_id)
    release = held or publish_builtin_rules()
    report = report_of(run)
    context, lent = _held_context(run.rehearsal)
    draft = select.draft(report, rule_set_of(release), context)
    version = run.rehearsal.feedback.count() + 1
    feedback = Feedback.objects.create(
        rehearsal=run.rehearsal,
        run=run,
        version=version,
        rule_set=release,
        draft=draft.as_json(),
        context=context.model_dump(mode="json", exclude={"previous_items", "previous_offers"}),
    )
    for row in lent:
        row.feedback = feedback
    Lent.objects.bulk_create(lent)
    items = Item.objects.bulk_create(_items(feedback, draft))
    Firing.objects.bulk_create(_firings(feedback, draft, items))
    dropped = _dropped(draft)
    record_act(action="feedback.drafted", target=feedback, version=version, dropped=dropped)
    return feedback


def _dropped(draft: Draft) -> dict[str, str]:
    """Return the rules whose evidence failed the check, by outcome, and log them for their
    curators.
    """
    dropped = {
        finding.rule: finding.outcome.value
        for finding in draft.findings
        if finding.outcome in {Outcome.QUOTE_MISMATCH, Outcome.OUTSIDE_MEDIA}
    }
    for rule, outcome in dropped.items():
        log.warning("dropped what %s had to say: %s", rule, outcome)
    return dropped


def _items(feedback: Feedback, draft: Draft) -> list[Item]:
    """Return the chosen items, followed by those that only a coach may approve."""
    waiting = [held.item for held in draft.held_back if held.needs_coach]
    return [
        Item(
            feedback=feedback,
            origin=Item.Origin.RULE,
            position=position,
            tone=item.tone,
            quality=item.quality,
            rule=item.rule,
            rule_version=item.rule_version,
            document=item.model_dump(mode="json"),
            is_chosen=position < len(draft.items),
        )
        for position, item in enumerate([*draft.items, *waiting])
    ]


def _firings(feedback: Feedback, draft: Draft, items: list[Item]) -> list[Firing]:
    """Return every rule that fired, with the item that it produced, if any."""
    of_rule = {item.rule: item for item in items}
    return [
        Firing(
            feedback=feedback,
            rule=finding.rule,
            rule_version=finding.rule_version,
            item=of_rule.get(finding.rule),
        )
        for finding in draft.findings
        if finding.fired
    ]


def _held_context(rehearsal: Rehearsal) -> tuple[Context, list[Lent]]:
    """Return the rules' context and the data lent by each take, locked until the draft is stored.

    A take that is being deleted or changed lends nothing: waiting for it could cause a deadlock.
    """
    before = _feedback_before(rehearsal)
    items, offers = _previous_items(rehearsal, before), _previous_offers(before)
    if before is None:
        return _context(rehearsal, items, offers), []
    lenders = {before.rehearsal_id, *(take for take, _offer in offers)}
    takes = Rehearsal.objects.select_for_update(no_key=True, skip_locked=True)
    held = set(takes.filter(pk__in=lenders).order_by("pk").values_list("pk", flat=True))
    items = items if before.rehearsal_id in held else ()
    offers = [(take, offer) for take, offer in offers if take in held]
    rows = [_lent_by(take, before, items, offers) for take in held]
    return _context(rehearsal, items, offers), [row for row in rows if row.items or row.offers]


def _lent_by(
    take: UUID,
    before: Feedback,
    items: Sequence[PreviousItem],
    offers: Sequence[tuple[UUID, PreviousOffer]],
) -> Lent:
    """Return the lent data to delete together with this take."""
    own = items if take == before.rehearsal_id else ()
    return Lent(
        take_id=take,
        items=[each.model_dump(mode="json") for each in own],
        offers=[offer.model_dump(mode="json") for lender, offer in offers if lender == take],
    )


def stored_context(feedback: Feedback) -> Context:
    """Return the context of a stored draft, without data of deleted takes.

    Raises ValidationError for one that this version cannot read.
    """
    rows = _lent_to(feedback)
    offers = [offer for row in rows for offer in row.offers]
    return Context.model_validate(
        {
            **feedback.context,
            "previous_items": [item for row in rows for item in row.items],
            "previous_offers": sorted(offers, key=lambda offer: offer["ago"]),
        }
    )


def _lent_to(feedback: Feedback) -> list[Lent]:
    """Return the data lent to this feedback, or to the feedback that it corrects."""
    rows = list(feedback.lent.all())
    return rows or (_lent_to(feedback.corrects) if feedback.corrects else [])


def context_of(rehearsal: Rehearsal) -> Context:
    """Return the rules' context: the answers about this talk, and the person's own earlier
    takes.
    """
    before = _feedback_before(rehearsal)
    return _context(rehearsal, _previous_items(rehearsal, before), _previous_offers(before))


def _context(
    rehearsal: Rehearsal,
    items: Sequence[PreviousItem],
    offers: Sequence[tuple[UUID, PreviousOffer]],
) -> Context:
    return Context.model_validate(
        {
            **{name: getattr(rehearsal, name) or None for name in _SAME_NAMES},
            "camera_position": camera_stood(rehearsal) or None,
            "language": _language(rehearsal),
            "slides": rehearsal.shows_slides,
            "disabled_families": tuple(rehearsal.disabled_families),
            "quiet": _quiet(rehearsal),
            "baseline": _baseline(rehearsal),
            "previous_items": tuple(items),
            "previous_offers": tuple(offer for _take, offer in offers),
        }
    )


def _language(rehearsal: Rehearsal) -> str | None:
    """Return the language that was chosen or else detected; None without a two-letter code
    for it.
    """
    if rehearsal.language != SpokenLanguage.AUTO:
        return rehearsal.language
    heard = _reports_of(rehearsal).values_list("language", flat=True).first()
    return heard if heard and len(heard) == 2 else None


def _reports_of(rehearsal: Rehearsal) -> QuerySet[StoredReport]:
    return StoredReport.objects.filter(run__rehearsal=rehearsal).order_by("-run__created_at")


def _quiet(rehearsal: Rehearsal) -> tuple[str, ...]:
    """Return the profile's exemptions when the take was made, without a first language
    named for it.
    """
    is_first = rehearsal.speaks_as == SpeaksAs.FIRST
    return tuple(each for each in rehearsal.quiet if not (is_first and each == FIRST_LANGUAGE))


def _earlier_values(rehearsal: Rehearsal) -> list[dict[str, float]]:
    """Return the measures in the newest report of each earlier take in this language and setting.

    The language is that of the reports, since most takes have it detected. Values that differ
    because a take was recorded differently are left out, and takes too few for a baseline are not
    read.
    """
    spoken = _reports_of(rehearsal).values("language")[:1]
    in_it = StoredReport.objects.filter(run__rehearsal=OuterRef("pk"), language=Subquery(spoken))
    takes = Rehearsal.objects.filter(
        Exists(in_it),
        owner=rehearsal.owner_id,
        setting=rehearsal.setting,
        created_at__lt=rehearsal.created_at,
        is_constructed=False,
    ).order_by("-created_at")[:_BASELINE_LOOKS_BACK]
    if len(takes) < BASELINE_TAKES:
        return []
    newest = (
        Run.objects.filter(rehearsal__in=list(takes), state=Run.State.DONE)
        .order_by("rehearsal_id", "-created_at")
        .distinct("rehearsal_id")
    )
    runs = {run.pk: run for run in newest.select_related("rehearsal")}
    return [
        {
            metric: value
            for metric, value in values.items()
            if not recorded_otherwise(metric, runs[pk].rehearsal, rehearsal)
        }
        for pk, values in values_for_reading(list(runs.values())).items()
    ]


def _baseline(rehearsal: Rehearsal) -> dict[str, Baseline]:
    values: dict[str, list[float]] = {}
    for earlier in _earlier_values(rehearsal):
        for metric in earlier.keys() & BY_ID.keys():
            values.setdefault(metric, []).append(earlier[metric])
    return {
        metric: Baseline(value=median(found), takes=len(found))
        for metric, found in values.items()
        if len(found) >= BASELINE_TAKES
    }


def _previous_items(rehearsal: Rehearsal, before: Feedback | None) -> tuple[PreviousItem, ...]:
    """Return the items of the previous take, so that advice stays consistent from take to take.

    An item that a coach rejected is not a focus, and one that a coach approved is; if corrected
    figures were released, "last time" refers to those. A figure of a take that is not comparable
    with this one is left out.
    """
    if before is None:
        return ()
    lent = [item for row in _lent_to(before) for item in row.items]
    earlier = {each["rule"]: each["takes_shown"] for each in lent}
    alike = _is_alike(rehearsal, before)
    items = [
        (each.item, card.value if alike(card.metric) else None)
        for each in shown(standing_items(before))
        if (card := _read_card(each, before)) is not None
    ]
    return tuple(
        PreviousItem.model_validate(
            {
                "rule": item.rule,
                "value": value,
                "takes_shown": earlier.get(item.rule, 0) + 1,
                "tone": item.tone,
            }
        )
        for item, value in items
        if item.origin == Item.Origin.RULE
    )


def _previous_offers(before: Feedback | None) -> list[tuple[UUID, PreviousOffer]]:
    """Return the recent suggestions made when nothing stood out, each with the take that made it
    last.

    So no suggestion repeats for ever, and those of a deleted take are deleted with it. A suggestion
    counts only if its owner saw it: next to a coach's improvement there is none.
    """
    if before is None:
        return []
    made = json.loads(before.draft).get("worth_trying")
    read = made["rule"] if made and not _has_improvement(before) else ""
    earlier = {
        each["rule"]: (row.take_id, PreviousOffer.model_validate({**each, "ago": each["ago"] + 1}))
        for row in _lent_to(before)
        for each in row.offers
        if each["ago"] < OFFER_RESTS
    }
    _take, former = earlier.pop(read, (None, None))
    newest = PreviousOffer(rule=read, takes=former.takes + 1 if former else 1, ago=1)
    found = [*([(before.rehearsal_id, newest)] if read else ()), *earlier.values()]
    return sorted(found, key=lambda each: each[1].ago)


def _has_improvement(before: Feedback) -> bool:
    return any(each.item.tone == "improvement" for each in shown(standing_items(before)))


def _is_alike(rehearsal: Rehearsal, before: Feedback) -> Callable[[str], bool]:
    """Return whether a measure of the previous take is comparable with the same one of this
    take.
    """
    earlier = before.rehearsal
    runs = Run.objects.filter(rehearsal=rehearsal, report__isnull=False).order_by("-created_at")
    spoken = languages_in([*runs[:1], before.run])
    is_other = len(set(spoken.values())) > 1 or any(
        getattr(earlier, name) != getattr(rehearsal, name) for name in _SITUATION
    )
    return lambda metric: not is_other and not recorded_otherwise(metric, earlier, rehearsal)


def _read_card(item: StandingItem, before: Feedback) -> CardDocument | None:
    """Return the card that the trainee read; None if its rule no longer fired after a
    correction.
    """
    if not before.is_released:
        item = before_release(item.item)
    return None if item.correction == "silent" else item.card


def _feedback_before(rehearsal: Rehearsal) -> Feedback | None:
    """Return the feedback that the owner read on the previous take; takes waiting for a coach are
    skipped.

    "Last time" must not reveal feedback that was not shown yet.
    """
    takes = Rehearsal.objects.filter(
        owner=rehearsal.owner_id, created_at__lt=rehearsal.created_at, feedback__isnull=False
    )
    newest = takes.select_related("cohort").distinct().order_by("-created_at")
    looked_at = list(newest[:_BASELINE_LOOKS_BACK])
    held = held_back_among(looked_at)
    before = next((take for take in looked_at if take.pk not in held), None)
    return feedback_for_owner(before) if before else None

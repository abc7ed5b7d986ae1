"""Lists of second opinions, calibration clips, and agreement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, User
from coach.lib.agreement import Coefficient
from coach.lib.pages.paging import count_up_to
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.numbers import decimal, percent
from coach.lib.words.placeholder_names import FORMER_COACH, name_words
from coach.rehearsals.models import Rehearsal
from coach.review.second.agreement import Agreement, agreement_in
from coach.review.second.models import CalibrationTake, Opinion, Place
from coach.review.second.selectors import (
    begun_by,
    calibrations,
    clip_candidates_for,
    clips_for,
    clips_to_do_for,
    led_takes,
    seconds_waiting_for,
    to_resolve_for,
)
from coach.review.selectors import groups_led_by
from coach.rulesets.selectors import active_rule_names

MOST_ROWS = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionTakeRow:
    """A take in a list of opinions or clips."""

    rehearsal_id: str
    title: str
    trainee: str
    length: str
    when: str
    is_begun: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondsPage:
    """The page of second opinions: to give, to resolve, and compared."""

    waiting: tuple[OpinionTakeRow, ...]
    to_resolve: tuple[OpinionTakeRow, ...]
    compared: tuple[OpinionTakeRow, ...]
    clips: int
    """The number of calibration clips that this coach can do."""
    leads: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipRow:
    """A calibration clip, or a candidate for one."""

    rehearsal_id: str
    title: str
    length: str
    said: str
    """The coach of the authoritative opinion, in words."""
    judged: tuple[tuple[str, str], ...] = ()
    """The ids and coaches of opinions on the clip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipsPage:
    """The page of calibration clips: to do, done, and those that a lead can mark."""

    to_do: tuple[OpinionTakeRow, ...]
    done: tuple[OpinionTakeRow, ...]
    marked: tuple[ClipRow, ...]
    candidates: tuple[ClipRow, ...]
    leads: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRow:
    """A row of the agreement table, in words."""

    code: str
    label: str
    n: str
    same: str
    alpha: str
    kappa: str
    rejected: str
    overlap: str
    why_none: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementPage:
    """The page of agreement between coaches."""

    groups: str
    qualities: tuple[AgreementRow, ...]
    rules: tuple[AgreementRow, ...]
    moments: tuple[AgreementRow, ...]


def seconds_page(coach: User) -> SecondsPage:
    """Return the page of second opinions for this coach."""
    found = list(seconds_waiting_for(coach)[:MOST_ROWS])
    begun = begun_by(coach, [each.rehearsal_id for each in found])
    waiting = [
        _take_row(
            each.rehearsal,
            date_words(each.grant.created_at),
            is_begun=each.rehearsal_id in begun,
        )
        for each in found
    ]
    return SecondsPage(
        waiting=tuple(waiting),
        to_resolve=_rows(to_resolve_for(coach)),
        compared=_rows(_compared_for(coach)),
        clips=clips_to_do_for(coach).count(),
        leads=groups_led_by(coach).exists(),
    )


MOST_TOLD = 99
"""The maximum number shown as a count; the linked page has all."""


def seconds_count(coach: User) -> int:
    """Return the number of tasks on that page; each kind is counted up to about `MOST_TOLD`."""
    return count_up_to(seconds_waiting_for(coach), MOST_TOLD) + count_up_to(
        to_resolve_for(coach), MOST_TOLD
    )


def _compared_for(coach: User) -> QuerySet[Rehearsal]:
    from_both = Opinion.objects.filter(place=Place.SECOND, submitted_at__isnull=False)
    first = Opinion.objects.filter(place=Place.FIRST, submitted_at__isnull=False)
    own = Opinion.objects.filter(coach=coach, place__in=(Place.FIRST, Place.SECOND))
    takes = Rehearsal.objects.filter(pk__in=from_both.values("rehearsal")).filter(
        pk__in=first.values("rehearsal")
    )
    mine = takes.filter(pk__in=own.values("rehearsal"))
    led = takes.filter(pk__in=led_takes(coach).values("pk"))
    return (mine | led).exclude(pk__in=to_resolve_for(coach).values("pk")).distinct()


def _rows(takes: QuerySet[Rehearsal]) -> tuple[OpinionTakeRow, ...]:
    newest = takes.select_related("owner").order_by("-created_at")[:MOST_ROWS]
    return tuple(_take_row(each, date_words(each.created_at)) for each in newest)


def _take_row(take: Rehearsal, when: str, *, is_begun: bool = False) -> OpinionTakeRow:
    return OpinionTakeRow(
        rehearsal_id=str(take.pk),
        title=take.title,
        trainee=str(take.owner),
        length=clock(take.duration or 0),
        when=when,
        is_begun=is_begun,
    )


def clips_page(coach: User) -> ClipsPage:
    """Return the clips for this coach, and for the groups they lead."""
    done = Opinion.objects.filter(
        coach=coach, place=Place.CALIBRATION, submitted_at__isnull=False
    ).values("rehearsal")
    leads = groups_led_by(coach).exists()
    led = clips_for(coach).filter(rehearsal__in=led_takes(coach))
    return ClipsPage(
        to_do=tuple(_clip_take(each) for each in clips_to_do_for(coach)),
        done=tuple(_clip_take(each) for each in clips_for(coach).filter(rehearsal__in=done)),
        marked=_marked(led) if leads else (),
        candidates=tuple(
            _clip_row(each.rehearsal, each) for each in clip_candidates_for(coach)[:MOST_ROWS]
        )
        if leads
        else (),
        leads=leads,
    )


def _marked(led: QuerySet[CalibrationTake]) -> tuple[ClipRow, ...]:
    """Return clips with the coaches who rated them, for their lead to compare."""
    clips = list(led)
    judged: dict[UUID, list[tuple[str, str]]] = {}
    for each in calibrations().filter(rehearsal__in=[clip.rehearsal_id for clip in clips]):
        whose = str(each.coach) if each.coach else name_words(FORMER_COACH)
        judged.setdefault(each.rehearsal_id, []).append((str(each.pk), whose))
    return tuple(
        replace(_clip_row(clip.rehearsal, None), judged=tuple(judged.get(clip.rehearsal_id, ())))
        for clip in clips
    )


def _clip_take(clip: CalibrationTake) -> OpinionTakeRow:
    return _take_row(clip.rehearsal, date_words(clip.marked_at))


def _clip_row(take: Rehearsal, opinion: Opinion | None) -> ClipRow:
    whose = opinion.coach if opinion else None
    return ClipRow(
        rehearsal_id=str(take.pk),
        title=take.title,
        length=clock(take.duration or 0),
        said=_("Rated by %(name)s") % {"name": whose} if whose else "",
    )


def agreement_page(groups: QuerySet[Cohort]) -> AgreementPage:
    """Return the agreement in words."""
    rows = agreement_of(groups)
    return AgreementPage(
        groups=", ".join(group.name for group in groups),
        qualities=tuple(_agreement_row(row) for row in rows if row.kind == "quality"),
        rules=tuple(_agreement_row(row) for row in rows if row.kind == "rule"),
        moments=tuple(_agreement_row(row) for row in rows if row.kind == "moments"),
    )


def agreement_of(groups: QuerySet[Cohort]) -> list[Agreement]:
    """Return the agreement, with rule titles in the reader's language."""
    french = (get_language() or "en").startswith("fr")
    names = active_rule_names()
    titles = {rule: name.label_fr if french else name.label_en for rule, name in names.items()}
    return agreement_in(groups, titles)


def _agreement_row(row: Agreement) -> AgreementRow:
    return AgreementRow(
        code=row.code,
        label=row.label,
        n=str(row.n),
        same="" if row.same is None else percent(row.same),
        alpha=_figure(row.alpha),
        kappa=_figure(row.kappa),
        rejected=_figure(row.rejected),
        overlap=_figure(row.overlap),
        why_none=row.why_none,
    )


def _figure(found: Coefficient | None) -> str:
    if found is None or found.value is None:
        return ""
    value = decimal(found.value, 2)
    if found.low is None or found.high is None:
        return value
    return _("%(value)s (%(low)s to %(high)s)") % {
        "value": value,
        "low": decimal(found.low, 2),
        "high": decimal(found.high, 2),
    }

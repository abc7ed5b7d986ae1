"""The comparison of two opinions, and the form for a lead's decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.lib.words.placeholder_names import FORMER_COACH, name_words
from coach.rehearsals.models import Rehearsal
from coach.review.items.words import clips_words
from coach.review.rubric.forms import CANNOT
from coach.review.rubric.models import Rating
from coach.review.rubric.words import CANNOT_JUDGE, LEVELS, QUALITIES, level_words
from coach.review.second.discussion import DiscussionRow, discussion_on, may_discuss
from coach.review.second.models import Decision, Opinion, Place
from coach.review.second.page import reason_choices, said_words
from coach.review.second.selectors import (
    authoritative,
    both_in,
    calibrations,
    clips_for,
    led_takes,
)
from coach.review.second.services import items_of

_SHORT_WORDS = 60
"""The maximum number of characters of a level in its select."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonCell:
    """A coach's level or decision, in words."""

    value: str
    words: str
    reason: str = ""
    moments: str = ""
    """The moments that the coach marked; empty without any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """A quality or item with both coaches' answers."""

    field: str
    label: str
    left: ComparisonCell
    right: ComparisonCell
    counts: ComparisonCell | None
    """The authoritative answer, or None."""
    is_same: bool
    note: str
    """The comparison in words: the same, one level apart, ..."""
    differs: bool
    """Whether two comparable answers differ, or have different moments."""
    default: str
    """The form's initial value: the authoritative answer, else a common one."""
    choices: tuple[tuple[str, str], ...] = ()
    """For a quality: the levels with their words."""
    reason: str = ""
    moments: str = ""
    """For an item: the form's initial moments, as people type them."""

    @property
    def has_long_words(self) -> bool:
        """Whether a level is too long to be shown in full in the select."""
        return any(len(words) > _SHORT_WORDS for _value, words in self.choices)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePage:
    """Two opinions on one take."""

    rehearsal_id: str
    title: str
    trainee: str
    left: str
    right: str
    """Labels of the two opinions: `left` and `right`."""
    qualities: tuple[ComparisonRow, ...]
    items: tuple[ComparisonRow, ...]
    summary: str
    left_own: tuple[str, ...]
    right_own: tuple[str, ...]
    """The priorities of each coach, in words."""
    counts: str
    """The coach of the authoritative opinion, in words; empty while undecided."""
    can_resolve: bool
    is_own: bool
    """Whether this lead gave one of the two opinions, so that another one settles them."""
    discussion: tuple[DiscussionRow, ...]
    can_discuss: bool
    is_clip: bool
    reasons: tuple[tuple[str, str], ...]
    why: str = ""
    """A rejected reason for what counts."""
    message: str = ""
    """A rejected message of the discussion."""


def compare_page(rehearsal: Rehearsal, reader: User, *, of: str = "") -> ComparePage | None:
    """Return two opinions side by side, or None if the reader may not see two.

    The two are both coaches' opinions, or the reader's and the authoritative one. A group lead can
    compare each coach's opinion on a clip: `of` is its id.
    """
    leads = led_takes(reader).filter(pk=rehearsal.pk).exists()
    is_practised = bool(of) and leads and clips_for(reader).filter(rehearsal=rehearsal).exists()
    pair = _of_coach(rehearsal, of) if is_practised else _pair(rehearsal, reader)
    if pair is None:
        return None
    left, right = pair
    counts = authoritative(rehearsal)
    is_clip = left.place == Place.CALIBRATION
    is_own = reader.pk in (left.coach_id, right.coach_id)
    can_discuss = not is_clip and may_discuss(rehearsal, reader)
    whose = _("You") if left.coach_id == reader.pk else _whose("%(name)s", left)
    qualities = _quality_rows(left, right, None if is_clip else counts)
    items = _item_rows(left, right, None if is_clip else counts)
    return ComparePage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        trainee=str(rehearsal.owner),
        left=whose if is_clip else _whose(_("First coach: %(name)s"), left),
        right=_("What counts") if is_clip else _whose(_("Second coach: %(name)s"), right),
        qualities=qualities,
        items=items,
        summary=_summary(qualities, items),
        left_own=_own(left.rating),
        right_own=_own(right.rating),
        counts="" if counts is None or is_clip else _counts_words(counts),
        can_resolve=leads and not is_clip and not is_own,
        is_own=leads and not is_clip and is_own,
        discussion=discussion_on(rehearsal) if can_discuss else (),
        can_discuss=can_discuss,
        is_clip=is_clip,
        reasons=reason_choices(),
    )


def as_sent(page: ComparePage, sent: Mapping[str, str]) -> ComparePage:
    """Return the page with the rejected form as submitted, so that no input is lost."""
    return replace(
        page,
        why=sent.get("why", ""),
        qualities=tuple(
            replace(row, default=sent.get(row.field, row.default)) for row in page.qualities
        ),
        items=tuple(
            replace(
                row,
                default=sent.get(f"kind_{row.field}", row.default),
                reason=sent.get(f"reason_{row.field}", row.reason),
                moments=sent.get(f"clips_{row.field}", row.moments),
            )
            for row in page.items
        ),
    )


def _pair(rehearsal: Rehearsal, reader: User) -> tuple[Opinion, Opinion] | None:
    own = Opinion.objects.filter(
        rehearsal=rehearsal, coach=reader, place=Place.CALIBRATION, submitted_at__isnull=False
    ).first()
    counts = authoritative(rehearsal)
    if own is not None and counts is not None:
        return own, counts
    both = both_in(rehearsal)
    return (both[Place.FIRST], both[Place.SECOND]) if both else None


def _of_coach(rehearsal: Rehearsal, key: str) -> tuple[Opinion, Opinion] | None:
    """Return a coach's opinion on a clip and the authoritative one, or None."""
    counts = authoritative(rehearsal)
    if counts is None or not key.isdecimal():
        return None
    found = calibrations().filter(rehearsal=rehearsal, pk=int(key)).first()
    return (found, counts) if found is not None else None


def _whose(words: str, opinion: Opinion) -> str:
    return words % {"name": opinion.coach or name_words(FORMER_COACH)}


def _counts_words(opinion: Opinion) -> str:
    if opinion.place == Place.FIRST:
        return _("The first coach’s opinion counts.")
    if opinion.place == Place.SECOND:
        return _("The second coach’s opinion counts.")
    return _whose(_("The version that %(name)s wrote after comparing counts."), opinion)


def _levels(rating: Rating | None) -> dict[str, int | None]:
    return {each.quality: each.level for each in rating.judgements.all()} if rating else {}


def _quality_rows(
    left: Opinion, right: Opinion, counts: Opinion | None
) -> tuple[ComparisonRow, ...]:
    ours, theirs = _levels(left.rating), _levels(right.rating)
    standing = _levels(counts.rating) if counts else {}
    rows = []
    for quality in QUALITIES:
        code = quality.code
        a, b = _level_cell(code, ours), _level_cell(code, theirs)
        now = _level_cell(code, standing) if code in standing else None
        same = bool(a.value) and a.value == b.value
        rows.append(
            ComparisonRow(
                field=f"level_{code}",
                label=str(quality.label),
                left=a,
                right=b,
                counts=now,
                is_same=same,
                note=_apart_words(ours, theirs, code),
                differs=not same and None not in (ours.get(code), theirs.get(code)),
                default=now.value if now else a.value if same else "",
                choices=(
                    *((str(each), level_words(code, each)) for each in LEVELS),
                    (str(CANNOT), str(CANNOT_JUDGE)),
                ),
            )
        )
    return tuple(rows)


def _level_cell(code: str, levels: dict[str, int | None]) -> ComparisonCell:
    if code not in levels:
        return ComparisonCell(value="", words=_("Not rated"))
    level = levels[code]
    return ComparisonCell(
        value=str(CANNOT if level is None else level), words=level_words(code, level)
    )


def _apart_words(ours: dict[str, int | None], theirs: dict[str, int | None], code: str) -> str:
    a, b = ours.get(code), theirs.get(code)
    if a is None or b is None:
        is_same = code in ours and code in theirs and a == b
        return _("The same") if is_same else _("Nothing to compare")
    if a == b:
        return _("The same")
    return _("One level apart") if abs(a - b) == 1 else _("More than one level apart")


def _item_rows(left: Opinion, right: Opinion, counts: Opinion | None) -> tuple[ComparisonRow, ...]:
    ours, theirs = _by_rule(left), _by_rule(right)
    standing = _by_rule(counts) if counts else {}
    rows = []
    for item in items_of(left):
        key = item.rule
        a, b = _verdict_cell(ours.get(key)), _verdict_cell(theirs.get(key))
        # The authoritative opinion must decide on every chosen item, so these always have a row.
        if not a.value and not b.value and not item.is_chosen:
            continue
        now = _verdict_cell(standing[key]) if key in standing else None
        same = bool(a.value) and a.value == b.value
        begins = now or (a if same else None)
        elsewhere = _is_elsewhere(ours.get(key), theirs.get(key))
        rows.append(
            ComparisonRow(
                field=str(item.pk),
                label=f"{item.rule} · {item.card.claim}",
                left=a,
                right=b,
                counts=now,
                is_same=same,
                note=_note(a, b, is_elsewhere=elsewhere),
                differs=bool(a.value and b.value) and (elsewhere or not same),
                default=begins.value if begins else "",
                reason=begins.reason if begins else "",
                # A rejection has no moments, so the form starts with those of a keeping coach: the
                # first one's if both marked some, because the trainee has read those.
                moments=now.moments
                if now and now.value == Decision.Kind.KEEP
                else a.moments or b.moments,
            )
        )
    return tuple(rows)


def _note(left: ComparisonCell, right: ComparisonCell, *, is_elsewhere: bool) -> str:
    if is_elsewhere:
        return _("Kept, at other moments")
    if not left.value or not right.value:
        return _("Nothing to compare")
    return _("The same") if left.value == right.value else _("Different")


def _is_elsewhere(left: Decision | None, right: Decision | None) -> bool:
    """Return whether both would keep an item with different moments, in whole seconds."""
    both = (left, right)
    if any(
        each is None or each.kind != Decision.Kind.KEEP or not each.tells_where for each in both
    ):
        return False
    return len({clips_words(each.moments) for each in both if each is not None}) > 1


def _by_rule(opinion: Opinion) -> dict[str, Decision]:
    """Return the decisions by rule, which identifies the same item in two versions of a draft."""
    return {each.item.rule: each for each in opinion.decisions.select_related("item")}


def _verdict_cell(verdict: Decision | None) -> ComparisonCell:
    if verdict is None:
        return ComparisonCell(value="", words=said_words("", ""))
    is_kept = verdict.kind == Decision.Kind.KEEP
    return ComparisonCell(
        value=verdict.kind,
        words=said_words(verdict.kind, verdict.reason),
        reason=verdict.reason,
        moments=clips_words(verdict.own_moments) if is_kept else "",
    )


def _summary(qualities: tuple[ComparisonRow, ...], items: tuple[ComparisonRow, ...]) -> str:
    both = [row for row in qualities if row.left.value and row.right.value]
    decided = [row for row in items if row.left.value and row.right.value]
    return f"{_qualities_words(both)} {_items_words(decided)}"


def _qualities_words(both: Sequence[ComparisonRow]) -> str:
    if not both:
        return _("The two coaches have not yet rated any of the same qualities.")
    return _("Qualities at the same level: %(same)s of %(all)s.") % {
        "same": sum(row.is_same for row in both),
        "all": len(both),
    }


def _items_words(decided: Sequence[ComparisonRow]) -> str:
    if not decided:
        return _("The two coaches have not yet decided on any of the same cards.")
    return _("Cards decided alike: %(same)s of %(all)s.") % {
        "same": sum(row.is_same for row in decided),
        "all": len(decided),
    }


def _own(rating: Rating | None) -> tuple[str, ...]:
    rows = rating.priorities.all() if rating else ()
    return tuple(each.words or str(each.get_goal_display()) for each in rows)

"""The rubric as a form for coaches, and as words for the trainee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.models import Run
from coach.feedback.pages.about_take import Fact, Player, facts_of, player_of
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.reports import report_of
from coach.lib.words.dates import here
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import Goal, Rehearsal
from coach.rehearsals.selectors import standing_grant
from coach.review.rubric.forms import CANNOT, RANKS, RatingSeen
from coach.review.rubric.models import Occasion, Priority, Rating
from coach.review.rubric.selectors import own_rating
from coach.review.rubric.services import OwnPriority, three_of
from coach.review.rubric.words import CANNOT_JUDGE, LEVELS, QUALITIES, RatedQuality, level_words

_COUNTED = frozenset({"filler", "filler_word"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelChoice:
    """A level with its description; 0 means that it cannot be rated."""

    value: int
    words: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityRow:
    """A quality with its levels."""

    code: str
    label: str
    asks: str
    cards: str
    """Which cards belong to it, in words."""
    choices: tuple[LevelChoice, ...]
    chosen: str
    """The words of the chosen level; empty while it is open."""

    @property
    def value(self) -> int | None:
        """The form value of the chosen level, or None while it is open."""
        return next((each.value for each in self.choices if each.is_chosen), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityRow:
    """One of a coach's three priorities."""

    rank: int
    words: str
    goal: str
    goal_words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The rubric with one coach's choices so far."""

    save_url: str
    """The URL for saving; empty if it is read-only."""
    rows: tuple[QualityRow, ...]
    priorities: tuple[PriorityRow, ...]
    goals: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """The qualities of cards, grouped by the rated quality that they belong to."""
    is_finished: bool
    state: str
    """The number of rated qualities and the time of saving, in words."""
    finish_words: str
    seen: str
    """The state as JSON, so that an unchanged page reverts nothing."""
    can_reopen: bool = False

    @property
    def is_touched(self) -> bool:
        """Whether any level is chosen."""
        return any(row.chosen for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricPage:
    """The page with recording, transcript and rubric, without any findings."""

    rehearsal_id: str
    title: str
    trainee: str
    note: str
    facts: tuple[Fact, ...]
    constructed: bool
    player: Player
    sentences: tuple[TranscriptLine, ...]
    rubric: Panel


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPage:
    """The trainee's view of a rating."""

    rehearsal_id: str
    title: str
    coach: str
    rows: tuple[Fact, ...]


def panel(
    rating: Rating | None, *, save_url: str, finish_words: str = "", can_reopen: bool = False
) -> Panel:
    """Return the rubric with the choices so far."""
    judged = {each.quality: each.level for each in rating.judgements.all()} if rating else {}
    own = {each.rank: each for each in rating.priorities.all()} if rating else {}
    is_finished = rating is not None and rating.finished_at is not None
    return Panel(
        save_url="" if is_finished else save_url,
        rows=_rows(judged),
        priorities=tuple(_priority(rank, own.get(rank)) for rank in RANKS),
        goals=tuple(
            (str(each.label), tuple((goal.value, str(goal.label)) for goal in each.goals))
            for each in QUALITIES
            if each.goals
        ),
        is_finished=is_finished,
        state=state_words(rating),
        finish_words=finish_words or _("Finish rating"),
        seen=RatingSeen(
            levels={code: str(level or CANNOT) for code, level in judged.items()},
            three=three_of(rating),
        ).as_text(),
        can_reopen=is_finished and can_reopen,
    )


def _rows(judged: dict[str, int | None]) -> tuple[QualityRow, ...]:
    rows = []
    for quality in QUALITIES:
        is_open = quality.code not in judged
        level = judged.get(quality.code)
        value = None if is_open else level or CANNOT
        rows.append(
            QualityRow(
                code=quality.code,
                label=str(quality.label),
                asks=str(quality.asks),
                cards=_cards_words(quality),
                choices=(
                    *(
                        LevelChoice(
                            value=each,
                            words=level_words(quality.code, each),
                            is_chosen=value == each,
                        )
                        for each in LEVELS
                    ),
                    LevelChoice(value=CANNOT, words=str(CANNOT_JUDGE), is_chosen=value == CANNOT),
                ),
                chosen="" if is_open else level_words(quality.code, level),
            )
        )
    return tuple(rows)


def _cards_words(quality: RatedQuality) -> str:
    if not quality.goals:
        return _("No cards: only you can judge this.")
    named = ", ".join(str(goal.label) for goal in quality.goals)
    return _("Cards about: %(qualities)s") % {"qualities": named}


def _priority(rank: int, own: Priority | None) -> PriorityRow:
    return PriorityRow(
        rank=rank,
        words=own.words if own else "",
        goal=own.goal if own else "",
        goal_words=str(own.get_goal_display()) if own and own.goal else "",
    )


def state_words(rating: Rating | None) -> str:
    """Return '4 of 6 judged. Saved at 14:03.', or that nothing is rated yet."""
    if rating is None:
        return _("Nothing is rated yet. Each choice is saved at once.")
    count = rating.judgements.count()
    saved = time_format(here(rating.saved_at), "H:i")
    words = _("%(count)s of %(all)s rated. Saved at %(time)s.")
    return words % {"count": count, "all": len(QUALITIES), "time": saved}


def changed_elsewhere_words(now: Sequence[OwnPriority], typed: Sequence[OwnPriority]) -> str:
    """Return that the priorities were changed in another window, with both versions."""
    return _(
        "You changed what you would work on in another window: “%(now)s”. The text "
        "here is not saved: “%(typed)s”. Everything else is saved."
    ) % {"now": _three_words(now), "typed": _three_words(typed)}


def _three_words(three: Sequence[OwnPriority]) -> str:
    goals = dict(Goal.choices)
    said = (each.words or str(goals.get(each.goal, "")) for each in three)
    words = "; ".join(f"{rank}. {each}" for rank, each in enumerate(said, start=1))
    return within_quotes(words) if words else _("nothing")


def desk_panel(rehearsal: Rehearsal, coach: User, *, is_open: bool) -> Panel | None:
    """Return the rubric on the review page, or None if there is nothing to read or fill in."""
    rating = own_rating(coach, rehearsal, Occasion.REVIEW)
    if not is_open and (rating is None or rating.finished_at is None):
        return None
    url = reverse("review:rubric", args=[rehearsal.pk]) if is_open else ""
    cohort = rehearsal.cohort
    is_first = cohort is not None and cohort.rubric_first
    return panel(rating, save_url=url, can_reopen=is_open and not is_first)


def rubric_page(rehearsal: Rehearsal, run: Run, *, rubric: Panel) -> RubricPage:
    """Return the page for a coach who rates first."""
    report = report_of(run)
    grant = standing_grant(rehearsal)
    return RubricPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        trainee=str(rehearsal.owner),
        note=grant.note if grant else "",
        facts=facts_of(rehearsal),
        constructed=rehearsal.is_constructed,
        player=player_of(rehearsal, report),
        sentences=plain_words(transcript(report)),
        rubric=rubric,
    )


def plain_words(sentences: tuple[TranscriptLine, ...]) -> tuple[TranscriptLine, ...]:
    """Return the transcript without marks, because filled pauses and silences are findings."""
    return tuple(
        replace(
            sentence,
            words=tuple(
                replace(word, kind="word") if word.kind in _COUNTED else word
                for word in sentence.words
                if word.kind != "pause"
            ),
        )
        for sentence in sentences
    )


def rated_page(rehearsal: Rehearsal, rating: Rating) -> RatedPage:
    """Return the coach's rating in words, quality by quality."""
    judged = {each.quality: each.level for each in rating.judgements.all()}
    return RatedPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        coach=name_words(str(rating.coach)) if rating.coach else _("A coach"),
        rows=tuple(
            Fact(label=str(each.label), value=level_words(each.code, judged[each.code]))
            for each in QUALITIES
            if each.code in judged
        ),
    )

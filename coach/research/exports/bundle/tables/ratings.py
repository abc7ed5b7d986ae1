"""Tables of coaches' ratings by the rubric: levels given by people, never by a machine."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import override

from coach.research.exports.bundle.scope import Included, IncludedTake, Person
from coach.research.exports.bundle.spec import Row, Table, number, refers, text, whole
from coach.research.exports.names import row_name
from coach.research.studies.models import Scope
from coach.review.rubric.models import Judgement, Occasion, Rating
from coach.review.rubric.words import HIGHEST, LOWEST, QUALITIES

_RUBRIC, _VERSION = "six_qualities", "1"
_NOT_SCORED = "not_applicable"


def _criteria(_included: Included) -> Iterator[Row]:
    # Exports are in English wherever they are made.
    with override("en"):
        for each in sorted(QUALITIES, key=lambda quality: quality.code):
            levels = enumerate(each.anchors, start=LOWEST)
            yield {
                "criterion_id": each.code,
                "rubric_id": _RUBRIC,
                "rubric_version": _VERSION,
                "label": str(each.label),
                "anchors": " ".join(f"{level}: {words}" for level, words in levels),
                "scale_min": LOWEST,
                "scale_max": HIGHEST,
                "scale_step": 1,
            }


def consented_ratings(
    included: Included,
) -> Iterator[tuple[Rating, IncludedTake, Person | None]]:
    """Yield the finished ratings with their take, and their rater if they agreed too."""
    takes = {take.rehearsal.pk: take for take in included.takes_with(Scope.FEEDBACK)}
    ratings = Rating.objects.filter(
        rehearsal__in=list(takes),
        finished_at__isnull=False,
        finished_at__lte=included.cut_off,
    )
    for rating in ratings.prefetch_related("judgements"):
        rater = included.by_user.get(rating.coach_id or 0)
        agrees = rater is not None and rater.agrees(Scope.FEEDBACK)
        yield rating, takes[rating.rehearsal_id], rater if agrees else None


def score_id(included: Included, rating: Rating, judgement: Judgement) -> str:
    """Return rating and criterion."""
    return f"S-{row_name(included.key, 'rating', rating.pk)}:{judgement.quality}"


def _scores(included: Included) -> Iterator[Row]:
    rows = []
    for rating, take, rater in consented_ratings(included):
        if rater is None or rating.finished_at is None:
            included.left_out["rubric_scores", "not_consented"] += len(rating.judgements.all())
            continue
        rows += [
            {
                "score_id": score_id(included, rating, each),
                "rehearsal_id": take.name,
                "criterion_id": each.quality,
                "rater_id": rater.name,
                "rater_role": rater.participant.group,
                "occasion": rating.occasion,
                "score": each.level,
                "not_scored_reason": "" if each.level else _NOT_SCORED,
                "day_offset": take.person.day(rating.finished_at),
            }
            for each in rating.judgements.all()
        ]
    yield from sorted(rows, key=lambda row: str(row["score_id"]))


RATING_TABLES = (
    Table(
        name="rubric_criteria",
        title="Rating criteria and the meaning of their levels",
        key=("criterion_id",),
        rows=_criteria,
        is_kept_as_it_came=True,
        columns=(
            text("criterion_id", "The criterion"),
            text("rubric_id", "Its rubric"),
            text("rubric_version", "Version of the rubric"),
            text("label", "Name"),
            text("anchors", "Meaning of the levels, in order"),
            number("scale_min", "Lowest level", required=True),
            number("scale_max", "Highest level", required=True),
            number("scale_step", "Step", required=True),
        ),
    ),
    Table(
        name="rubric_scores",
        title="Ratings by people",
        key=("score_id",),
        rows=_scores,
        is_kept_as_it_came=True,
        refers=(
            refers("rehearsal_id", "rehearsals"),
            refers("criterion_id", "rubric_criteria"),
            refers("rater_id", "participants", "participant_id"),
        ),
        columns=(
            text("score_id", "Rating and criterion"),
            text("rehearsal_id", "The take"),
            text("criterion_id", "The criterion"),
            text("rater_id", "The rater, if they take part and consented"),
            text("rater_role", "Role of the rater", "trainee", "coach", "expert"),
            text("occasion", "Occasion of the rating", *Occasion.values),
            number("score", "Level on an ordinal scale; do not add levels up", least=1, most=5),
            text(
                "not_scored_reason",
                "Reason for a missing score; filled only if score is empty",
                _NOT_SCORED,
                required=False,
            ),
            whole("day_offset", "Days since first consent", "d", least=None),
        ),
    ),
)

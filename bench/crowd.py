"""A large installation: 1,000 people, 20,000 takes, 2,000 waiting reviews.

One real take has its report and draft; the others are copies of its rows, made by the database
itself, with small reports: the benchmark measures how pages find the few rows they need.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from django.db.models import Model

from coach.accounts.models import Membership, Role, User
from coach.curation.statistics.cached import keep_statistics
from coach.feedback.models import (
    Feedback,
    Firing,
    Item,
    MeasuredValue,
    Run,
    StoredReport,
    Verdict,
)
from coach.rehearsals.models import AccessGrant, Rehearsal, Talk, Viewing
from coach.review.models import Review

PEOPLE, TAKES, WAITING, ANSWERED = 1_000, 20_000, 2_000, 6_000
FIRINGS_A_TAKE = 4
_OWN_EVERY = 40
"""One in this many takes belongs to the template's owner, who therefore has 500."""
_FIRST_FEEDBACK = 1_000_000
_EARLIER = "now() - n * interval '7 minutes'"
_EMPTY_REPORT = '{"measurements": {}, "words": []}'
_COPIED: tuple[type[Model], ...] = (
    User,
    Membership,
    Talk,
    Rehearsal,
    Run,
    StoredReport,
    MeasuredValue,
    Feedback,
    Item,
    Firing,
    Verdict,
    AccessGrant,
    Viewing,
    Review,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """Users of a large installation whose pages are opened."""

    trainee: User
    coach: User
    take: Rehearsal
    """Take with a real report and draft, sent to the coach."""


def seed_crowd(*, take: Rehearsal, coach: User) -> Crowd:
    """Multiply a take that was analysed and sent. Call it in an empty installation."""
    grant, feedback = take.grants.get(), take.feedback.get()
    item, firing = feedback.items.all()[:1].get(), feedback.firings.all()[:1].get()
    other = f"{_people(grant)}[1 + n % {PEOPLE}]"
    owner = f"CASE WHEN n % {_OWN_EVERY} = 0 THEN {take.owner_id} ELSE {other} END"
    columns = {"owner_id": owner, "created_at": _EARLIER, "title": "'Talk number ' || n"}
    _multiply(take.talk, TAKES, id=_id("talk"), last_take_at=_EARLIER, **columns)
    columns |= {"form_token": "gen_random_uuid()", "talk_id": _id("talk")}
    _multiply(take, TAKES, id=_id("take"), **columns)
    _multiply(feedback.run, TAKES, id=_id("run"), rehearsal_id=_id("take"), created_at=_EARLIER)
    report = feedback.run.report
    _multiply(
        report, TAKES, run_id=_id("run"), document=f"'{_EMPTY_REPORT}'::jsonb", created_at=_EARLIER
    )
    value = report.measured.exclude(reason="")[:1].get()
    _multiply(value, TAKES, report_id=_id("run"))
    _multiply_feedback(feedback)
    _multiply(
        item, TAKES, id=_id("item"), feedback_id=f"{_FIRST_FEEDBACK} + n", document="'{}'::jsonb"
    )
    _multiply(
        firing,
        TAKES * FIRINGS_A_TAKE,
        feedback_id=f"{_FIRST_FEEDBACK} + 1 + n % {TAKES}",
        rule=f"'R' || (n / {TAKES}) * 10 + n % 10",
        item_id=f"CASE WHEN n < {TAKES} THEN md5('item' || 1 + n)::uuid END",
    )
    _decide(item, coach)
    _send(grant)
    # Statistics first: a copied database reports every table as empty, and the planner then
    # searches many rows one by one.
    _analyse_tables()
    keep_statistics()
    _analyse_tables()
    return Crowd(trainee=take.owner, coach=coach, take=take)


def _id(kind: str) -> str:
    """Return SQL for the key of the n-th row of a kind; deterministic."""
    return f"md5('{kind}' || n)::uuid"


def _people(grant: AccessGrant) -> str:
    """Create a thousand trainees of the reviewing cohort; return their keys as an SQL array."""
    people = User.objects.bulk_create(
        User(email=f"trainee{n}@example.org", name=f"Trainee {n}", roles=[Role.TRAINEE])
        for n in range(PEOPLE)
    )
    Membership.objects.bulk_create(
        Membership(user=each, cohort=grant.cohort, role=Role.TRAINEE) for each in people
    )
    return f"(ARRAY[{','.join(str(each.pk) for each in people)}])"


def _multiply_feedback(feedback: Feedback) -> None:
    """Create the draft of each copy; those with a coach's reply are released."""
    released = f"n > {WAITING} AND n <= {WAITING + ANSWERED}"
    _multiply(
        feedback,
        TAKES,
        id=f"{_FIRST_FEEDBACK} + n",
        run_id=_id("run"),
        rehearsal_id=_id("take"),
        draft="repeat('x', 200)",
        created_at=_EARLIER,
        state=f"CASE WHEN {released} THEN 'released' ELSE 'draft' END",
        released_at=f"CASE WHEN {released} THEN {_EARLIER} END",
        released_by_name=f"CASE WHEN {released} THEN 'Bea' ELSE '' END",
    )


def _decide(item: Item, coach: User) -> None:
    verdict = Verdict.objects.create(
        item=item, coach=coach, coach_name=str(coach), kind=Verdict.Kind.ACCEPT
    )
    _multiply(verdict, ANSWERED, item_id=f"md5('item' || {WAITING} + n)::uuid")
    verdict.delete()


def _send(grant: AccessGrant) -> None:
    """Send the first takes to the coach and answer the next ones; each was opened once."""
    _multiply(
        grant,
        WAITING + ANSWERED,
        rehearsal_id=_id("take"),
        created_at=_EARLIER,
        answered_at=f"CASE WHEN n > {WAITING} THEN {_EARLIER} END",
    )
    viewing = Viewing.objects.create(rehearsal=grant.rehearsal, viewer=None, what="desk")
    _multiply(viewing, WAITING + ANSWERED, rehearsal_id=_id("take"))
    _queue()


def _queue() -> None:
    """Create a review for each grant, waiting or finished."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO review_review "
            "(rehearsal_id, grant_id, uncertainty, is_on_trial, is_first, wants_second, "
            "handed_note, flag, finished_at, handled_seconds) "
            "SELECT rehearsal_id, id, random(), id % 3 = 0, id % 5 = 0, id % 7 = 0, '', '', "
            "answered_at, "
            "CASE WHEN answered_at IS NOT NULL THEN 300 END FROM rehearsals_accessgrant"
        )


def _multiply(template: Model, count: int, **columns: str) -> None:
    """Insert copies of a row, numbered n from 1; `columns` are SQL, other columns are copied."""
    meta = template._meta  # noqa: SLF001 - Django's documented name
    key = template.serializable_value("pk")
    names = [field.column for field in meta.concrete_fields if field.column]
    kept = [name for name in names if name != "id" or name in columns]
    chosen = ", ".join(columns.get(name, f'(one.template)."{name}"') for name in kept)
    into = ", ".join(f'"{name}"' for name in kept)
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{meta.db_table}" ({into}) SELECT {chosen} '  # noqa: S608 - our own words
            f"FROM generate_series(1, {count}) AS n, "
            # A row as one value, so that a column of that name does not hide the number.
            f'(SELECT template FROM "{meta.db_table}" AS template '
            f"WHERE template.\"{meta.pk.column}\" = '{key}') AS one"
        )


def _analyse_tables() -> None:
    """Update the planner's statistics, as autovacuum does within minutes."""
    with connection.cursor() as cursor:
        for model in _COPIED:
            cursor.execute(f'ANALYZE "{model._meta.db_table}"')  # noqa: SLF001

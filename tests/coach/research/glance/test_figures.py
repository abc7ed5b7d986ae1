"""Analysis at a glance: what is counted is what the tables have."""

from __future__ import annotations

import codecs
import csv
import io
import re
from datetime import datetime, timedelta
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.items import standing
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.releases import begin_correction, release_feedback
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import Coder, Coding, Round, Text
from coach.research.dashboard.facts import count_items, items_in
from coach.research.dashboard.pages import chart_of
from coach.research.dashboard.registry import BY_NAME, GLANCES
from coach.research.dashboard.spec import Row
from coach.research.exports.bundle.scope import Included, last_change
from coach.research.exports.bundle.tables import TABLES
from coach.research.studies.models import Scope, Study
from coach.review.services import claim_rehearsal, finish_review
from tests.coach.conftest import SignIn
from tests.coach.research.conftest import included_in
from tests.coach.research.glance.looking import asked_of, rows, url
from tests.coach.research.making import agree, mark

_LATER = timedelta(days=1)
CODES = ("codes", "codes-together", "quotes")


def desk_times_of(study: Study) -> list[Row]:
    [table] = [each for each in TABLES if each.name == "desk_times"]
    return list(table.rows(included_in(study)))


def decided_in_every_way(item: Item, coach: User, now: datetime) -> list[Item]:
    """Copies of an item, each with other decisions, one of them of its version before."""
    kinds = ("accept", "edit", "reject", "replace", "hold")
    said = [
        *([(kind, {}, None)] for kind in kinds),
        *([("accept", {}, None), (kind, {"claim": "So."}, None)] for kind in kinds),
        *([("accept", {"clips": None}, now), (kind, {}, now + _LATER)] for kind in kinds),
        [("edit", {"claim": "So."}, None), ("accept", {}, None)],
        [],
    ]
    made = []
    for n, verdicts in enumerate(said):
        copy = Item.objects.get(pk=item.pk)
        copy.pk, copy.is_chosen, copy.rule, copy.rule_version = uuid4(), n % 2 == 0, f"R{n}", n
        copy.former = made[0] if n == 7 else None
        copy.save(force_insert=True)
        for kind, wording, undone_at in verdicts:
            Verdict.objects.create(
                item=copy,
                coach=coach,
                kind=kind,
                reason="tone" if kind in {"reject", "replace"} else "",
                wording=wording,
                undone_at=undone_at,
            )
        made.append(copy)
    return made


def test_each_page_has_its_table_its_chart_and_its_csv(
    coded: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    assert "Overview" in client.get(url("glance", coded)).content.decode()
    for each in GLANCES:
        assert client.get(url("glance_of", coded, each.name)).status_code == 200
        answer = client.get(url("glance_csv", coded, each.name))
        table = b"".join(answer)  # type: ignore[arg-type]
        assert table.startswith(codecs.BOM_UTF8)  # else Excel breaks the accents of quotes
        lines = list(csv.reader(io.StringIO(table.decode("utf-8-sig"))))
        assert lines[0] == [column.name for column in each.columns]
        drawn = chart_of(each, asked_of(coded, researcher))
        chart = client.get(url("glance_chart", coded, each.name))
        assert chart.status_code == (404 if drawn is None else 200)


def test_what_coaches_decided_is_counted_by_rule_and_version(
    coded: Study, researcher: User
) -> None:
    [row] = rows("rules-and-coaches", asked_of(coded, researcher))
    assert (row["decided"], row["edited"], row["accepted"]) == (1, 1, 0)
    assert (row["kept_share"], row["low"]) == (1.0, None)
    [outcome] = rows("items", asked_of(coded, researcher))
    assert (outcome["items"], outcome["people"], outcome["shown"]) == (1, 1, 0)


def test_a_correction_that_is_being_written_takes_away_nothing_of_what_was_read(
    coded: Study, researcher: User, coach: User, sent: Rehearsal
) -> None:
    claim_rehearsal(rehearsal=sent, coach=coach)
    released = sent.feedback.get()
    release_feedback(feedback=released, coach=coach)
    finish_review(rehearsal=sent, coach=coach)
    released.refresh_from_db()
    [answered] = desk_times_of(coded)
    begin_correction(feedback=released, coach=coach)
    claim_rehearsal(rehearsal=sent, coach=coach)
    [row] = rows("items", asked_of(coded, researcher))
    assert (row["items"], row["shown"], row["waiting"]) == (1, 1, 0)
    assert answered["waited_seconds"] is not None
    assert desk_times_of(coded) == [answered]


def test_codes_are_counted_once_a_person_and_quotes_need_their_consent(
    coded: Study, researcher: User
) -> None:
    found = rows("codes", asked_of(coded, researcher, by="user_group"))
    counted = {row["code"]: (row["people_with_code"], row["turns_with_code"]) for row in found}
    assert counted == {"pauses": (1, 1), "helping": (1, 1)}
    assert rows("quotes", asked_of(coded, researcher)) == []
    agree(coded.participants.get(group="trainee"), Scope.QUOTES)
    quotes = [row["quote"] for row in rows("quotes", asked_of(coded, researcher))]
    assert quotes == ["pauses 👩🏽‍🏫", "pauses 👩🏽‍🏫, they help"]


def test_codes_of_one_turn_stand_together(coded: Study, researcher: User) -> None:
    text = Text.objects.get()
    mark(Round.objects.get(), 2, text, "they help", "helping")
    [row] = rows("codes-together", asked_of(coded, researcher))
    assert (row["turns_with_both"], row["turns_with_second"], row["jaccard"]) == (1, 2, 0.5)


def test_open_rounds_models_and_what_was_settled_not_to_hold_count_for_nothing(
    coded: Study, researcher: User
) -> None:
    Coding.objects.update(status=Coding.Status.REJECTED)
    assert rows("codes", asked_of(coded, researcher)) == []
    Coding.objects.update(status=Coding.Status.INDEPENDENT)
    Coder.objects.update(kind=Coder.Kind.MODEL)
    assert rows("codes", asked_of(coded, researcher)) == []
    Coder.objects.update(kind=Coder.Kind.HUMAN)
    Round.objects.update(state=Round.State.OPEN)
    assert [rows(name, asked_of(coded, researcher)) for name in CODES] == [[], [], []]


def test_items_are_counted_as_the_tables_have_them_and_none_is_read(coded: Study) -> None:
    included = Included(study=coded, cut_off=last_change(coded))
    assert count_items(included) == len(list(items_in(included))) > 0
    with CaptureQueriesContext(connection) as captured:
        count_items(Included(study=coded, cut_off=included.cut_off))
    assert not any('"feedback_item"."document"' in each["sql"] for each in captured)


def test_decisions_are_counted_as_the_desk_has_them(
    coded: Study, coach: User, sent: Rehearsal
) -> None:
    now = timezone.now() + timedelta(minutes=1)
    item = sent.feedback.get().items.get()
    made = decided_in_every_way(item, coach, now)
    late = Verdict.objects.create(item=made[-1], coach=coach, kind="accept")
    Verdict.objects.filter(pk=late.pk).update(at=now + _LATER)
    included = Included(study=coded, cut_off=now + timedelta(seconds=1))
    counted = {fact.rule: fact for fact in items_in(included)}
    for each in (item, *made):
        there = standing(Item.objects.get(pk=each.pk), at=included.cut_off)
        assert counted[each.rule].decision == there.decision
        assert counted[each.rule].was_shown is False  # nothing is released
    decisions = {fact.decision for fact in counted.values()}
    assert decisions == {"open", "accepted", "edited", "rejected", "replaced", "held"}
    Feedback.objects.update(state="released", released_at=now, released_by_name="Bea")
    for fact in items_in(included):
        there = standing(Item.objects.get(rule=fact.rule), at=included.cut_off)
        assert fact.was_shown == there.is_shown


def test_what_the_reader_chose_stands_above_the_rows_and_not_in_each(
    coded: Study, researcher: User, sign_in: SignIn
) -> None:
    page = sign_in(researcher).get(url("glance_of", coded, "measures")).content.decode()
    heads = re.findall(r'<th scope="col">(.*?)</th>', page)
    assert heads == ["Group", "Take", "People", "Without a value", "Mean", "From", "To"]
    [chosen] = re.findall(r"<option value=.pace.words_per_minute. selected>(.*?)</option>", page)
    assert chosen == "Speaking pace (words per minute)"
    names = [column.name for column in BY_NAME["measures"].columns]
    assert names[:2] == ["measure", "unit"]  # the CSV has every measure

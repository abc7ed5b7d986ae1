"""Analysis at a glance: right counts, nobody small to be picked out, nobody else's to read."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.items import standing
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.releases import begin_correction, release_feedback
from coach.portal.personal.erasure import erase_person
from coach.portal.receipts.services import delete_take
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import Code, Coder, Coding, Interview, Round, Text
from coach.research.exports.bundle.scope import Included, last_change
from coach.research.exports.bundle.tables import TABLES
from coach.research.exports.models import Export
from coach.research.glance.completeness import figures_of
from coach.research.glance.facts import count_items, items_in
from coach.research.glance.groups import TOGETHER, group_of
from coach.research.glance.pages import asked_by, chart_of
from coach.research.glance.registry import BY_NAME, GLANCES
from coach.research.glance.spec import Asked, Row
from coach.research.studies.models import Allocation, Condition, Member, Scope, Study
from coach.research.studies.pages import study_page
from coach.research.studies.taking_part import leave_study
from coach.review.services import claim_rehearsal, finish_review
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis
from tests.coach.research.conftest import included_in
from tests.coach.research.making import agree, mark, take_part

_LATER = timedelta(days=1)
CODES = ("codes", "codes-together", "quotes")


def url(name: str, study: Study, *more: str) -> str:
    return reverse(f"research:{name}", args=[study.slug, *more])


def rows(name: str, asked: Asked) -> list[Row]:
    return list(BY_NAME[name].rows(asked))


def desk_times_of(study: Study) -> list[Row]:
    [table] = [each for each in TABLES if each.name == "desk_times"]
    return list(table.rows(included_in(study)))


@pytest.fixture
def coded(study: Study) -> Study:
    """The round is closed, and one person is a group large enough."""
    Round.objects.filter(study=study).update(state=Round.State.CLOSED)
    Study.objects.filter(pk=study.pk).update(least_group=1)
    study.refresh_from_db()
    return study


def asked_of(study: Study, reader: User, **chosen: str) -> Asked:
    return asked_by(reader, study, chosen)


def test_each_page_has_its_table_its_chart_and_its_csv(
    coded: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    assert "At a glance" in client.get(url("glance", coded)).content.decode()
    for each in GLANCES:
        assert client.get(url("glance_of", coded, each.name)).status_code == 200
        answer = client.get(url("glance_csv", coded, each.name))
        lines = list(csv.reader(io.StringIO(b"".join(answer).decode())))  # type: ignore[arg-type]
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


def test_in_a_group_nobody_is_quoted_whose_consent_is_not_known(
    coded: Study, group: Interview, researcher: User
) -> None:
    ana = coded.participants.get(voices__interview__kind="interview")
    agree(ana, Scope.QUOTES)
    text = group.texts.get()
    whole = mark(Round.objects.get(), 1, text, text.text, "pauses")
    mark(Round.objects.get(), 2, text, "I go first.", "pauses")
    found = [
        row for row in rows("quotes", asked_of(coded, researcher)) if row["interview"] == "INT-02"
    ]
    assert [row["quote"] for row in found] == ["I go first."]
    assert whole.pk


def test_small_groups_are_put_together_so_that_nobody_is_found(
    study: Study, researcher: User
) -> None:
    for each in (UserFactory(), UserFactory(), UserFactory()):
        agree(take_part(study, each, group="expert"), Scope.MEASUREMENTS)
    Study.objects.filter(pk=study.pk).update(least_group=2)
    study.refresh_from_db()
    asked = asked_of(study, researcher)
    groups = group_of(asked, "user_group", asked.included.people)
    assert sorted(groups.values()) == [TOGETHER, TOGETHER, "expert", "expert", "expert"]
    Study.objects.filter(pk=study.pk).update(least_group=5)
    study.refresh_from_db()
    asked = asked_of(study, researcher)
    assert set(group_of(asked, "user_group", asked.included.people).values()) == {TOGETHER}
    measured = rows("measures", asked)
    assert [row["mean"] for row in measured] == [None] * len(measured)


def test_a_condition_is_a_letter_to_who_is_blinded(
    coded: Study, researcher: User, sign_in: SignIn
) -> None:
    arm = Condition.objects.create(study=coded, letter="A", name="with a coach")
    Allocation.objects.create(
        participant=coded.participants.get(group="trainee"), condition=arm, number=1
    )
    client = sign_in(researcher)
    page = (
        url("glance_of", coded, "measures")
        + "?by=condition&metric=fillers.filled_pauses_per_minute"
    )
    assert "with a coach" not in client.get(page).content.decode()
    Study.objects.filter(pk=coded.pk).update(is_blinded=False)
    assert "with a coach" in client.get(page).content.decode()


def test_a_table_with_pseudonyms_is_in_the_ledger_and_each_is_written_down(
    coded: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    b"".join(client.get(url("glance_csv", coded, "items")))  # type: ignore[arg-type]
    assert Entry.objects.filter(action="research.table_taken").count() == 1
    assert not Export.objects.exists()
    b"".join(client.get(url("glance_csv", coded, "quotes")))  # type: ignore[arg-type]
    export = Export.objects.get()
    assert export.pseudonyms.count() == 2
    assert client.get(reverse("research:bundle", args=[export.pk])).status_code == 200


def test_who_took_a_table_is_named_by_no_receipt_and_by_no_ledger_once_erased(
    coded: Study, researcher: User, sent: Rehearsal, sign_in: SignIn
) -> None:
    b"".join(sign_in(researcher).get(url("glance_csv", coded, "quotes")))  # type: ignore[arg-type]
    erase_person(user=researcher)
    (copy,) = delete_take(rehearsal=sent).copies
    assert copy["recipient"] == Export.objects.get().recipient == "a member of the study"


def test_who_took_a_table_is_known_to_the_study_that_has_to_tell_them_until_erased(
    coded: Study, researcher: User, sign_in: SignIn
) -> None:
    colleague = UserFactory(name="Ines", roles=["researcher"])
    Member.objects.create(study=coded, user=colleague, role=Member.Role.ANALYST)
    b"".join(sign_in(colleague).get(url("glance_csv", coded, "quotes")))  # type: ignore[arg-type]
    client = sign_in(researcher)
    for page in (url("study", coded), reverse("research:bundle", args=[Export.objects.get().pk])):
        assert "asked for by Ines" in client.get(page).content.decode()
    erase_person(user=colleague)
    assert "asked for by" not in client.get(url("study", coded)).content.decode()


def test_ledgers_of_before_forget_who_took_a_table_and_nobody_elses_name(
    coded: Study, researcher: User, sign_in: SignIn
) -> None:
    b"".join(sign_in(researcher).get(url("glance_csv", coded, "quotes")))  # type: ignore[arg-type]
    Export.objects.update(recipient="Rui")
    Export.objects.create(
        study=coded, recipient="A university", purpose="B", cut_off=coded.created_at, sha256="0a"
    )
    loader = MigrationExecutor(connection).loader
    node = ("research", "0015_tables_name_nobody")
    loader.get_migration(*node).operations[-1].code(loader.project_state([node]).apps, None)
    recipients = set(Export.objects.values_list("recipient", flat=True))
    assert recipients == {"a member of the study", "A university"}


def test_only_those_who_may_export_look(
    study: Study, researcher: User, coach: User, sign_in: SignIn
) -> None:
    pages = [url("glance", study)]
    pages += [url(f"glance_{kind}", study, "items") for kind in ("of", "csv", "chart")]
    for somebody in (coach, UserFactory(roles=["researcher"])):
        client = sign_in(somebody)
        assert {client.get(page).status_code for page in pages} == {404}
    Member.objects.filter(user=researcher).update(role=Member.Role.CODER)
    client = sign_in(researcher)
    assert {client.get(page).status_code for page in pages} == {404}


def test_a_page_that_there_is_not_is_not_there(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    assert client.get(url("glance_of", study, "nothing")).status_code == 404


def test_completeness_says_what_is_there_of_what_was_planned(
    coded: Study, researcher: User
) -> None:
    Study.objects.filter(pk=coded.pk).update(planned_takes=3)
    coded.refresh_from_db()
    found = {row["group"]: row for row in rows("completeness", asked_of(coded, researcher))}
    assert (found["Trainee"]["takes"], found["Trainee"]["planned_takes"]) == (1, 3)
    assert found["Coach"]["planned_takes"] is None
    assert found["Trainee"]["interviews"] == 1


def test_codings_count_only_where_consent_stands(
    coded: Study, group: Interview, researcher: User
) -> None:
    text = group.texts.get()
    mark(Round.objects.get(), 1, text, "I go first.", "pauses")
    mark(Round.objects.get(), 1, text, "Keep this", "pauses")
    Coder.objects.filter(number=2).update(kind=Coder.Kind.MODEL)
    figures = figures_of(asked_of(coded, researcher).included)
    assert (figures["codings"], figures["by_models"]) == (3, 1)
    agree(
        coded.participants.get(voices__interview__kind="interview"),
        Scope.TRANSCRIPT,
        kind="withdrawn",
    )
    figures = figures_of(asked_of(coded, researcher).included)
    assert (figures["codings"], figures["by_models"]) == (0, 0)


def test_the_page_of_a_study_counts_nothing_of_who_has_left(
    coded: Study, group: Interview, trainee: User, sent: Rehearsal, researcher: User
) -> None:
    mark(Round.objects.get(), 1, group.texts.get(), "Well.", "pauses")
    mark(Round.objects.get(), 1, group.texts.get(), "Keep this", "pauses")
    Coding.objects.create(
        study=coded,
        round=Round.objects.get(),
        coder=Coder.objects.get(number=1),
        code=Code.objects.get(name="pauses"),
        rehearsal=sent,
        start_ms=0,
        end_ms=900,
    )
    shown = study_page(coded, researcher).figures
    assert (shown["interviews"], shown["codings"]) == (2, 6)
    leave_study(
        participant=coded.participants.get(voices__interview__kind="interview"), actor=trainee
    )
    shown = study_page(coded, researcher).figures
    assert (shown["interviews"], shown["codings"]) == (1, 1)
    assert figures_of(asked_of(coded, researcher).included)["codings"] == 0


def test_the_interview_of_who_has_left_is_not_said_to_be_ready(
    coded: Study, researcher: User, trainee: User, sign_in: SignIn
) -> None:
    client, interview = sign_in(researcher), Interview.objects.get()
    pages = (url("interviews", coded), url("interview", coded, str(interview.number)))
    for page in pages:
        assert "Ready to be coded" in client.get(page).content.decode()
    left = coded.participants.get(group="trainee")
    Interview.objects.update(participant=left)
    leave_study(participant=left, actor=trainee)
    for page in pages:
        text = client.get(page).content.decode()
        assert "Left out: this person has left the study." in text
        assert "Ready to be coded" not in text


def test_items_are_counted_as_the_tables_have_them_and_none_is_read(coded: Study) -> None:
    included = Included(study=coded, cut_off=last_change(coded))
    assert count_items(included) == len(list(items_in(included))) > 0
    with CaptureQueriesContext(connection) as captured:
        count_items(Included(study=coded, cut_off=included.cut_off))
    assert not any('"feedback_item"."document"' in each["sql"] for each in captured)


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


def test_who_counts_takes_reads_no_rows_of_them(coded: Study, researcher: User) -> None:
    with CaptureQueriesContext(connection) as captured:
        asked = asked_of(coded, researcher)
        figures_of(asked.included)
        for name in ("completeness", "rules-and-coaches", "items", "measures"):
            assert rows(name, asked)
    read = " ".join(each["sql"] for each in captured)
    for column in ('"rehearsals_rehearsal"."title"', '"feedback_run"."options"', '."document"'):
        assert column not in read


def test_takes_of_a_study_come_page_by_page(
    coded: Study, researcher: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coach.research.exports.takes_pages.TAKES_A_PAGE", 1)
    trainee = coded.participants.get(group="trainee").link.user
    take = RehearsalFactory(owner=trainee, cohort=trainee.rehearsals.get().cohort)
    finish_analysis(take)
    client, address = sign_in(researcher), reverse("research:takes", args=[coded.slug])
    pages = [client.get(address, {"page": number}) for number in (1, 2)]
    shown = [row["name"] for page in pages for row in page.context["takes"]]
    assert len(shown) == len(set(shown)) == 2
    assert "1–1 of 2" in pages[0].text

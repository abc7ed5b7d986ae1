"""Analysis at a glance: nobody small to be picked out, nobody else's to read, and who took what."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import reverse

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.portal.personal.erasure import erase_person
from coach.portal.receipts.services import delete_take
from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import Interview, Round
from coach.research.dashboard.groups import TOGETHER, group_of
from coach.research.exports.models import Export
from coach.research.studies.models import Allocation, Condition, Member, Scope, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.glance.looking import asked_of, rows, url
from tests.coach.research.making import agree, mark, take_part


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
        assert "requested by Ines" in client.get(page).content.decode()
    erase_person(user=colleague)
    assert "requested by" not in client.get(url("study", coded)).content.decode()


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

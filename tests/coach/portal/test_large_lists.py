"""The administration of a site where many are and much has happened."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach.accounts.members import MOST_LISTED
from coach.accounts.models import Cohort, Membership, Role, User
from coach.audit.models import Entry
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join

_LOG = "admin:audit_entry_changelist"


@pytest.fixture
def administrator(db: None) -> User:
    """Who opens these pages."""
    return UserFactory(roles=[Role.ADMINISTRATOR], is_staff=True, is_superuser=True, name="Ada")


@pytest.fixture
def crowd(cohort: Cohort) -> Cohort:
    """A group of more people than its page shows, and with more fields than one form takes."""
    people = User.objects.bulk_create(
        User(email=f"many{n}@example.org", name=f"Many {n}", roles=[Role.TRAINEE])
        for n in range(260)
    )
    Membership.objects.bulk_create(
        Membership(cohort=cohort, user=each, role=Role.TRAINEE) for each in people
    )
    return cohort


def _log(count: int, about: list[User]) -> None:
    Entry.objects.bulk_create(
        Entry(action="accounts.joined", object_type="accounts.user", object_id=str(each.pk))
        for each in (about * count)[:count]
    )


def _queries(client: Client, url: str) -> list[str]:
    client.get(url)  # The first visit of a process asks what is asked once.
    with CaptureQueriesContext(connection) as captured:
        assert client.get(url).status_code == 200
    return [each["sql"] for each in captured.captured_queries]


def _fields(page: Any) -> dict[str, Any]:
    """What a browser would send back of the page of a cohort, unchanged."""
    form = page.context["adminform"].form
    formset = page.context["inline_admin_formsets"][0].formset
    sent = {name: "" if form[name].value() is None else form[name].value() for name in form.fields}
    sent = {name: value for name, value in sent.items() if value is not False}
    for each in (formset.management_form, *formset.forms):
        for bound in each:
            value = bound.value()
            if value not in (None, False):
                sent[bound.html_name] = value
    return sent


def test_the_log_names_the_people_of_its_page_in_one_query(
    trainee: User, coach: User, administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    _log(3, [trainee, coach])
    few = _queries(client, reverse(_LOG))
    _log(250, [trainee, coach, administrator])
    many = _queries(client, reverse(_LOG))
    assert len(many) == len(few)
    listed = [query for query in many if 'FROM "audit_entry"' in query]
    # A query of its own for each row, also for those that a later page passes over.
    assert listed
    assert all('FROM "accounts_user"' not in query for query in listed)
    last = client.get(reverse(_LOG), {"p": 3}).text
    assert "Ana" in last


def test_the_newest_entries_are_found_by_an_index(administrator: User, sign_in: SignIn) -> None:
    _log(6_000, [administrator])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE audit_entry")
    queries = _queries(sign_in(administrator), reverse(_LOG))
    rows = next(each for each in queries if "LIMIT" in each and "audit_entry" in each)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {rows}")
        plan = " ".join(line for (line,) in cursor.fetchall())
    assert "audit_newest_first" in plan


def test_the_page_of_a_cohort_asks_no_more_for_more_members(
    cohort: Cohort, trainee: User, administrator: User, sign_in: SignIn
) -> None:
    client, url = sign_in(administrator), reverse("admin:accounts_cohort_change", args=[cohort.pk])
    few = len(_queries(client, url))
    for _each in range(5):
        join(cohort, UserFactory(), Role.TRAINEE)
    assert len(_queries(client, url)) == few
    assert trainee.email in client.get(url).text


def test_of_a_large_group_the_coaches_are_shown_and_the_list_has_everybody(
    crowd: Cohort, coach: User, administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    page = client.get(reverse("admin:accounts_cohort_change", args=[crowd.pk]))
    assert page.context["inline_admin_formsets"][0].formset.initial_form_count() == 1
    assert coach.email in page.text
    people = f"{reverse('admin:accounts_user_changelist')}?cohort={crowd.pk}"
    assert people in page.text
    assert "In a group this large only the coaches are shown below." in page.text
    other = UserFactory(email="elsewhere@example.org")
    listed = client.get(people)
    assert listed.context["cl"].result_count == 261
    assert other.email not in listed.text


def test_a_large_group_is_saved_and_its_members_stay(
    crowd: Cohort, coach: User, administrator: User, sign_in: SignIn
) -> None:
    client, url = sign_in(administrator), reverse("admin:accounts_cohort_change", args=[crowd.pk])
    sent = _fields(client.get(url)) | {"name": "Tuesday group"}
    assert client.post(url, sent).status_code == 302
    crowd.refresh_from_db()
    assert crowd.name == "Tuesday group"
    assert crowd.memberships.count() == 261


def test_a_page_that_showed_all_before_the_group_grew_is_still_saved(
    cohort: Cohort, trainee: User, coach: User, administrator: User, sign_in: SignIn
) -> None:
    client, url = sign_in(administrator), reverse("admin:accounts_cohort_change", args=[cohort.pk])
    sent = _fields(client.get(url)) | {"name": "Tuesday group"}
    for each in UserFactory.create_batch(MOST_LISTED):
        join(cohort, each, Role.TRAINEE)
    assert client.post(url, sent).status_code == 302
    assert cohort.memberships.count() == MOST_LISTED + 2

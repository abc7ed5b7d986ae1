"""Groups by SCIM: trainees that the identity provider manages, and nobody else."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from coach.accounts.models import Cohort, LegalHold, Role, User
from coach.accounts.people import set_archived
from coach.accounts.provisioned import ProvisionedGroup
from coach.accounts.services import set_hold
from coach.api.scopes import Scope
from coach.audit.models import Entry
from tests.coach.scim.provider import Provider

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_limit_reached() -> None:
    cache.clear()


@pytest.fixture
def provider(administrator: User) -> Provider:
    return Provider(administrator, (Scope.SCIM, Scope.SCIM_MATCH))


def emails_in(cohort: Cohort, role: Role = Role.TRAINEE) -> set[str]:
    found = cohort.memberships.filter(role=role)
    return {str(each) for each in found.values_list("user__email", flat=True)}


def test_members_join_and_leave_as_trainees(provider: Provider, administrator: User) -> None:
    ada, bob = (provider.add(f"{name}@example.org").json()["id"] for name in ("ada", "bob"))
    made = provider.add_group("Term 1", [ada], externalId="g1").json()
    cohort = Cohort.objects.get(name="Term 1")
    assert emails_in(cohort) == {"ada@example.org"}
    place = f"Groups/{made['id']}"
    provider.patch(place, {"op": "Add", "path": "members", "value": [{"value": bob}]})
    assert emails_in(cohort) == {"ada@example.org", "bob@example.org"}
    provider.patch(place, {"op": "Remove", "path": f'members[value eq "{ada}"]'})
    assert emails_in(cohort) == {"bob@example.org"}
    # As Entra sends it.
    provider.patch(place, {"op": "Remove", "path": "members", "value": [{"value": bob}]})
    assert emails_in(cohort) == set()
    assert (
        provider.patch(place, {"op": "replace", "value": {"displayName": "T1"}}).status_code == 200
    )
    cohort.refresh_from_db()
    assert cohort.name == "T1"
    for text in ('displayName eq "t1"', 'externalId eq "g1"', f'id eq "{made["id"]}"'):
        assert provider.get("Groups", filter=text).json()["totalResults"] == 1
    for text in ('cohort__memberships eq "x"', 'displayName sw "T"'):
        assert provider.get("Groups", filter=text).json()["scimType"] == "invalidFilter"
    acts = set(Entry.objects.filter(actor=administrator).values_list("action", flat=True))
    assert acts >= {"accounts.cohort_added", "accounts.joined", "accounts.left",
                    "accounts.cohort_changed", "scim.group_managed"}  # fmt: skip


def test_coaches_and_other_trainees_stay(
    provider: Provider, cohort: Cohort, trainee: User, coach: User
) -> None:
    ada, bea = (provider.add(each).json()["id"] for each in ("ada@example.org", coach.email))
    made = provider.add_group(cohort.name, [ada]).json()
    assert ProvisionedGroup.objects.get().cohort == cohort
    assert [each["value"] for each in made["members"]] == [ada]
    provider.ask("put", f"Groups/{made['id']}", {**made, "members": []})
    assert emails_in(cohort) == {trainee.email}
    assert emails_in(cohort, Role.COACH) == {coach.email}
    provider.ask("put", f"Groups/{made['id']}", {**made, "members": [{"value": bea}]})
    provider.ask("put", f"Groups/{made['id']}", {**made, "members": []})
    assert emails_in(cohort, Role.COACH) == {coach.email}
    coach.refresh_from_db()
    assert Role.COACH in coach.roles
    assert User.objects.filter(is_staff=True).count() == 1


def test_an_existing_group_is_not_taken_over(
    administrator: User, cohort: Cohort, provider: Provider
) -> None:
    strict = Provider(administrator)
    answer = strict.add_group(cohort.name)
    assert (answer.status_code, answer.json()["scimType"]) == (409, "uniqueness")
    provider.add_group("Other")
    made = strict.get("Groups", filter='displayName eq "Other"').json()["Resources"][0]
    renamed = strict.ask("put", f"Groups/{made['id']}", {**made, "displayName": cohort.name})
    assert renamed.status_code == 409
    assert provider.add_group("Other").status_code == 409
    # Which of two is meant, nobody knows.
    Cohort.objects.create(name=cohort.name)
    assert provider.add_group(cohort.name).status_code == 409


def test_an_archived_group_takes_nobody_and_a_new_term_may_have_its_name(
    provider: Provider, administrator: User
) -> None:
    ada = provider.add().json()["id"]
    made = provider.add_group("Term 1").json()
    cohort = Cohort.objects.get(name="Term 1")
    set_archived(cohort=cohort, is_archived=True, actor=administrator)
    add = {"op": "add", "path": "members", "value": [{"value": ada}]}
    assert provider.patch(f"Groups/{made['id']}", add).status_code == 409
    assert emails_in(cohort) == set()
    assert provider.add_group("Term 1", [ada]).status_code == 201
    assert Cohort.objects.filter(name="Term 1").count() == 2


def test_deleting_archives_and_keeps_members_and_takes(provider: Provider) -> None:
    ada = provider.add().json()["id"]
    made = provider.add_group("Term 1", [ada]).json()
    assert provider.ask("delete", f"Groups/{made['id']}").status_code == 204
    assert provider.get(f"Groups/{made['id']}").status_code == 404
    cohort = Cohort.objects.get(name="Term 1")
    assert cohort.archived_at is not None
    assert emails_in(cohort) == {"ada@example.org"}


def test_nobody_leaves_a_group_under_a_hold(provider: Provider, administrator: User) -> None:
    ada = provider.add().json()["id"]
    made = provider.add_group("Term 1", [ada]).json()
    cohort = Cohort.objects.get(name="Term 1")
    set_hold(hold=LegalHold(cohort=cohort, reason="A complaint"), actor=administrator)
    remove = {"op": "remove", "path": "members"}
    assert provider.patch(f"Groups/{made['id']}", remove).status_code == 409
    assert provider.ask("delete", f"Users/{ada}").status_code == 204
    assert emails_in(cohort) == {"ada@example.org"}


def test_wrong_members_are_refused(provider: Provider, administrator: User) -> None:
    gone = provider.add().json()["id"]
    provider.ask("delete", f"Users/{gone}")
    for key in ("1", str(administrator.pk), str(uuid4()), gone, "x' or 1=1"):
        answer = provider.add_group("Term 1", [key])
        assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidValue"), key
    assert not Cohort.objects.filter(name="Term 1").exists()
    assert provider.add_group("Term 1", [str(uuid4()) for _ in range(1001)]).status_code == 413
    made = provider.add_group("Term 1").json()
    place = f"Groups/{made['id']}"
    many = [{"op": "remove", "path": f'members[value eq "{uuid4()}"]'} for _ in range(1001)]
    assert provider.patch(place, *many).status_code == 413
    assert provider.patch(place, *many[:1000]).status_code == 200
    value = [{"value": gone}]
    for path in ('members[display eq "Ada"]', f'members[value eq "{gone}"]', "members["):
        answer = provider.patch(place, {"op": "add", "path": path, "value": value})
        assert answer.status_code == 400, path
    # What we do not know of a group is ignored, as in a whole resource.
    assert provider.patch(place, {"op": "add", "path": "cohort", "value": "x"}).status_code == 200


def test_a_page_of_groups_costs_few_queries(provider: Provider) -> None:
    people = [provider.add(f"p{n}@example.org").json()["id"] for n in range(3)]
    provider.add_group("A", people)

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert provider.get("Groups").status_code == 200
        return len(seen)

    queries()
    before = queries()
    for name in "BCD":
        provider.add_group(name, people)
    assert queries() <= before

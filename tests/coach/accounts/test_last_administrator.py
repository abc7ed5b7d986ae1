"""A site keeps an administrator, also where two remove each other at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest
from django.contrib.admin.models import DELETION, LogEntry
from django.core.exceptions import ValidationError
from django.test import Client

from coach.accounts import people
from coach.accounts.models import Role, User
from coach.portal.personal.erasure import erase_person
from tests.coach.conftest import SignIn
from tests.coach.crossing import in_the_middle_of, on_its_own, waits
from tests.coach.factories import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)

NOBODY_ELSE = "There is no other administrator"


def demote(person: User, actor: User) -> None:
    people.set_roles(person=person, roles=[Role.COACH], actor=actor)


def close(person: User, actor: User) -> None:
    people.set_access(person=person, may_sign_in=False, actor=actor)


def erase(person: User, actor: User) -> None:
    erase_person(user=person, actor=actor)


WAYS = (demote, close, erase)


@pytest.fixture
def second() -> User:
    """Another administrator."""
    person = UserFactory(email="second@example.org", name="Sol")
    people.set_roles(person=person, roles=[Role.ADMINISTRATOR], actor=None)
    return person


def form_of(person: User, **said: object) -> dict[str, object]:
    standing = {"email": person.email, "name": person.name, "language": "en", "is_active": "on"}
    return standing | said


def left() -> list[str]:
    rows = User.objects.filter(is_staff=True, is_active=True)
    return list(rows.values_list("email", flat=True))


@pytest.mark.parametrize("first_way", WAYS)
@pytest.mark.parametrize("second_way", WAYS)
def test_of_two_who_remove_each_other_at_the_same_moment_one_stays(
    first_way: Callable[[User, User], None],
    second_way: Callable[[User, User], None],
    administrator: User,
    second: User,
) -> None:
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(lambda: first_way(second, administrator), pool):
            other = pool.submit(on_its_own(lambda: second_way(administrator, second)))
            assert waits(other)
        with pytest.raises(ValidationError, match=NOBODY_ELSE):
            other.result(timeout=30)
    assert left() == [administrator.email]


def _changes(client: Client, person: User) -> str:
    url = f"/admin/accounts/user/{person.pk}/change/"
    return client.post(url, form_of(person, roles=["coach"])).content.decode()


def _deletes(client: Client, person: User) -> str:
    url = f"/admin/accounts/user/{person.pk}/delete/"
    return client.post(url, {"post": "yes"}, follow=True).content.decode()


def _ticks(client: Client, person: User) -> str:
    form = {"action": "delete_selected", "_selected_action": str(person.pk), "post": "yes"}
    return client.post("/admin/accounts/user/", form, follow=True).content.decode()


@pytest.mark.parametrize("way", [_changes, _deletes, _ticks])
def test_who_comes_second_reads_why_on_each_page_of_the_administration(
    way: Callable[[Client, User], str], administrator: User, second: User, sign_in: SignIn
) -> None:
    client = sign_in(second)
    with ThreadPoolExecutor(2) as pool:
        # Nobody else is left for one moment: the second one's account is closed meanwhile.
        with in_the_middle_of(lambda: close(second, administrator), pool):
            answer = pool.submit(on_its_own(lambda: way(client, administrator)))
            assert waits(answer)
        answer.result(timeout=30)
    assert left() == [administrator.email]
    administrator.refresh_from_db()
    assert administrator.roles == [Role.ADMINISTRATOR]


def test_the_last_one_is_not_deleted_in_the_administration_and_is_told_why(
    administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    for way in (_deletes, _ticks):
        assert NOBODY_ELSE in way(client, administrator)
    assert left() == [administrator.email]


def test_one_of_several_is_changed_closed_and_deleted_as_before(
    administrator: User, second: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    assert _changes(client, second) == ""
    assert left() == [administrator.email]
    people.set_roles(person=second, roles=[Role.ADMINISTRATOR], actor=administrator)
    _deletes(client, second)
    assert not User.objects.filter(pk=second.pk).exists()


def _ticks_all(client: Client, *people: User) -> str:
    keys = [str(person.pk) for person in people]
    form = {"action": "delete_selected", "_selected_action": keys, "post": "yes"}
    return client.post("/admin/accounts/user/", form, follow=True).content.decode()


def test_who_was_erased_and_who_was_not_is_said_where_several_were_ticked(
    administrator: User, second: User, trainee: User, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    with ThreadPoolExecutor(2) as pool:
        with in_the_middle_of(lambda: demote(second, second), pool):
            answer = pool.submit(
                on_its_own(lambda: _ticks_all(client, trainee, administrator, coach))
            )
            assert waits(answer)
        words = answer.result(timeout=30)
    assert isinstance(words, str)
    assert "2 people and all their data were deleted." in words
    assert f"{administrator} was not deleted. {NOBODY_ELSE}" in unescape(words)
    assert "Successfully deleted" not in words
    assert not User.objects.filter(pk__in=[trainee.pk, coach.pk]).exists()
    assert left() == [administrator.email]
    assert not LogEntry.objects.filter(object_id=str(administrator.pk)).exists()
    assert LogEntry.objects.filter(action_flag=DELETION).count() == 2


def test_an_administrator_may_tick_themselves_among_others(
    administrator: User, second: User, trainee: User, coach: User, sign_in: SignIn
) -> None:
    """They come first in the list, and their name stands in the log of what comes after."""
    administrator.email = "a@example.org"
    administrator.save()
    _ticks_all(sign_in(administrator), trainee, administrator, coach)
    assert not User.objects.filter(pk__in=[trainee.pk, coach.pk, administrator.pk]).exists()
    assert left() == [second.email]


def test_the_last_one_may_still_erase_their_own_account(administrator: User) -> None:
    erase_person(user=administrator)
    assert left() == []

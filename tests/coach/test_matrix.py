"""Every address of ours, every kind of visitor, every method: nothing shown, nothing changed.

A take that is private, and one that was sent, with everything that hangs on them. Who has no part
in it is answered with nothing, and afterwards the database says the same as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.backends import ModelBackend
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from coach.accounts.departments import Department
from coach.accounts.models import Cohort, Role, User
from coach.curation.models import Proposal
from coach.drafts.models import FormDraft
from coach.portal.departments.services import move_group, name_administrator
from coach.rehearsals.models import Rehearsal, Upload
from coach.rulesets.models import RuleSetRelease, RuleVersion
from coach.uploads.services import finish_upload
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join
from tests.coach.test_strangers import ITEM_VIEWS, OBJECT_VIEWS, TUS_VIEWS, UPLOAD_VIEWS

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
OF_PAGES = ("get", "post")
TRY_EVERYTHING = {"not signed in", "peer", "every role but elsewhere", "superuser"}
"""Pages answer to two methods; that all others are refused need not be tried by every visitor."""
ONE_ROLE = {"nobody", "curator", "researcher", "administrator"}
"""To a private take they come together, as who has every role; to a sent one also alone."""
OURS = (
    "accounts",
    "api",
    "audit",
    "guests",
    "notices",
    "drafts",
    "rehearsals",
    "rulesets",
    "feedback",
    "practice",
    "review",
    "curation",
    "portal",
    "research",
)
SHOWS_NOTHING = {301, 302, 403, 404, 405}
UNTOUCHED = (RuleSetRelease, RuleVersion)
"""Large documents: counted only."""
KEEPS_TYPED = (FormDraft,)
"""What a signed-out visitor sends is kept for the person whose page it was."""
PROTOCOL = {"tus-resumable": "1.0.0", "upload-offset": "3"}
"""What a program says that sends pieces of a recording."""
PROGRAMS = {"research:recording_uploads", "review:spoken_uploads"}
"""Answer 401, 404 and 412 as their protocol has it (tests/coach/research/recordings/ and
tests/coach/review/test_spoken.py try them)."""
PARTICIPANTS = {"research:mine"}
"""A person's own studies, whatever the role: no room of researchers (test_studies.py tries it)."""


class Cell(NamedTuple):
    """One address with its objects filled in."""

    name: str
    url: str


def patterns(
    found: list[URLPattern | URLResolver], space: str = ""
) -> Iterator[tuple[str, dict[str, object]]]:
    for each in found:
        if isinstance(each, URLResolver):
            yield from patterns(each.url_patterns, each.namespace or space)
        elif space and space != "admin":
            yield f"{space}:{each.name}", each.pattern.converters


def take_cells(take: Rehearsal) -> list[Cell]:
    """The addresses that name a take or an item."""
    item = take.feedback.get().items.first()
    assert item is not None
    return cells({"rehearsal_id": take.pk, "item_id": item.pk})


def cells(ids: dict[str, object]) -> list[Cell]:
    """The addresses that name these and nothing else."""
    return [
        Cell(name, reverse(name, kwargs={key: ids[key] for key in needs}))
        for name, needs in patterns(get_resolver().url_patterns)
        if needs and needs.keys() <= ids.keys() and name not in PROGRAMS
    ]


def test_the_matrix_has_every_address_that_names_somebodys_object(
    private: Rehearsal, waiting: Upload
) -> None:
    found = {cell.name for cell in (*take_cells(private), *cells({"upload_id": waiting.pk}))}
    listed = {name for _method, name in (*OBJECT_VIEWS, *ITEM_VIEWS, *UPLOAD_VIEWS)}
    programs = TUS_VIEWS - {"rehearsals:tus", "v1-uploads:uploads"}  # which name no object
    assert found == listed | programs


@pytest.fixture
def private(trainee: User, cohort: Cohort, take: Rehearsal) -> Rehearsal:
    """Ana's take, sent to nobody."""
    return take


@pytest.fixture
def waiting(trainee: User) -> Upload:
    """What arrived of an upload of Ana's."""
    upload = Upload.objects.create(owner=trainee, name="x.mp4", expected_bytes=10)
    finish_upload(upload=upload, received_bytes=3, sha256="", complete=False)
    return upload


def peer(cohort: Cohort) -> User:
    """Another trainee of Ana's own group."""
    person = UserFactory(email="gil@example.org", name="Gil")
    join(cohort, person, Role.TRAINEE)
    return person


def coach_elsewhere(_cohort: Cohort) -> User:
    person = UserFactory(email="ida@example.org", name="Ida", roles=[Role.COACH])
    join(Cohort.objects.create(name="Elsewhere"), person, Role.COACH)
    return person


def coach_without_a_group(_cohort: Cohort) -> User:
    return UserFactory(email="jon@example.org", name="Jon", roles=[Role.COACH])


def member_who_is_no_coach(cohort: Cohort) -> User:
    person = UserFactory(email="kim@example.org", name="Kim", roles=[])
    join(cohort, person, Role.TRAINEE)
    User.objects.filter(pk=person.pk).update(roles=[])
    return User.objects.get(pk=person.pk)


def former_coach(cohort: Cohort) -> User:
    """She coached this group; her account is closed."""
    person = UserFactory(email="lea@example.org", name="Lea", roles=[Role.COACH])
    join(cohort, person, Role.COACH)
    User.objects.filter(pk=person.pk).update(is_active=False)
    return User.objects.get(pk=person.pk)


def with_roles(*roles: Role) -> Callable[[Cohort], User]:
    return lambda _cohort: UserFactory(email="max@example.org", name="Max", roles=list(roles))


def administrator_of_its_department(cohort: Cohort) -> User:
    """Who administers the department of Ana's own group, which opens nothing of hers."""
    department = Department.objects.create(name="History")
    root = User.objects.create_superuser("top@example.org", "long-enough-word", name="Top")
    move_group(cohort=cohort, department=department, actor=root)
    person = UserFactory(email="dean@example.org", name="Dean", roles=[])
    name_administrator(department=department, person=person, actor=root)
    return User.objects.get(pk=person.pk)


def superuser(_cohort: Cohort) -> User:
    return User.objects.create_superuser("root@example.org", "long-enough-word", name="Root")


VISITORS: dict[str, Callable[[Cohort], User] | None] = {
    "not signed in": None,
    "peer": peer,
    "coach elsewhere": coach_elsewhere,
    "coach without a group": coach_without_a_group,
    "member without a role": member_who_is_no_coach,
    "former coach": former_coach,
    "nobody": with_roles(),
    "curator": with_roles(Role.CURATOR),
    "researcher": with_roles(Role.RESEARCHER),
    "administrator": with_roles(Role.ADMINISTRATOR),
    "every role but elsewhere": with_roles(*Role),
    "administrator of its department": administrator_of_its_department,
    "superuser": superuser,
}


def database() -> tuple[object, ...]:
    """A digest of every row of ours, table by table; PostgreSQL makes them all at once."""
    every = "SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {} t"
    count = "SELECT count(*)::text FROM {} t"
    models = [each for app in OURS for each in apps.get_app_config(app).get_models()]
    digests = [
        f"({(count if model in UNTOUCHED else every).format(model._meta.db_table)})"
        for model in models
        if model not in KEEPS_TYPED
    ]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(digests)}")
        found: tuple[object, ...] = cursor.fetchone()
    return found


def methods(name: str, visitor: str, state: str = "") -> tuple[str, ...]:
    """With which this visitor comes to that address; programs use all there are.

    That a page knows no other method does not hang on whether a take was sent.
    """
    everything = visitor in TRY_EVERYTHING and state != "private"
    return METHODS if name in TUS_VIEWS or everything else OF_PAGES


def telling(client: Client, method: str, cell: Cell, upload: Upload) -> str:
    """What an answer gives away, nothing where it is as it should be.

    Pages refuse. Where programs ask, the protocol has answers of its own, so there it must be,
    byte for byte, what is answered about an upload that never was.
    """
    ask = getattr(client, method)
    if cell.name not in TUS_VIEWS:
        status = ask(cell.url).status_code
        return "" if status in SHOWS_NOTHING else str(status)
    never = cell.url.replace(str(upload.pk), str(uuid4()))
    kind = "application/offset+octet-stream"
    for said in ({}, PROTOCOL):
        there, nowhere = (
            ask(url, headers=said)
            if method in {"get", "head"}
            else ask(url, b"ab", content_type=kind, headers=said)
            for url in (cell.url, never)
        )
        if answer_of(there) != answer_of(nowhere) or (there.status_code < 400) != (
            method == "options"
        ):
            return f"{answer_of(there)}, and of none {answer_of(nowhere)}"
    return ""


def answer_of(response: HttpResponse) -> tuple[int, bytes, dict[str, str]]:
    """All that a visitor gets, but for the id that every request has of its own."""
    headers = {name: value for name, value in response.items() if name != "X-Request-ID"}
    return response.status_code, response.content, headers


@pytest.fixture
def bare_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused is answered without its page, a fifth of the time: the status says it all.

    The pages themselves are read in test_strangers.py.
    """
    for status in (403, 404):
        bare = partial(refuse, status)
        monkeypatch.setattr(f"coach.urls.handler{status}", bare, raising=False)


def refuse(status: int, _request: HttpRequest, exception: Exception) -> HttpResponse:
    assert exception
    return HttpResponse(status=status)


@pytest.fixture
def visitors_in_memory(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of requests read session and person otherwise, which nothing here is about.

    Each request gets a person of its own all the same, with nothing of what another asked of them.
    """
    known: dict[object, User | None] = {}
    read = ModelBackend.get_user

    def remembered(backend: ModelBackend, user_id: object) -> User | None:
        if user_id not in known:
            known[user_id] = read(backend, user_id)
        return copy(known[user_id])

    monkeypatch.setattr(ModelBackend, "get_user", remembered)
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cache"
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}


def arrived(visitor: str, cohort: Cohort) -> Client:
    client, make = Client(), VISITORS[visitor]
    if make is not None:
        client.force_login(make(cohort))
    is_known = make not in {None, former_coach}
    assert client.get(reverse("portal:privacy")).status_code == (200 if is_known else 302)
    return client


@pytest.mark.usefixtures("bare_refusals", "visitors_in_memory")
@pytest.mark.parametrize(
    ("state", "visitor"),
    [
        *(("sent", each) for each in VISITORS),
        *(("private", each) for each in VISITORS if each not in ONE_ROLE),
    ],
)
def test_who_has_no_part_in_a_take_sees_nothing_and_changes_nothing(
    state: str, visitor: str, cohort: Cohort, request: pytest.FixtureRequest
) -> None:
    take: Rehearsal = request.getfixturevalue(state)
    client = arrived(visitor, cohort)
    before = database()
    for cell in take_cells(take):
        for method in methods(cell.name, visitor, state):
            status = getattr(client, method)(cell.url).status_code
            assert status in SHOWS_NOTHING, f"{method} {cell.name} for {visitor}: {status}"
    assert database() == before


@pytest.mark.usefixtures("visitors_in_memory")
@pytest.mark.parametrize("visitor", VISITORS)
def test_nor_of_an_upload(visitor: str, cohort: Cohort, waiting: Upload) -> None:
    client = arrived(visitor, cohort)
    before = database()
    for cell in cells({"upload_id": waiting.pk}):
        for method in methods(cell.name, visitor):
            told = telling(client, method, cell, waiting)
            assert not told, f"{method} {cell.name} for {visitor}: {told}"
    assert database() == before


@pytest.mark.usefixtures("bare_refusals")
def test_the_own_coach_sees_nothing_of_a_take_that_was_not_sent(
    private: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    client, before = sign_in(coach), database()
    for cell in take_cells(private):
        for method in METHODS:
            status = getattr(client, method)(cell.url).status_code
            assert status in SHOWS_NOTHING, f"{method} {cell.name}: {status}"
    assert database() == before


def test_nor_of_an_upload_of_somebody_whom_she_coaches(
    coach: User, waiting: Upload, sign_in: SignIn
) -> None:
    client, before = sign_in(coach), database()
    for cell in cells({"upload_id": waiting.pk}):
        for method in METHODS:
            told = telling(client, method, cell, waiting)
            assert not told, f"{method} {cell.name}: {told}"
    assert database() == before


@pytest.mark.usefixtures("bare_refusals", "visitors_in_memory")
@pytest.mark.parametrize(
    "visitor", [each for each in VISITORS if each != "every role but elsewhere"]
)
def test_rooms_of_a_role_are_closed_to_all_others(visitor: str, cohort: Cohort) -> None:
    """The studio, research and the administrators' pages, for everybody without that role."""
    own = {"curator": "curation:", "researcher": "research:", "administrator": "portal:admin"}
    rooms = ("curation:", "research:", "portal:administration")
    client = arrived(visitor, cohort)
    before = database()
    for name, needs in patterns(get_resolver().url_patterns):
        mine = visitor in own and name.startswith(own[visitor])
        if (
            not name.startswith(rooms)
            or name in PARTICIPANTS | PROGRAMS
            or mine
            or visitor == "superuser"
        ):
            continue
        url = reverse(name, kwargs={key: example(key) for key in needs})
        for method in methods(name, visitor):
            status = getattr(client, method)(url).status_code
            assert status in SHOWS_NOTHING, f"{method} {name} for {visitor}: {status}"
    assert database() == before
    assert not Proposal.objects.exists()


def example(key: str) -> object:
    """A value for a part of an address; whether the object is there must not matter."""
    if key.endswith("_id") and key not in {"proposal_id", "examined_id"}:
        return "00000000-0000-4000-8000-000000000000"
    return {"rule": "FIL001", "name": "items.csv"}.get(key, 1)

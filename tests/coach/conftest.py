"""The cast: a trainee, her coach, and a stranger who must see nothing."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth import login
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.http import HttpRequest
from django.test import Client, override_settings
from django.utils import timezone, translation
from pytest_django import DjangoDbBlocker

from coach.accounts.models import Cohort, Role, User
from coach.audit.models import Entry
from coach.feedback.models import Feedback
from coach.feedback.pages import extensions
from coach.feedback.tasks import run_stage
from coach.rehearsals.models import Rehearsal
from coach.rulesets.services import publish_builtin_rules
from tests.coach import cast
from tests.coach.factories import PASSWORD, RehearsalFactory, UserFactory, finish_analysis
from tests.put_back import keep

SignIn = Callable[[User], Client]


def says(text: str, phrase: str) -> bool:
    """Whether ``phrase`` stands in ``text`` as words of its own.

    Case does not matter. A short name inside a random key ("bea" in 6bbeaed8) is nobody's.
    """
    return re.search(rf"\b{re.escape(phrase)}\b", text, re.IGNORECASE) is not None


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """A request leaves its reader's language behind in the thread; the next test begins anew."""
    translation.deactivate()
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def reports_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked before a report, but where a test is about that."""
    monkeypatch.setattr(extensions, "BEFORE_REPORT", [])


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Real hashing takes most of a second for each person of the cast."""
    hasher = "django.contrib.auth.hashers.MD5PasswordHasher"
    with override_settings(PASSWORD_HASHERS=[hasher]):
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_clients() -> Iterator[None]:
    """Static files are found when they are asked for; each client would list them all otherwise."""
    with override_settings(WHITENOISE_AUTOREFRESH=True):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The database with the rules that come with Rostrum, as every site has them.

    A tenth of a second for each of a thousand tests otherwise. A test that needs them gone says so.
    """
    with django_db_blocker.unblock():
        publish_builtin_rules()
        Entry.objects.all().delete()
        keep()


@pytest.fixture(scope="module")
def for_the_file(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What fixtures of a whole file write is there for each of its tests, and gone behind the last.

    What a test itself writes is taken back behind it: its transaction is a part of this one. Not
    for files with tests that commit.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """No stage is sent to a worker: the broker has tests of its own."""
    monkeypatch.setattr(run_stage, "apply_async", lambda *_args, **_kwargs: None)


@pytest.fixture
def cohort(db: None) -> Cohort:
    """Where Ana practises and Bea coaches."""
    return cast.monday_group()


@pytest.fixture
def trainee(cohort: Cohort) -> User:
    """Ana."""
    return cast.ana(cohort)


@pytest.fixture
def coach(cohort: Cohort) -> User:
    """Bea, Ana's coach."""
    return cast.bea(cohort)


@pytest.fixture
def stranger(db: None) -> User:
    """Cem: trainee, coach and researcher elsewhere; must see nothing of Ana's."""
    return cast.cem()


@pytest.fixture
def researcher(db: None) -> User:
    """Rui, who exports."""
    return UserFactory(email="rui@example.org", name="Rui", roles=[Role.RESEARCHER])


@pytest.fixture
def administrator(db: None) -> User:
    """Root, who keeps people and cohorts."""
    return User.objects.create_superuser("root@example.org", PASSWORD, name="Root")


@pytest.fixture
def sign_in() -> SignIn:
    """A browser session of a person who has just given their password.

    Django's own `force_login` writes two sessions and reads them thrice, in most tests of pages.
    """

    def signed_in(user: User) -> Client:
        request = HttpRequest()
        request.session = SessionStore()
        login(request, user, settings.AUTHENTICATION_BACKENDS[0])
        request.session["account_authentication_methods"] = [
            {"method": "password", "at": time.time()}
        ]
        request.session["account_authentication_methods_user"] = str(user.pk)
        request.session.save()
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = request.session.session_key
        return client

    return signed_in


@pytest.fixture
def take(trainee: User, cohort: Cohort) -> Rehearsal:
    """Ana's take, analysed, private."""
    return cast.analysed_take(trainee, cohort)


@pytest.fixture
def sent(take: Rehearsal, coach: User) -> Rehearsal:
    """Ana's take, sent to Bea."""
    cast.send(take)
    return take


@pytest.fixture
def newer(sent: Rehearsal, cohort: Cohort) -> Rehearsal:
    """Another take of that talk, recorded a day later and sent as well."""
    yesterday = timezone.now() - timedelta(days=1)
    Rehearsal.objects.filter(pk=sent.pk).update(created_at=yesterday)
    take: Rehearsal = RehearsalFactory(
        owner=sent.owner, cohort=cohort, talk=sent.talk, title=sent.title
    )
    finish_analysis(take)
    cast.send(take)
    return take


@pytest.fixture
def draft(sent: Rehearsal) -> Feedback:
    """The draft on Ana's sent take."""
    return sent.feedback.get()

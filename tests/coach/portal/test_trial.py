"""A trial: one short recording without an account, of which nothing is left after a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from coach.accounts.models import Consent, Purpose, User
from coach.accounts.trial import most_seconds
from coach.audit.models import Entry, SecurityEvent
from coach.portal.home.operation import site_counts
from coach.portal.models import Receipt
from coach.portal.tasks import end_trials
from coach.rehearsals.models import Rehearsal, Upload
from tests.coach.conftest import SignIn
from tests.coach.factories import arrived, finish_analysis, folder_of
from tests.coach.stored_rows import rows_that_say
from tests.coach.uploads.handing_in import waiting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_broker")]

TRIAL = "/trial/"
AGREED = {"consent": "on", "age": "on"}
RECORD = reverse("feedback:record")


@pytest.fixture(autouse=True)
def counters_begin_at_nothing() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def offered(settings: Settings) -> None:
    settings.ACCESS = frozenset({"trial"})


@pytest.fixture
def visitor(offered: None, client: Client) -> User:
    """Somebody who began a trial with `client`."""
    assert client.post(TRIAL, AGREED).headers["Location"] == RECORD
    return User.objects.get(trial_ends_at__isnull=False)


def use(client: Client, upload: Upload) -> str:
    """Use a recording as the recorder does; return the next page."""
    known = client.get(RECORD).context["known"]
    response = client.post(reverse("feedback:use_take", args=[upload.pk]), known)
    return str(response.headers["Location"])


def begin_upload(client: Client, size: int = 1000) -> int:
    headers = {"tus-resumable": "1.0.0", "upload-length": str(size)}
    address = reverse("rehearsals:tus")
    return client.post(address, content_type="text/plain", headers=headers).status_code


def test_by_default_a_site_has_no_trial(client: Client) -> None:
    assert client.get(TRIAL).status_code == 404
    assert client.post(TRIAL, AGREED).status_code == 404
    assert TRIAL not in client.get("/").text
    assert not User.objects.exists()


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize("missing", AGREED)
def test_a_trial_needs_consent_and_age(client: Client, missing: str) -> None:
    assert TRIAL in client.get("/").text
    assert client.get(TRIAL).status_code == 200
    assert client.post(TRIAL, {**AGREED, missing: ""}).status_code == 422
    assert not User.objects.exists()


@pytest.mark.usefixtures("offered")
def test_a_site_may_ask_for_no_age(client: Client, settings: Settings) -> None:
    settings.TRIAL_LEAST_AGE = 0
    assert client.post(TRIAL, {"consent": "on"}).status_code == 302


def test_a_visitor_has_no_name_no_password_and_no_account_that_counts(
    client: Client, visitor: User
) -> None:
    assert (visitor.name, visitor.has_usable_password()) == ("", False)
    assert visitor.email.endswith("@trial.invalid")
    assert Consent.objects.get(user=visitor).purpose == Purpose.ANALYSIS
    assert site_counts()["people"] == 0
    begun = Entry.objects.get(action="accounts.trial_begun")
    assert (begun.actor, begun.object_id) == (None, "")
    assert not SecurityEvent.objects.exists()
    assert Session.objects.get().expire_date == visitor.trial_ends_at
    assert client.get("/").headers["Location"] == TRIAL


def test_the_recorder_stops_after_two_minutes_and_longer_files_are_refused(
    client: Client, visitor: User, trainee: User, settings: Settings
) -> None:
    assert client.get(RECORD).context["max_minutes"] == 2
    assert most_seconds(visitor) == 125
    assert most_seconds(trainee) == settings.MAX_MINUTES * 60
    assert begin_upload(client, size=300 * 1024**2) == 422
    assert begin_upload(client) == 201


def test_one_recording_is_used_and_a_second_refused(client: Client, visitor: User) -> None:
    first, unused, late = (waiting(visitor, complete=True) for _each in range(3))
    with_answers = use(client, first)
    take = Rehearsal.objects.get(owner=visitor)
    assert with_answers == reverse("feedback:analysing", args=[take.pk])
    assert not Upload.objects.filter(pk__in=[unused.pk, late.pk]).exists()
    assert client.get(RECORD).headers["Location"] == TRIAL
    assert begin_upload(client) == 422
    another = waiting(visitor, complete=True)  # as one that was still arriving
    refused = client.post(
        reverse("feedback:use_take", args=[another.pk]), {"aim": "inform"}, follow=True
    )
    assert refused.status_code == 200
    assert Rehearsal.any_kind.filter(owner=visitor).count() == 1


def test_only_this_browser_opens_the_report(
    client: Client, visitor: User, stranger: User, administrator: User, sign_in: SignIn
) -> None:
    use(client, waiting(visitor, complete=True))
    take = Rehearsal.objects.get(owner=visitor)
    finish_analysis(take)
    report = reverse("feedback:report", args=[take.pk])
    page = client.get(report)
    assert page.status_code == 200
    for name in ("feedback:send", "guests:invite", "portal:delete_take", "feedback:correct"):
        assert reverse(name, args=[take.pk]) not in page.text
    assert sign_in(stranger).get(report).status_code == 404
    assert sign_in(administrator).get(report).status_code == 404
    assert Client().get(report).status_code == 302
    people = sign_in(administrator).get(reverse("admin:accounts_user_changelist"))
    assert visitor.email not in people.text


@pytest.mark.parametrize(
    "name",
    [
        "portal:privacy",
        "portal:profile",
        "practice:plan",
        "feedback:new",
        "account_change_password",
    ],
)
def test_other_pages_need_an_account(client: Client, visitor: User, name: str) -> None:
    assert client.get(reverse(name)).status_code == 403
    assert client.post(reverse(name)).status_code == 403


def test_after_a_day_nothing_is_left_but_a_receipt(
    client: Client,
    visitor: User,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    use(client, waiting(visitor, complete=True))
    take = Rehearsal.objects.get(owner=visitor)
    finish_analysis(take)
    left_over = waiting(visitor)
    end_trials()
    assert Rehearsal.objects.filter(pk=take.pk).exists()
    User.objects.filter(pk=visitor.pk).update(trial_ends_at=timezone.now() - timedelta(seconds=1))
    with django_capture_on_commit_callbacks(execute=True):
        end_trials()
    assert not rows_that_say(visitor.email, str(visitor.pseudonym))
    assert not Rehearsal.any_kind.exists()
    assert not Session.objects.exists()
    assert not Entry.objects.exclude(actor=None).exists()
    assert not folder_of(take).exists()
    assert not arrived(left_over).exists()
    receipt = Receipt.objects.get()
    assert (receipt.owner, receipt.takes, receipt.rows_left) == (None, [take.pk], 0)
    assert client.get(RECORD).status_code == 302


def test_a_visitor_deletes_the_trial_at_once(
    client: Client, visitor: User, trainee: User, sign_in: SignIn
) -> None:
    delete = reverse("portal:delete_trial")
    assert Client().post(delete).status_code == 302
    assert sign_in(trainee).post(delete).status_code == 404
    page = client.post(delete)
    assert page.context["receipt"] == Receipt.objects.get()
    assert [each.pk for each in User.objects.all()] == [trainee.pk]
    assert client.get(RECORD).status_code == 302


@pytest.mark.usefixtures("offered")
def test_trials_are_limited_by_address_and_by_day(settings: Settings) -> None:
    settings.TRIALS_OF_AN_ADDRESS, settings.TRIALS_A_DAY = 2, 3
    answers = [Client().post(TRIAL, AGREED).status_code for _each in range(3)]
    assert answers == [302, 302, 422]
    elsewhere = [Client(REMOTE_ADDR=f"192.0.2.{n}").post(TRIAL, AGREED).status_code for n in (1, 2)]
    assert elsewhere == [302, 422]
    assert User.objects.count() == 3


def test_somebody_with_an_account_needs_no_trial(
    trainee: User, sign_in: SignIn, settings: Settings
) -> None:
    settings.ACCESS = frozenset({"trial"})
    assert sign_in(trainee).post(TRIAL, AGREED).headers["Location"] == "/"
    assert not User.objects.filter(trial_ends_at__isnull=False).exists()

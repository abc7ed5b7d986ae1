"""Webhooks of a site: set by administrators, and written when something happens."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client, override_settings
from django.urls import reverse

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.models import Feedback
from coach.feedback.releases import release_feedback, take_release_back
from coach.webhooks.keys import reencrypt_secrets, secret_of
from coach.webhooks.models import Event, WebhookEndpoint, WebhookMessage
from coach.webhooks.services import add_endpoint, announce, deliver_due
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.django_db

PAGE = "/administration/webhooks/"
SAID = {"url": "https://lms.example.org/rostrum", "events": ["report.ready", "review.sent"]}


@pytest.fixture
def endpoint(administrator: User) -> WebhookEndpoint:
    add_endpoint(url=SAID["url"], events=list(Event), actor=administrator)  # type: ignore[arg-type]
    return WebhookEndpoint.objects.get()


def test_an_administrator_adds_one_and_reads_its_secret_once(
    administrator: User, sign_in: SignIn
) -> None:
    browser = sign_in(administrator)
    made = browser.post(PAGE, SAID)
    endpoint = WebhookEndpoint.objects.get()
    assert secret_of(endpoint) in made.content.decode()
    assert "whsec_" not in endpoint.secret
    assert secret_of(endpoint) not in browser.get(PAGE).content.decode()
    assert endpoint.events == sorted(SAID["events"])
    assert browser.post(PAGE, SAID).status_code == 422  # the page was sent again
    change = reverse("webhooks:change", args=[endpoint.pk])
    browser.post(change, {"action": "off"})
    endpoint.refresh_from_db()
    assert not endpoint.is_active
    browser.post(change, {"action": "on"})
    assert browser.post(change, {"action": "nothing"}).status_code == 404
    browser.post(change, {"action": "delete"})
    assert not WebhookEndpoint.objects.exists()
    acts = set(Entry.objects.filter(actor=administrator).values_list("action", flat=True))
    assert acts >= {
        f"webhooks.{act}" for act in ("added", "switched_off", "switched_on", "deleted")
    }


def test_a_private_address_is_refused_on_the_page(administrator: User, sign_in: SignIn) -> None:
    answer = sign_in(administrator).post(PAGE, SAID | {"url": "https://127.0.0.1/x"})
    assert answer.status_code == 422
    assert not WebhookEndpoint.objects.exists()


def test_it_needs_a_fresh_password(administrator: User) -> None:
    browser = Client()
    browser.force_login(administrator)
    assert "/reauthenticate/" in browser.post(PAGE, SAID).headers["Location"]
    assert not WebhookEndpoint.objects.exists()


def test_strangers_find_no_webhooks(
    endpoint: WebhookEndpoint, stranger: User, sign_in: SignIn
) -> None:
    other = sign_in(stranger)
    change = reverse("webhooks:change", args=[endpoint.pk])
    assert other.get(PAGE).status_code == 404
    assert other.post(PAGE, SAID).status_code == 404
    assert other.post(change, {"action": "delete"}).status_code == 404
    assert Client().post(change, {"action": "delete"}).status_code == 302
    assert WebhookEndpoint.objects.count() == 1


def test_a_release_is_told_once_its_owner_can_read_it(
    endpoint: WebhookEndpoint, draft: Feedback, coach: User
) -> None:
    for item in draft.items.all():
        item.verdicts.create(kind="accept", coach=coach, coach_name="Bea")
    release_feedback(feedback=draft, coach=coach, leaves_in=timedelta(seconds=30))
    message = WebhookMessage.objects.get()
    released = Feedback.objects.get(pk=draft.pk)
    assert (message.event, message.next_at) == ("review.sent", released.released_at)
    assert message.data == {"take_id": str(draft.rehearsal_id), "version": "1"}
    assert take_release_back(feedback=released, coach=coach)
    assert not WebhookMessage.objects.exists()


def test_a_site_can_do_without_webhooks(
    endpoint: WebhookEndpoint, administrator: User, sign_in: SignIn
) -> None:
    announce(event=Event.REPORT_READY, data={"take_id": "6f8a"})
    with override_settings(WEBHOOKS_KEY=""):
        assert sign_in(administrator).get(PAGE).status_code == 404
        assert deliver_due() == 0


def test_without_its_key_a_secret_signs_nothing(endpoint: WebhookEndpoint) -> None:
    announce(event=Event.REPORT_READY, data={"take_id": "6f8a"})
    with override_settings(WEBHOOKS_KEY="another key of thirty-two letters"):
        assert deliver_due() == 1
    message = WebhookMessage.objects.get()
    assert message.outcome == WebhookMessage.Outcome.NO_KEY
    assert message.next_at  # it is sent once the key is back


def test_secrets_stay_the_same_under_the_next_key(endpoint: WebhookEndpoint) -> None:
    secret = secret_of(endpoint)
    assert reencrypt_secrets(key="the next key") == 1
    with override_settings(WEBHOOKS_KEY="the next key"):
        assert reencrypt_secrets(key="one more key") == 1
    endpoint.refresh_from_db()
    with override_settings(WEBHOOKS_KEY="one more key"):
        assert secret_of(endpoint) == secret


@pytest.mark.parametrize("knows", [True, False])
def test_plain_secrets_of_earlier_are_encrypted_or_removed(
    endpoint: WebhookEndpoint, knows: bool
) -> None:
    WebhookEndpoint.objects.update(secret="whsec_plain")
    migration = import_module("coach.webhooks.migrations.0002_encrypt_secrets")
    with override_settings(SIGNS=knows):
        migration.encrypt_secrets(apps, None)
    endpoint.refresh_from_db()
    assert endpoint.is_active == knows
    assert (secret_of(endpoint) == "whsec_plain") if knows else not endpoint.secret

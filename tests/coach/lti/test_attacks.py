"""Attacks on launches: each message but a platform's own, fresh and first one is refused."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import jwt
import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.assignments.models import Assignment
from coach.audit.models import Entry
from coach.lti import handshake
from coach.lti.models import Completion, Course, Platform, PlatformAccount, UsedNonce
from tests.coach.factories import UserFactory
from tests.coach.lti import platform as learning
from tests.coach.lti.platform import CLAIM, page_of

GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"


@pytest.fixture
def known(course: Course) -> User:
    """A person whom a proper launch would sign in at once."""
    person = UserFactory(email="mina@uni.example")
    PlatformAccount.objects.create(platform=course.platform, subject="u-17", person=person)
    return person


@pytest.fixture
def refused(client: Client, known: User, uni: learning.Platform) -> Callable[[Any], None]:
    """Check that an answer was refused, and signed nobody in."""

    def check(answer: Any, browser: Client = client) -> None:
        assert answer.status_code == 403
        assert browser.get(reverse("portal:privacy")).status_code == 302
        assert Entry.objects.filter(action="accounts.sign_in_failed").exists()

    return check


def signed(
    uni: learning.Platform, question: dict[str, str], key: str = "", **changed: Any
) -> dict[str, Any]:
    """A whole message of the platform with some claims changed or, if None, left out."""
    launch = uni.message(question)
    launch.lti_launch()
    claims, state = launch.get_launch_data()
    now = int(time.time())
    claims = {**claims, "iat": now, "exp": now + 300, **changed}
    claims = {name: value for name, value in claims.items() if value is not None}
    token = jwt.encode(
        claims, key or uni.pem, algorithm="RS256", headers={"kid": uni.registration.get_kid()}
    )
    return {"id_token": token, "state": state, "launch_url": question["redirect_uri"]}


def test_the_untouched_message_signs_in(
    uni: learning.Platform, known: User, client: Client
) -> None:
    question = uni.question(uni.begin(client))
    assert uni.post(client, signed(uni, question)).status_code == 302
    assert client.get(reverse("portal:privacy")).status_code == 200


CHANGED: list[dict[str, Any]] = [
    {"nonce": "another"},
    {"nonce": None},
    {"aud": "another-tool"},
    {"aud": ["rostrum-1", "another-tool"], "azp": "another-tool"},
    {"aud": ["rostrum-1", "another-tool"], "azp": None},
    {"azp": "another-tool"},
    {"iss": "https://moodle.evil.example"},
    {"iss": None},
    {"sub": None},
    {"sub": ""},
    {"sub": 17},
    {"sub": "u-17\0"},
    {"exp": 1},
    {"exp": None},
    {"iat": None},
    {"iat": "9999999999999"},
    {"iat": 4102444800, "exp": 4102444900},
    {"iat": 1000000000, "exp": 4102444800},
    {CLAIM + "deployment_id": "9"},
    {CLAIM + "deployment_id": None},
    {CLAIM + "deployment_id": ["7"]},
    {CLAIM + "version": "1.1"},
    {CLAIM + "version": None},
    {CLAIM + "message_type": "LtiSubmissionReviewRequest"},
    {CLAIM + "message_type": "LtiDeepLinkingRequest"},
    {CLAIM + "message_type": ["LtiResourceLinkRequest"]},
]


def test_a_changed_claim_is_refused(
    uni: learning.Platform, client: Client, refused: Callable[[Any], None]
) -> None:
    for changed in CHANGED:
        question = uni.question(uni.begin(client))
        refused(uni.post(client, signed(uni, question, **changed)))


def test_the_same_message_and_the_same_state_work_once(
    uni: learning.Platform, known: User, client: Client, refused: Callable[..., None]
) -> None:
    question = uni.question(uni.begin(client))
    answer = signed(uni, question)
    assert uni.post(client, answer).status_code == 302
    client.post(reverse("account_logout"))
    refused(uni.post(client, answer))
    refused(uni.post(client, signed(uni, question)))  # signed once more, for the same state
    fresh = uni.question(uni.begin(client))
    refused(uni.post(client, {**answer, "state": fresh["state"]}))


def test_a_state_that_is_not_ours_or_old_is_refused(
    uni: learning.Platform,
    client: Client,
    refused: Callable[[Any], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = signed(uni, uni.question(uni.begin(client)))
    refused(uni.post(client, {**answer, "state": ""}))
    refused(uni.post(client, {**answer, "state": answer["state"] + "x"}))
    refused(client.post(page_of("launch"), {"error": "login_required", "state": answer["state"]}))
    monkeypatch.setattr(handshake, "_SECONDS", -1)
    refused(uni.post(client, answer))


def test_a_message_belongs_to_the_browser_that_asked(
    uni: learning.Platform, client: Client, refused: Callable[..., None]
) -> None:
    answer = signed(uni, uni.question(uni.begin(client)))
    victim = Client()
    refused(uni.post(victim, answer), victim)
    uni.begin(victim)  # a cookie of its own does not help
    refused(uni.post(victim, answer), victim)


@pytest.mark.parametrize("algorithm", ["none", "HS256", "RS384"])
def test_other_signatures_are_refused(
    algorithm: str, uni: learning.Platform, client: Client, refused: Callable[[Any], None]
) -> None:
    question = uni.question(uni.begin(client))
    answer = signed(uni, question)
    claims = jwt.decode(answer["id_token"], options={"verify_signature": False})
    # With the public key of the platform, as in the known confusion of algorithms.
    secret = uni.registration.get_jwks()[0]["n"]
    key: Any = {"none": None, "HS256": secret, "RS384": uni.pem}[algorithm]
    headers = {"kid": uni.registration.get_kid()}
    answer["id_token"] = jwt.encode(claims, key, algorithm=algorithm, headers=headers)
    refused(uni.post(client, answer))


def test_a_foreign_key_is_refused_under_any_name(
    uni: learning.Platform, client: Client, refused: Callable[[Any], None]
) -> None:
    question = uni.question(uni.begin(client))
    forged = signed(uni, question, key=learning.new_key())
    refused(uni.post(client, forged))
    token = jwt.decode(forged["id_token"], options={"verify_signature": False})
    for headers in ({"kid": "another"}, {}, {"jku": f"{uni.url}/jwks"}):
        named = jwt.encode(token, learning.new_key(), algorithm="RS256", headers=headers)
        refused(uni.post(client, {**forged, "id_token": named}))
    refused(uni.post(client, {**forged, "id_token": "a.b.c"}))
    # Unknown names did not make us ask the platform again and again.
    assert uni.asked.count("/jwks") == 1


def test_a_new_key_of_the_platform_is_fetched(
    uni: learning.Platform, known: User, client: Client
) -> None:
    answer = signed(uni, uni.question(uni.begin(client)))
    assert uni.post(client, answer).status_code == 302
    before = uni.pem
    uni.pem = learning.new_key()
    try:
        uni.registration.set_platform_private_key(uni.pem)
        uni.registration.set_platform_public_key(learning.public_half(uni.pem))
        other = Client()
        answer = signed(uni, uni.question(uni.begin(other)))
        assert uni.post(other, answer).status_code == 403  # asked less than a minute ago
        cache.delete_many(_asked_lately())
        answer = signed(uni, uni.question(uni.begin(other)))
        assert uni.post(other, answer).status_code == 302
    finally:
        uni.pem = before
        uni.registration.set_platform_private_key(before)
        uni.registration.set_platform_public_key(learning.public_half(before))


def _asked_lately() -> list[str]:
    platform = Platform.objects.get()
    digest = handshake_digest(platform.keys_url)
    return [f"lti:{platform.pk}:{digest}:asked"]


def handshake_digest(url: str) -> str:
    return handshake._digest(url)[:16]


def test_a_platform_that_is_off_or_unknown_begins_nothing(
    uni: learning.Platform, client: Client, refused: Callable[[Any], None]
) -> None:
    answer = signed(uni, uni.question(uni.begin(client)))
    Platform.objects.update(is_active=False)
    refused(uni.begin(client))
    refused(uni.post(client, answer))
    refused(client.get(page_of("login"), {"iss": "https://evil.example", "login_hint": "x"}))
    refused(client.get(page_of("login")))


def test_where_a_launch_leads_is_never_the_platforms_choice(
    uni: learning.Platform, known: User, assignment: Assignment, client: Client
) -> None:
    question = uni.question(uni.begin(client))
    changed = {
        CLAIM + "target_link_uri": "https://evil.example/",
        CLAIM + "launch_presentation": {"return_url": "https://evil.example/"},
        CLAIM + "custom": {"assignment": "https://evil.example/", "next": "//evil.example"},
    }
    answer = uni.post(client, signed(uni, question, **changed))
    assert answer.headers["Location"] == reverse("assignments:assignments")
    sent = {"iss": learning.ISSUER, "client_id": "rostrum-1", "login_hint": "x"}
    for wanted in ("https://evil.example/lti/launch/deep-link/", "//evil.example", "x"):
        page = client.get(page_of("login"), {**sent, "target_link_uri": wanted})
        assert uni.question(page)["redirect_uri"] == f"{learning.TOOL}/lti/launch/"


PRIVATE = [
    "https://127.0.0.1/columns/1",
    "https://10.0.0.8/columns/1",
    "https://169.254.169.254/latest",
    "https://[::1]/columns/1",
    "https://2130706433/columns/1",
    "http://moodle.uni.example/columns/1",
    "https://localhost/columns/1",
    "file:///etc/passwd",
    "",
]


def test_a_private_column_or_list_of_members_is_not_even_noted(
    uni: learning.Platform, known: User, assignment: Assignment, client: Client
) -> None:
    for url in PRIVATE:
        changed = {
            CLAIM + "custom": {"assignment": str(assignment.pk)},
            GRADES: {
                "scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"],
                "lineitem": url,
            },
            "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
                "context_memberships_url": url
            },
        }
        question = uni.question(uni.begin(client))
        assert uni.post(client, signed(uni, question, **changed)).status_code == 302
        assert not Completion.objects.exists(), url
        assert Course.objects.get().members_url == ""


def test_nonsense_in_claims_signs_in_and_breaks_nothing(
    uni: learning.Platform, known: User, client: Client
) -> None:
    question = uni.question(uni.begin(client))
    odd: dict[str, Any] = {
        CLAIM + "context": ["course-1"],
        CLAIM + "custom": "assignment",
        CLAIM + "roles": {"Learner": 1},
        GRADES: 7,
        "name": {"first": "Mina"},
        "email": ["mina@uni.example"],
    }
    assert uni.post(client, signed(uni, question, **odd)).status_code == 302
    known.refresh_from_db()
    assert known.name != ""


def test_used_nonces_are_forgotten_after_their_states(registered: Platform) -> None:
    for name in ("old", "new"):
        UsedNonce.objects.create(nonce=name)
    UsedNonce.objects.filter(nonce="old").update(used_at=timezone.now() - timedelta(days=2))
    assert handshake.forget_nonces() == 1
    assert UsedNonce.objects.get().nonce == "new"

"""Network addresses of sign-ins and changes: for weeks, for administrators, and not spoofed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Role, User
from coach.accounts.people import set_roles
from coach.audit.models import Entry, SecurityEvent
from coach.audit.services import record_act
from coach.audit.tasks import forget
from coach.portal.personal.erasure import erase_person
from coach.rehearsals.models import Rehearsal
from coach.schedule import beat_schedule
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD

LOGIN = "/accounts/login/"
CLAIMED, SEEN_BY_OUR_PROXY, PROXY = "198.51.100.66", "203.0.113.5", "10.0.0.2"


def sign_in_from(user: User, password: str, **said: Any) -> None:
    Client().post(LOGIN, {"login": user.email, "password": password}, **said)


def seen() -> list[tuple[str, str | None]]:
    return list(SecurityEvent.objects.order_by("pk").values_list("action", "address"))


@pytest.mark.parametrize(
    ("proxies", "address"), [(0, PROXY), (1, SEEN_BY_OUR_PROXY), (2, CLAIMED), (3, None)]
)
def test_an_address_is_the_one_that_our_own_proxies_saw(
    proxies: int, address: str | None, trainee: User, settings: Any
) -> None:
    """Whoever sends a header of their own adds to its left end alone."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    headers = {"X-Forwarded-For": f"{CLAIMED}, {SEEN_BY_OUR_PROXY}"}
    client = Client(headers=headers, REMOTE_ADDR=PROXY, raise_request_exception=False)
    client.post(reverse("account_logout"))
    with_address = client.get(reverse("portal:privacy"))
    assert with_address.status_code == 302
    client.force_login(trainee)
    client.post(reverse("portal:end_sign_ins"))
    assert seen()[-1] == ("accounts.signed_out_elsewhere", address)


def test_sign_ins_failures_links_and_passwords_are_logged_with_their_address(
    trainee: User, administrator: User, sign_in: SignIn
) -> None:
    sign_in_from(trainee, "wrong", REMOTE_ADDR="192.0.2.7")
    sign_in_from(trainee, PASSWORD, REMOTE_ADDR="2001:db8::1")
    Client().post(
        reverse("account_reset_password"), {"email": trainee.email}, REMOTE_ADDR="192.0.2.8"
    )
    assert seen() == [
        ("accounts.sign_in_failed", "192.0.2.7"),
        ("accounts.signed_in", "2001:db8::1"),
        ("accounts.link_asked", "192.0.2.8"),
    ]
    set_roles(person=trainee, roles=[Role.TRAINEE, Role.COACH], actor=administrator)
    assert seen()[-1] == ("accounts.roles_changed", None), "a command has no address"
    page = sign_in(administrator).get(reverse("admin:audit_securityevent_changelist"))
    text = page.content.decode()
    assert "192.0.2.7" in text
    assert "Failed to sign in" in text
    assert "Ana" in text
    entries = "".join(str(row) for row in Entry.objects.values_list("detail", "from_where"))
    assert "192.0.2" not in entries


def test_opening_a_recording_of_somebody_else_is_logged_and_ones_own_is_not(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    for person in (sent.owner, coach):
        sign_in(person).get(reverse("feedback:report", args=[sent.pk]), REMOTE_ADDR="192.0.2.9")
        sign_in(person).get(reverse("review:desk", args=[sent.pk]), REMOTE_ADDR="192.0.2.9")
    opened = SecurityEvent.objects.filter(action="rehearsals.opened")
    assert set(opened.values_list("actor", "address", "object_id")) == {
        (coach.pk, "192.0.2.9", str(sent.pk))
    }


def test_nobody_but_administrators_reads_it_and_nobody_changes_it(
    trainee: User, coach: User, administrator: User, sign_in: SignIn
) -> None:
    sign_in_from(trainee, PASSWORD)
    event = SecurityEvent.objects.get()
    listed = reverse("admin:audit_securityevent_changelist")
    for person in (trainee, coach):
        assert sign_in(person).get(listed).status_code == 302
    assert Client().get(listed).status_code == 302
    for name in ("change", "delete"):
        url = reverse(f"admin:audit_securityevent_{name}", args=[event.pk])
        assert sign_in(administrator).post(url, {"post": "yes"}).status_code == 403
    assert SecurityEvent.objects.filter(pk=event.pk).exists()


def test_people_download_theirs_and_it_goes_with_them(
    trainee: User, coach: User, sign_in: SignIn
) -> None:
    for person in (trainee, coach):
        sign_in_from(person, "wrong", REMOTE_ADDR="192.0.2.10")
        sign_in_from(person, PASSWORD, REMOTE_ADDR="192.0.2.11")
    answer = sign_in(trainee).get(reverse("portal:own_data"))
    own = b"".join(answer).decode()  # type: ignore[arg-type]  # it is streamed
    assert own.count("192.0.2.1") == 2
    erase_person(user=trainee, actor=None)
    about = SecurityEvent.objects.filter(object_type="accounts.user")
    assert set(about.values_list("object_id", flat=True)) == {str(coach.pk)}


def test_each_log_forgets_after_its_own_time(trainee: User, settings: Any) -> None:
    assert (settings.KEEP_AUDIT_DAYS, settings.KEEP_SECURITY_LOG_DAYS) == (1095, 30)
    for days in (1, 31, 1100):
        entry = record_act(action="accounts.signed_in", target=trainee, actor=trainee)
        at = timezone.now() - timedelta(days=days)
        Entry.objects.filter(pk=entry.pk).update(at=at)
        SecurityEvent.objects.filter(pk=SecurityEvent.objects.latest("pk").pk).update(at=at)
    forget()
    assert (Entry.objects.count(), SecurityEvent.objects.count()) == (2, 1)
    settings.KEEP_AUDIT_DAYS = 0
    Entry.objects.update(at=timezone.now() - timedelta(days=9000))
    forget()
    assert Entry.objects.count() == 2, "0: for good"
    tasks = {each["task"] for each in beat_schedule(5).values()}
    assert "coach.audit.tasks.forget" in tasks


def test_who_opened_a_recording_stays_as_long_as_the_recording(
    sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    sign_in(coach).get(reverse("review:desk", args=[sent.pk]))
    sent.viewings.update(at=timezone.now() - timedelta(days=2000))
    forget()
    page = sign_in(sent.owner).get(reverse("portal:privacy")).content.decode()
    assert "Bea" in page


def test_names_that_stand_in_old_entries_are_counted(trainee: User) -> None:
    words = {"added": ["Gérard", "Colette"], "gone": [], "study": "s"}
    entry = Entry.objects.create(action="research.words_let_through", detail=words)
    other = Entry.objects.create(action="research.code_added", detail={"added": ["kept"]})
    loader = MigrationExecutor(connection).loader
    migration = loader.get_migration("audit", "0008_words_that_name_nobody_are_counted")
    [step] = migration.operations
    step.code(apps, None)  # type: ignore[attr-defined]
    entry.refresh_from_db()
    other.refresh_from_db()
    assert entry.detail == {"added": 2, "gone": 0, "study": "s"}
    assert other.detail == {"added": ["kept"]}

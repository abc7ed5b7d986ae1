"""Platforms of a site: registered by administrators, with our addresses to paste."""

from __future__ import annotations

from django.test import Client

from coach.accounts.models import Cohort, User
from coach.audit.models import Entry
from coach.lti.models import Course, Platform
from tests.coach.conftest import SignIn
from tests.coach.lti import platform as learning
from tests.coach.lti.platform import page_of


def test_an_administrator_registers_changes_and_deletes_a_platform(
    uni: learning.Platform, administrator: User, sign_in: SignIn
) -> None:
    browser = sign_in(administrator)
    page = browser.get(page_of("platforms"))
    for name in ("login", "launch", "deep_link", "keys"):
        assert learning.TOOL + page_of(name) in page.content.decode()
    browser.post(page_of("platforms"), learning.fields(uni))
    platform = Platform.objects.get()
    assert (platform.deployment_ids, platform.makes_accounts, platform.makes_coaches) == (
        ["7", "8"],
        True,
        False,
    )
    assert browser.post(page_of("platforms"), learning.fields(uni)).status_code == 422
    own = page_of("platform", platform.pk)
    browser.post(own, {**learning.fields(uni), "name": "Canvas", "deployment_ids": "9"})
    platform.refresh_from_db()
    assert (platform.name, platform.deployment_ids) == ("Canvas", ["9"])
    browser.post(page_of("delete", platform.pk))
    assert not Platform.objects.exists()
    acts = set(Entry.objects.filter(actor=administrator).values_list("action", flat=True))
    assert acts >= {f"lti.platform_{act}" for act in ("added", "changed", "deleted")}


WRONG = [
    {"keys_url": "https://127.0.0.1/jwks"},
    {"token_url": "https://10.1.2.3/token"},
    {"token_url": "http://moodle.uni.example/token"},
    {"login_url": "javascript:alert(1)"},
    {"login_url": "https://localhost/auth"},
    {"deployment_ids": " , "},
    {"issuer": ""},
]


def test_a_private_address_or_a_missing_value_is_refused(
    uni: learning.Platform, administrator: User, sign_in: SignIn
) -> None:
    browser = sign_in(administrator)
    for said in WRONG:
        answer = browser.post(page_of("platforms"), learning.fields(uni) | said)
        assert answer.status_code == 422, said
    assert not Platform.objects.exists()


def test_an_administrator_chooses_the_group_of_a_course(
    registered: Platform, cohort: Cohort, administrator: User, sign_in: SignIn, client: Client
) -> None:
    course = registered.courses.create(deployment_id="7", context_id="c", title="Talks")
    browser = sign_in(administrator)
    assert "Talks" in browser.get(page_of("platform", registered.pk)).content.decode()
    choose = page_of("course", course.pk)
    browser.post(choose, {"cohort": cohort.pk})
    course.refresh_from_db()
    assert course.cohort == cohort
    assert browser.post(choose, {"cohort": "x"}).status_code == 404
    browser.post(choose, {"cohort": ""})
    course.refresh_from_db()
    assert course.cohort is None
    assert Entry.objects.filter(action="lti.course_mapped").count() == 2


def test_nobody_else_sees_or_changes_platforms(
    registered: Platform, coach: User, stranger: User, sign_in: SignIn
) -> None:
    course = registered.courses.create(deployment_id="7", context_id="c")
    pages = [
        page_of("platforms"),
        page_of("platform", registered.pk),
        page_of("delete", registered.pk),
        page_of("course", course.pk),
    ]
    for person in (coach, stranger):
        browser = sign_in(person)
        for page in pages:
            assert browser.post(page, {"cohort": ""}).status_code == 404
    assert Platform.objects.count() == Course.objects.count() == 1
    for page in pages:
        assert Client().post(page).status_code == 302


def test_registering_needs_a_fresh_password(uni: learning.Platform, administrator: User) -> None:
    browser = Client()
    browser.force_login(administrator)
    browser.post(page_of("platforms"), learning.fields(uni))
    assert not Platform.objects.exists()

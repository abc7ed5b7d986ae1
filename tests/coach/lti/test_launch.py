"""Launches from a course: people sign in, get or connect accounts, and land where they meant."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from coach.accounts.models import Cohort, Membership, Role, User
from coach.assignments.models import Assignment
from coach.audit.models import Entry
from coach.lti.models import Completion, Course, Platform, PlatformAccount
from tests.coach.factories import PASSWORD, UserFactory
from tests.coach.lti import platform as learning
from tests.coach.lti.platform import page_of


def is_in(client: Client) -> bool:
    return client.get(reverse("portal:privacy")).status_code == 200


def roles_in(cohort: Cohort, person: User) -> set[str]:
    found = Membership.objects.filter(cohort=cohort, user=person)
    return set(found.values_list("role", flat=True))


def test_a_student_gets_an_account_joins_the_group_and_lands_on_the_assignment(
    uni: learning.Platform, course: Course, assignment: Assignment, client: Client
) -> None:
    lands_on = reverse("assignments:assignment", args=[assignment.pk])
    answer = uni.launch(client, assignment=assignment.pk)
    assert answer.headers["Location"] == lands_on
    assert client.get(lands_on).status_code == 200
    person = User.objects.get(email="mina@uni.example")
    assert (person.name, person.roles, person.has_usable_password()) == (
        "Mina M.",
        ["trainee"],
        False,
    )
    assert roles_in(assignment.cohort, person) == {"trainee"}
    row = Completion.objects.get(account__person=person)
    assert (row.assignment, row.url, row.next_at) == (assignment, uni.column(), None)
    # The next time, in another browser, she is the same person, whatever the platform calls her.
    other = Client()
    uni.launch(other, assignment=assignment.pk, email="new@uni.example", name="Else")
    assert is_in(other)
    assert not User.objects.filter(email="new@uni.example").exists()
    assert Completion.objects.count() == 1
    assert uni.asked.count("/jwks") == 1  # cached
    acts = set(Entry.objects.values_list("action", flat=True))
    assert acts >= {"accounts.person_added", "lti.account_connected", "accounts.signed_in"}


def test_the_question_has_a_state_a_nonce_and_our_own_address(
    uni: learning.Platform, registered: Platform, client: Client
) -> None:
    question = uni.question(uni.begin(client))
    assert question["redirect_uri"] == f"{learning.TOOL}/lti/launch/"
    assert (question["response_mode"], question["prompt"], question["scope"]) == (
        "form_post",
        "none",
        "openid",
    )
    assert {"state", "nonce", "login_hint", "lti_message_hint"} <= question.keys()
    cookie = client.cookies["rostrum_lti"]
    assert (cookie["samesite"], cookie["secure"], cookie["httponly"]) == ("None", True, True)


def test_nobody_is_connected_by_email_address_until_they_sign_in(
    uni: learning.Platform, course: Course, assignment: Assignment, client: Client
) -> None:
    owner = UserFactory(email="mina@uni.example")
    owner.set_password(PASSWORD)
    owner.save()
    answer = uni.launch(client, assignment=assignment.pk)
    assert answer.status_code == 200
    assert reverse("lti:connect") in answer.content.decode()
    assert not is_in(client)
    assert not PlatformAccount.objects.exists()
    connect = reverse("lti:connect")
    assert client.post(connect).status_code == 302
    assert not PlatformAccount.objects.exists()
    client.post(
        f"{reverse('account_login')}?next={connect}", {"login": owner.email, "password": PASSWORD}
    )
    assert "Moodle" in client.get(connect).content.decode()
    lands_on = client.post(connect).headers["Location"]
    assert lands_on == reverse("assignments:assignment", args=[assignment.pk])
    assert PlatformAccount.objects.get().person == owner
    assert mail.outbox[-1].to == [owner.email]
    assert roles_in(assignment.cohort, owner) == {"trainee"}
    # It waits no longer.
    assert client.get(connect).headers["Location"] == reverse("portal:home")


def test_an_account_that_somebody_else_connected_stays_theirs(
    uni: learning.Platform, course: Course, trainee: User, client: Client
) -> None:
    UserFactory(email="mina@uni.example")
    uni.launch(client)
    PlatformAccount.objects.create(platform=course.platform, subject="u-17", person=trainee)
    other = UserFactory(email="other@example.org")
    other.set_password(PASSWORD)
    other.save()
    client.post(reverse("account_login"), {"login": other.email, "password": PASSWORD})
    assert client.post(reverse("lti:connect")).headers["Location"] == reverse("mfa_index")
    assert PlatformAccount.objects.get().person == trainee


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"email": ""}, "unverified"),
        ({"email_verified": False}, "unverified"),
        ({"role": "Mentor"}, "closed"),
        ({"role": "Instructor"}, "closed"),
    ],
)
def test_these_people_get_no_account(
    said: dict[str, object],
    why: str,
    uni: learning.Platform,
    course: Course,
    client: Client,
) -> None:
    before = User.objects.count()
    answer = uni.launch(client, **said)
    assert answer.status_code == 200
    assert answer.context["why"] == why  # type: ignore[attr-defined]
    assert (User.objects.count(), is_in(client)) == (before, False)


def test_no_account_without_a_group_or_where_the_site_makes_none(
    uni: learning.Platform, course: Course, client: Client
) -> None:
    Course.objects.update(cohort=None)
    assert uni.launch(client).context["why"] == "unmapped"  # type: ignore[attr-defined]
    Platform.objects.update(makes_accounts=False)
    assert uni.launch(client).context["why"] == "closed"  # type: ignore[attr-defined]
    assert not User.objects.filter(email="mina@uni.example").exists()


def test_an_instructor_becomes_a_coach_only_where_the_platform_may_say_so(
    uni: learning.Platform, course: Course, assignment: Assignment, administrator: User
) -> None:
    person = UserFactory(email="ines@uni.example", roles=[Role.TRAINEE])
    for who, subject in ((person, "u-17"), (administrator, "u-1")):
        PlatformAccount.objects.create(platform=course.platform, subject=subject, person=who)
    said = {"role": "Instructor", "assignment": assignment.pk}
    lands_on = uni.launch(Client(), **said).headers["Location"]
    assert lands_on == reverse("assignments:assignments")
    assert roles_in(assignment.cohort, person) == set()
    Platform.objects.update(makes_coaches=True)
    lands_on = uni.launch(Client(), **said).headers["Location"]
    assert lands_on == reverse("review:assignment", args=[assignment.pk])
    assert roles_in(assignment.cohort, person) == {"coach"}
    # That would open recordings to an administrator, without a reason.
    uni.launch(Client(), subject="u-1", **said)
    assert roles_in(assignment.cohort, administrator) == set()


def test_a_closed_account_stays_closed_and_an_archived_group_takes_nobody(
    uni: learning.Platform, course: Course, assignment: Assignment, client: Client
) -> None:
    person = UserFactory(email="mina@uni.example", is_active=False)
    PlatformAccount.objects.create(platform=course.platform, subject="u-17", person=person)
    uni.launch(client, assignment=assignment.pk)
    assert not is_in(client)
    assert roles_in(assignment.cohort, person) == set()


def test_the_second_factor_is_still_asked(
    uni: learning.Platform, course: Course, trainee: User, client: Client
) -> None:
    PlatformAccount.objects.create(platform=course.platform, subject="u-17", person=trainee)
    Authenticator.objects.create(user=trainee, type="totp", data={"secret": "x"})
    assert uni.launch(client).headers["Location"].startswith(reverse("mfa_authenticate"))
    assert not is_in(client)


def test_an_assignment_of_another_group_opens_to_nobody(
    uni: learning.Platform, course: Course, assignment: Assignment, client: Client
) -> None:
    course.cohort = Cohort.objects.create(name="Elsewhere")
    course.save()
    answer = uni.launch(client, assignment=assignment.pk)
    assert answer.headers["Location"] == reverse("assignments:assignments")
    assert client.get(reverse("assignments:assignment", args=[assignment.pk])).status_code == 404
    assert not Completion.objects.exists()


def test_in_a_frame_it_offers_a_window_of_its_own(
    uni: learning.Platform, registered: Platform, client: Client, settings: Settings
) -> None:
    framed = {"Sec-Fetch-Dest": "iframe"}
    page = uni.begin(client, **framed)
    assert page.status_code == 200
    assert 'target="_blank"' in page.content.decode()
    assert "rostrum_lti" not in client.cookies
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    settings.LTI_FRAME_ANCESTORS = [learning.ISSUER]
    page = uni.begin(client, **framed)
    assert "X-Frame-Options" not in page.headers
    assert f"frame-ancestors {learning.ISSUER};" in f"{page.headers['Content-Security-Policy']};"
    # Every other page stays out of frames.
    assert client.get("/accounts/login/").headers["X-Frame-Options"] == "DENY"
    uni.launch(client)
    assert client.get(reverse("portal:about")).headers["X-Frame-Options"] == "DENY"


def test_people_disconnect_their_own_account_only(
    uni: learning.Platform, registered: Platform, trainee: User, stranger: User, sign_in: object
) -> None:
    account = PlatformAccount.objects.create(platform=registered, subject="u-17", person=trainee)
    url = page_of("disconnect", account.pk)
    assert sign_in(stranger).post(url).status_code == 404  # type: ignore[operator]
    own = sign_in(trainee)  # type: ignore[operator]
    assert url in own.get(reverse("mfa_index")).content.decode()
    # Somebody without a password could not confirm it: they choose one by email first.
    trainee.set_unusable_password()
    trainee.save()
    browser = Client()
    browser.force_login(trainee)
    answer = browser.post(url)
    assert answer.headers["Location"].startswith(reverse("account_reset_password"))
    assert browser.get(answer.headers["Location"]).status_code == 200
    assert PlatformAccount.objects.exists()
    trainee.set_password(PASSWORD)
    trainee.save()
    sign_in(trainee).post(url)  # type: ignore[operator]
    assert not PlatformAccount.objects.exists()


def test_without_a_key_there_is_no_lti(
    uni: learning.Platform, administrator: User, client: Client, settings: Settings, sign_in: object
) -> None:
    assert client.get(page_of("keys")).json()["keys"][0].keys() == {
        *("kty", "n", "e", "kid", "alg", "use")
    }
    settings.LTI_KEY = ""
    assert client.get(page_of("keys")).status_code == 404
    assert client.get(page_of("login")).status_code == 404
    assert client.post(page_of("launch")).status_code == 404
    assert sign_in(administrator).get(page_of("platforms")).status_code == 404  # type: ignore[operator]

"""The administration: guarded like the product, and no way around erasure."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Cohort, User
from coach.feedback.models import Feedback
from coach.portal.erasure import erase_person
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn, says
from tests.coach.factories import PASSWORD


@pytest.fixture
def administrator(db: None) -> User:
    """Root, who keeps people and cohorts."""
    return User.objects.create_superuser("root@example.org", PASSWORD, name="Root")


def left_in_the_log() -> str:
    return str(list(LogEntry.objects.values_list("object_repr", "change_message")))


@pytest.mark.parametrize(
    ("path", "ticked"), [("{pk}/delete/", {}), ("", {"action": "delete_selected"})]
)
def test_deleting_a_person_there_erases_their_recordings(
    path: str, ticked: dict[str, str], take: Rehearsal, administrator: User, sign_in: SignIn,
    django_capture_on_commit_callbacks: pytest.FixtureRequest,
) -> None:  # fmt: skip
    owner, folder = take.owner, take.folder
    form = {**ticked, "_selected_action": str(owner.pk), "post": "yes"}
    url = f"/admin/accounts/user/{path.format(pk=owner.pk)}"
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        assert sign_in(administrator).post(url, form).status_code == 302
    assert not User.objects.filter(pk=owner.pk).exists()
    assert not folder.exists()
    assert LogEntry.objects.count() == 1
    assert not says(left_in_the_log(), "Ana")


def test_the_administrations_log_forgets_who_was_erased(
    trainee: User, cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    client, member = sign_in(administrator), trainee.memberships.get()
    form = {
        "name": cohort.name, "policy": "ai_first", "reply_hours": 48,
        "memberships-TOTAL_FORMS": 1, "memberships-INITIAL_FORMS": 1,
        "memberships-0-id": member.pk, "memberships-0-cohort": cohort.pk,
        "memberships-0-user": trainee.pk, "memberships-0-role": "coach",
    }  # fmt: skip
    client.post(reverse("admin:accounts_cohort_change", args=[cohort.pk]), form)
    form = {"email": trainee.email, "name": "Ana", "roles": "trainee", "is_active": "on"}
    client.post(reverse("admin:accounts_user_change", args=[trainee.pk]), form)
    assert LogEntry.objects.count() == 2
    assert says(left_in_the_log(), "Ana")
    erase_person(user=trainee)
    assert LogEntry.objects.count() == 2
    assert not says(left_in_the_log(), "Ana")


def test_guessing_a_password_is_slowed_down_there_too(administrator: User) -> None:
    response = Client().post("/admin/login/", {"username": administrator.email, "password": "no"})
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/accounts/login/")


def test_somebody_who_is_no_administrator_has_no_business_there(
    coach: User, sign_in: SignIn
) -> None:
    assert sign_in(coach).get("/admin/login/").status_code == 403
    assert sign_in(coach).get("/admin/").status_code == 302


def test_nobody_takes_an_address_that_nobody_verified(
    trainee: User, coach: User, sign_in: SignIn
) -> None:
    client, url = sign_in(trainee), reverse("account_email")
    for act in ("action_add", "action_primary"):
        answer = client.post(url, {act: "", "email": coach.email})
        assert answer.headers["Location"] == reverse("portal:privacy")
    trainee.refresh_from_db()
    assert trainee.email == "ana@example.org"


def test_released_feedback_outlives_its_coach_without_the_name(
    draft: Feedback, coach: User, trainee: User, sign_in: SignIn
) -> None:
    draft.items.all().delete()
    sign_in(coach).post(reverse("review:release", args=[draft.rehearsal_id]))
    erase_person(user=coach)
    draft.refresh_from_db()
    assert (draft.state, draft.released_by_name) == ("released", "A former coach")
    report = sign_in(trainee).get(reverse("feedback:report", args=[draft.rehearsal_id]))
    assert says(report.content.decode(), "A former coach")
    assert not says(report.content.decode(), "Bea")

"""Terms of groups: their days, the archive, and the roll-over to the next one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Membership, Role, User
from coach.audit.models import Entry
from coach.portal.departments.selectors import open_groups_for
from coach.portal.groups.services import make_code
from coach.portal.joining.selectors import open_codes
from tests.coach.conftest import SignIn

NEXT = {"next-name": "Spring", "next-starts_on": "2027-02-01", "next-ends_on": "2027-06-30"}


def test_a_group_rolls_over_with_its_coaches_only(
    cohort: Cohort, trainee: User, coach: User, administrator: User, sign_in: SignIn
) -> None:
    Membership.objects.filter(user=coach).update(leads=True)
    Membership.objects.create(user=administrator, cohort=cohort, role=Role.COACH)
    url = reverse("portal:next_term", args=[cohort.pk])
    client = sign_in(administrator)
    client.post(url, {**NEXT, "next-archive": "on"})
    copy = Cohort.objects.get(name="Spring")
    assert (copy.ends_on, copy.reply_hours) == (date(2027, 6, 30), cohort.reply_hours)
    members = Membership.objects.filter(cohort=copy).values_list("user", "role", "leads")
    assert list(members) == [(coach.pk, Role.COACH, True)]
    assert Cohort.objects.get(pk=cohort.pk).archived_at is not None
    assert Membership.objects.filter(cohort=cohort, user=trainee).exists()
    acts = Entry.objects.filter(actor=administrator).values_list("action", flat=True)
    assert {"accounts.cohort_added", "accounts.cohort_archived", "accounts.joined"} <= set(acts)


def test_an_archived_group_takes_nobody_and_its_codes_stop(
    cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    later = timezone.now() + timedelta(days=1)
    make_code(cohort=cohort, ends_at=later, most_uses=2, actor=administrator)
    client, archive = sign_in(administrator), reverse("portal:archive_group", args=[cohort.pk])
    client.post(archive)
    assert cohort not in open_groups_for(administrator)
    assert not open_codes().exists()
    assert client.get(reverse("portal:group", args=[cohort.pk])).status_code == 200
    client.post(archive, {"wish": "reopen"})
    assert cohort in open_groups_for(administrator)
    assert open_codes().exists()


def test_a_term_ends_after_its_beginning(
    cohort: Cohort, administrator: User, sign_in: SignIn
) -> None:
    client, url = sign_in(administrator), reverse("portal:group_term", args=[cohort.pk])
    days = {"term-starts_on": "2027-02-01", "term-ends_on": "2027-01-01"}
    assert client.post(url, days).status_code == 422
    assert client.post(url, {**days, "term-ends_on": "2027-06-01"}).status_code == 302
    assert Cohort.objects.get(pk=cohort.pk).ends_on == date(2027, 6, 1)


@pytest.mark.parametrize("name", ["group_term", "archive_group", "next_term"])
def test_a_coach_changes_no_term(name: str, coach: User, cohort: Cohort, sign_in: SignIn) -> None:
    url = reverse(f"portal:{name}", args=[cohort.pk])
    assert sign_in(coach).post(url, NEXT).status_code == 404
    assert Cohort.objects.get().archived_at is None

"""Takes come in pages: each can be reached, and uploads that wait as well."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.models import Run
from coach.feedback.pages.takes import TALKS_ON_A_PAGE
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis
from tests.coach.uploads.handing_in import waiting


def test_every_take_and_every_upload_can_be_reached(trainee: User, sign_in: SignIn) -> None:
    takes = RehearsalFactory.create_batch(2 * TALKS_ON_A_PAGE + 5, owner=trainee)
    uploads = [waiting(trainee) for _each in range(12)]
    client = sign_in(trainee)
    pages = [client.get(f"/practise/?page={number}").content.decode() for number in range(1, 4)]
    for take in takes:
        assert sum(str(take.pk) in page for page in pages) == 1
    for upload in uploads:
        assert reverse("feedback:cut_off", args=[upload.pk]) in pages[0]
    assert "13–24 of 29" in pages[1]
    assert 'href="?page=1"' in pages[1]
    assert 'href="?page=3"' in pages[1]
    assert 'rel="next"' not in pages[2]


@pytest.mark.parametrize("number", ["0", "99", "x", "-1", "%00", "9" * 5000])
def test_a_page_that_is_not_there_is_the_nearest(
    number: str, trainee: User, sign_in: SignIn
) -> None:
    RehearsalFactory.create_batch(3, owner=trainee)
    assert sign_in(trainee).get(f"/practise/?page={number}").status_code == 200


def test_a_report_that_was_opened_is_not_called_ready_to_read_for_weeks(
    trainee: User, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee)
    finish_analysis(take)
    client, home = sign_in(trainee), reverse("feedback:takes")
    assert "Ready to read" in client.get(home).content.decode()
    client.get(reverse("feedback:report", args=[take.pk]))
    page = client.get(home).content.decode()
    assert "Ready to read" not in page
    assert "Read" in page


def test_a_report_that_waits_to_be_read_comes_before_a_take_that_is_being_analysed(
    trainee: User, sign_in: SignIn
) -> None:
    first = RehearsalFactory(owner=trainee, title="First")
    finish_analysis(first)
    Run.objects.create(rehearsal=RehearsalFactory(owner=trainee, title="Second"))
    client, home = sign_in(trainee), reverse("feedback:takes")
    assert "Read your feedback on “First”" in client.get(home).content.decode()
    client.get(reverse("feedback:report", args=[first.pk]))
    assert "“Second” is being analysed" in client.get(home).content.decode()

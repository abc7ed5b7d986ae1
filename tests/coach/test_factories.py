"""What the tests are made from."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import check_password

from coach.feedback.models import StoredReport
from coach.feedback.reports import report_of
from tests.coach.conftest import SignIn
from tests.coach.factories import (
    PASSWORD,
    RehearsalFactory,
    UserFactory,
    finish_analysis,
    make_report,
)

pytestmark = pytest.mark.django_db


def test_what_one_test_does_to_the_usual_report_reaches_no_other() -> None:
    run = finish_analysis(RehearsalFactory()).run
    run.report.document["measurements"].clear()
    report_of(run).tracks.clear()
    another = finish_analysis(RehearsalFactory()).run
    stored = StoredReport.objects.get(run=another)
    assert stored.document == make_report().model_dump(mode="json")


def test_a_person_has_the_password_that_tests_type_or_one_of_their_own() -> None:
    assert check_password(PASSWORD, UserFactory().password)
    assert check_password("another-long-one", UserFactory(password="another-long-one").password)


def test_who_is_signed_in_is_known_and_has_just_signed_in(sign_in: SignIn) -> None:
    person = UserFactory()
    client = sign_in(person)
    assert client.get("/").wsgi_request.user == person
    assert client.session["account_authentication_methods_user"] == str(person.pk)
    person.refresh_from_db()
    assert person.last_login is not None

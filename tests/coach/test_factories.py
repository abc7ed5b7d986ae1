"""What the tests are made from."""

from __future__ import annotations

from tests.coach.factories import make_report, usual_report


def test_what_one_test_does_to_the_usual_report_reaches_no_other() -> None:
    usual_report().measurements.clear()
    usual_report().tracks.clear()
    assert usual_report() == make_report()

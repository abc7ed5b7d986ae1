"""Exports hold consenting people only, under pseudonyms, and nothing that names anybody."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from analysis.metrics import METRICS
from coach.accounts.models import Purpose, User
from coach.accounts.services import give_consent, withdraw_consent
from coach.audit.models import Entry
from coach.feedback.models import Feedback, MeasuredValue, Verdict
from coach.feedback.verdicts import CoachItem, add_coach_item, decide_on_item
from coach.lib.files.csv_tables import csv_bytes, csv_lines, no_formula, without_guard
from coach.lib.web.large_bodies import slots
from coach.rehearsals.models import Rehearsal
from coach.research.exports.downloads import FORMATS, ExportFormat
from coach.research.exports.models import Download
from tests.coach.cast import one_more
from tests.coach.conftest import SignIn, says


@pytest.fixture
def decided(draft: Feedback, trainee: User, coach: User) -> Feedback:
    """A consenting trainee's draft on which her coach has worked."""
    give_consent(user=trainee, purpose=Purpose.RESEARCH_MEASUREMENTS)
    item = draft.items.get()
    decide_on_item(
        item=item,
        coach=coach,
        kind=Verdict.Kind.EDIT,
        wording={"claim": "Ana, you said um."},
        note="Ana knows.",
    )
    words = CoachItem(
        tone="strength", quality="structure", claim="Bravo Ana.", suggestion="", clips=((1.0, 2.0),)
    )
    add_coach_item(feedback=draft, coach=coach, words=words)
    return draft


def download(name: str, researcher: User, sign_in: SignIn) -> str:
    response = sign_in(researcher).get(reverse("research:export", args=[name]))
    assert response.status_code == 200
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    return b"".join(response).decode()


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_each_measure_is_a_row_with_its_value_or_the_reason_why_there_is_none(
    decided: Feedback, researcher: User, sign_in: SignIn
) -> None:
    found = rows(download("measurements.csv", researcher, sign_in))
    assert [row["metric"] for row in found] == [metric.id for metric in METRICS]
    um = next(row for row in found if row["metric"] == "fillers.filled_pauses_per_minute")
    assert (um["value"], um["interval_low"], um["interval_high"]) == ("8.0", "6.0", "10.0")
    others = [row for row in found if row is not um]
    assert {row["skipped_reason"] for row in others} == {"poor_signal"}
    assert {row["value"] for row in others} == {""}


def test_an_interval_without_an_upper_end_has_none_in_a_table_either(
    decided: Feedback, researcher: User, sign_in: SignIn
) -> None:
    def um() -> list[str]:
        found = rows(download("measurements.csv", researcher, sign_in))
        row = next(row for row in found if row["metric"] == "fillers.filled_pauses_per_minute")
        return [row[f"interval_{name}"] for name in ("low", "high", "open_above")]

    assert um() == ["6.0", "10.0", "false"]
    MeasuredValue.objects.filter(high=10.0).update(high=6_000.0)
    assert um() == ["6.0", "", "true"]
    MeasuredValue.objects.filter(high=6_000.0).update(low=None, high=None)
    assert um() == ["", "", ""]


def test_the_month_of_a_take_is_the_one_that_its_pages_say(
    decided: Feedback, researcher: User, trainee: User, sign_in: SignIn
) -> None:
    """Half an hour into a year, where the site is."""
    give_consent(user=trainee, purpose=Purpose.RESEARCH_TRANSCRIPT)
    at = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
    Rehearsal.objects.filter(pk=decided.rehearsal_id).update(created_at=at)
    for file in ("measurements.csv", "items.csv", "transcripts.csv"):
        assert {row["month"] for row in rows(download(file, researcher, sign_in))} == {"2026-12"}
        with timezone.override(ZoneInfo("Europe/Paris")):
            found = rows(download(file, researcher, sign_in))
        assert {row["month"] for row in found} == {"2027-01"}


def test_items_and_verdicts_tell_what_became_of_each_item(
    decided: Feedback, researcher: User, coach: User, sign_in: SignIn
) -> None:
    items = rows(download("items.csv", researcher, sign_in))
    assert [(row["origin"], row["decision"]) for row in items] == [
        ("rule", "edited"),
        ("coach", "added"),
    ]
    verdicts = rows(download("verdicts.csv", researcher, sign_in))
    assert [(row["kind"], row["reworded"]) for row in verdicts] == [
        ("edit", "true"),
        ("add", "false"),
    ]
    assert {row["coach"] for row in verdicts} == {str(coach.pseudonym)}


def test_the_json_holds_the_same_and_defines_each_measure(
    decided: Feedback, researcher: User, sign_in: SignIn
) -> None:
    document = json.loads(download("rostrum.json", researcher, sign_in))
    assert len(document["measurements"]) == len(document["metrics"]) == len(METRICS)
    assert len(document["items"]) == len(document["verdicts"]) == 2


@pytest.mark.parametrize("name", [each.name for each in FORMATS])
def test_nothing_in_an_export_names_anybody(
    name: str, decided: Feedback, researcher: User, sign_in: SignIn
) -> None:
    text = download(name, researcher, sign_in)
    rehearsal = decided.rehearsal
    for secret in (
        "ana",
        "bea",
        "example.org",
        rehearsal.title,
        rehearsal.original_name,
        str(rehearsal.pk),
        "bravo",
        "thesis",
    ):
        assert not says(text, secret)


@pytest.mark.parametrize("name", [each.name for each in FORMATS])
def test_without_consent_nobody_is_in_it(
    name: str, draft: Feedback, researcher: User, sign_in: SignIn
) -> None:
    pseudonym = str(draft.rehearsal.owner.pseudonym)
    assert pseudonym not in download(name, researcher, sign_in)


def test_a_revoked_consent_holds_from_the_next_export_on(
    decided: Feedback, trainee: User, researcher: User, sign_in: SignIn
) -> None:
    assert str(trainee.pseudonym) in download("items.csv", researcher, sign_in)
    withdraw_consent(user=trainee, purpose=Purpose.RESEARCH_MEASUREMENTS)
    assert str(trainee.pseudonym) not in download("items.csv", researcher, sign_in)


def test_an_unknown_file_is_not_there(researcher: User, sign_in: SignIn) -> None:
    client = sign_in(researcher)
    assert client.get(reverse("research:export", args=["passwords.csv"])).status_code == 404


def test_that_an_export_was_made_is_on_record(
    decided: Feedback, researcher: User, sign_in: SignIn
) -> None:
    download("items.csv", researcher, sign_in)
    assert Entry.objects.filter(action="research.exported", actor=researcher).count() == 1


def test_the_page_says_how_many_people_are_in_it(
    decided: Feedback, researcher: User, sign_in: SignIn
) -> None:
    page = sign_in(researcher).get(reverse("research:home")).content.decode()
    assert "measurements.csv" in page
    assert "rostrum.json" in page


def test_a_spreadsheet_runs_nothing_from_our_cells() -> None:
    row = {"a": "=HYPERLINK(1)", "b": "@x", "c": -3.5, "d": None, "e": "plain", "f": True}
    text = csv_bytes(list(row), [row]).decode()
    assert text.splitlines()[1] == "'=HYPERLINK(1),'@x,-3.5,,plain,true"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("fine;=SUM(A1)", "fine;'=SUM(A1)"),
        ('so; "=HYPERLINK(A1)"', 'so; "\'=HYPERLINK(A1)"'),
        ("one\n@SUM(1)\r\n-2+cmd|' /C calc'!A0", "one\n'@SUM(1)\r\n'-2+cmd|' /C calc'!A0"),
        ("use it when:\n- a pause is named\n- or two; -3 dB", None),
        ("a = b, c=d", None),
        ("'=kept as it was typed", "''=kept as it was typed"),
    ],
)
def test_nor_where_a_semicolon_or_a_line_begins_a_cell_of_its_own(
    text: str, kept: str | None
) -> None:
    assert no_formula(text) == (kept or text)


@given(st.text("='+-@;\r\n\t\" (|!a", max_size=12))
def test_what_was_guarded_is_read_again_to_the_letter(text: str) -> None:
    assert without_guard(no_formula(text)) == text


def _read_by(name: str, researcher: User, sign_in: SignIn) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        download(name, researcher, sign_in)
    return [each["sql"] for each in captured.captured_queries]


@pytest.mark.parametrize("name", ["items.csv", "verdicts.csv", "rostrum.json"])
def test_more_items_take_no_more_queries_and_none_brings_its_whole_draft(
    name: str, decided: Feedback, researcher: User, sign_in: SignIn
) -> None:
    few = _read_by(name, researcher, sign_in)
    for number in range(6):
        one_more(decided, number)
    many = _read_by(name, researcher, sign_in)
    assert len(many) == len(few)
    read = " ".join(many)
    assert '"feedback_feedback"."draft"' not in read
    assert '"rulesets_rulesetrelease"."documents"' not in read


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda chosen: chosen.name)
def test_a_file_is_made_while_it_is_sent(
    chosen: ExportFormat, decided: Feedback, researcher: User, sign_in: SignIn
) -> None:
    assert sign_in(researcher).get(reverse("research:export", args=[chosen.name])).streaming


def test_a_long_table_comes_in_pieces_of_whole_lines() -> None:
    pieces = list(csv_lines(["a", "b"], ({"a": number, "b": "x" * 50} for number in range(5_000))))
    assert 1 < len(pieces) < 50
    assert all(piece.endswith(b"\r\n") for piece in pieces)
    lines = b"".join(pieces).splitlines()
    assert (lines[0], len(lines)) == (b"a,b", 5_001)


@pytest.mark.parametrize("name", ["rostrum.json", "items.csv"])
def test_who_reads_slowly_has_few_files_on_the_way(
    name: str, researcher: User, sign_in: SignIn
) -> None:
    url = reverse("research:export", args=[name])
    with slots.hold(researcher.pk), slots.hold(researcher.pk):
        refused = sign_in(researcher).get(url, follow=True)
    assert "Try again in a minute" in refused.content.decode()
    assert not Download.objects.exists()

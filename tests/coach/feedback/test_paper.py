"""The report as a PDF file: whole, in the reader's language; nothing that was typed is markup."""

from __future__ import annotations

import io

import pytest
from django.urls import reverse
from django.utils import translation
from pypdf import PdfReader

from coach.accounts.models import Cohort, Policy, User
from coach.feedback.pages.report import report_page
from coach.feedback.paper import report_as_pdf
from coach.feedback.selectors import latest_report_run
from coach.lib.web.reader_zone import COOKIE
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn


def read(content: bytes) -> tuple[PdfReader, str]:
    reader = PdfReader(io.BytesIO(content))
    return reader, "\n".join(page.extract_text() for page in reader.pages)


def as_pdf(take: Rehearsal, reader: User) -> tuple[PdfReader, str]:
    run = latest_report_run(take)
    assert run is not None
    return read(report_as_pdf(report_page(take, run, reader=reader)))


def test_the_owner_downloads_the_cards_and_the_transcript(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    client.cookies[COOKIE] = "America/New_York"
    answer = client.get(reverse("feedback:pdf", args=[take.pk]))
    assert answer.headers["Content-Type"] == "application/pdf"
    assert "attachment" in answer.headers["Content-Disposition"]
    reader, text = read(answer.content)
    assert reader.metadata is not None
    assert reader.metadata.title == take.title
    for said in ("Work on this first", "Try this", "Moments:", "word1", "For practice only"):
        assert said in text
    # By the clock of whoever printed it, who may hand it to somebody elsewhere.
    assert " ".join(text.split()).count("Times: America/New York") == 1


def test_it_is_french_for_a_french_reader_with_its_letters(take: Rehearsal, trainee: User) -> None:
    Rehearsal.objects.filter(pk=take.pk).update(title="L’œuvre : été, « déjà » vu…")
    take.refresh_from_db()
    with translation.override("fr"):
        _reader, text = as_pdf(take, trainee)
    assert "L’œuvre : été, « déjà » vu…" in text.replace("\u00a0", " ")
    assert "Transcription" in text


@pytest.mark.parametrize("title", ["<b>bold</b> <img src='/etc/passwd'/>", "<para>&amp; </i>"])
def test_what_was_typed_is_no_markup(title: str, take: Rehearsal, trainee: User) -> None:
    Rehearsal.objects.filter(pk=take.pk).update(title=title)
    take.refresh_from_db()
    _reader, text = as_pdf(take, trainee)
    assert title in text


@pytest.mark.usefixtures("coach")
def test_what_waits_for_a_coach_is_not_in_it(
    take: Rehearsal, trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    answer = sign_in(trainee).get(reverse("feedback:pdf", args=[take.pk]))
    _reader, text = read(answer.content)
    assert "word1" not in text
    assert "Work on this first" not in text

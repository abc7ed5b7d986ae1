"""Words that we are not sure of: told to who listens to the transcript, and on paper, too."""

from __future__ import annotations

import html
import io
import re

import pytest
from django.urls import reverse
from django.utils import translation
from pypdf import PdfReader

from analysis.results import Word
from coach.accounts.models import Cohort, User
from coach.feedback.pages.report import report_page
from coach.feedback.pages.transcript import (
    TranscriptLine,
    doubt_words,
    is_mostly_unsure,
    transcript,
    unsure_of,
)
from coach.feedback.paper import report_as_pdf
from coach.feedback.selectors import latest_report_run
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

LINES = (
    "We met on the beach?.",
    "All of it was heard.",
    "mumble? mumble? mumble? he said.",
)
"""What was heard; a question mark stands after what was heard with doubt."""

SURE, UNSURE = 0.95, 0.2


def words() -> tuple[Word, ...]:
    said = [word for line in LINES for word in line.split()]
    return tuple(
        Word(
            text=word.replace("?", ""),
            start=float(index),
            end=index + 0.5,
            probability=UNSURE if "?" in word else SURE,
        )
        for index, word in enumerate(said)
    )


@pytest.fixture
def doubtful(trainee: User, cohort: Cohort) -> Rehearsal:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(
        take, make_report().model_copy(update={"words": words(), "events": (), "speech": ()})
    )
    return take


@pytest.fixture
def lines() -> tuple[TranscriptLine, ...]:
    report = make_report().model_copy(update={"words": words(), "events": (), "speech": ()})
    return transcript(report)


def test_they_are_counted_and_named_by_line(lines: tuple[TranscriptLine, ...]) -> None:
    assert doubt_words(lines) == "We are not sure that we heard 4 of 15 words correctly."
    assert [unsure_of(line) for line in lines] == ["beach", "", "mumble, mumble, mumble"]
    assert [is_mostly_unsure(line) for line in lines] == [False, False, True]
    assert doubt_words(lines[1:2]) == ""


def test_the_page_says_them_after_their_line_where_who_listens_reads_them(
    doubtful: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    page = sign_in(trainee).get(reverse("feedback:report", args=[doubtful.pk])).content.decode()
    text = page[page.index('id="transcript"') : page.index('class="legend"')]
    read = [
        " ".join(html.unescape(re.sub("<[^>]*>", "", line)).split())
        for line in re.findall("<p.*?</p>", text, flags=re.DOTALL)
    ]
    assert read == [
        "We are not sure that we heard 4 of 15 words correctly.",
        "0:00We met on the beach. (not sure: beach)",
        "0:05All of it was heard.",
        "0:10mumble mumble mumble he said. (not sure of most of these words)",
    ]
    assert page.count('class="u"') == 5  # each as it was, and one in the legend
    assert '(<span lang="en">not sure:</span> beach)' in text


def test_on_paper_they_end_with_a_mark_that_is_explained(
    doubtful: Rehearsal, trainee: User
) -> None:
    run = latest_report_run(doubtful)
    assert run is not None
    with translation.override("fr"):
        paper = report_as_pdf(report_page(doubtful, run, reader=trainee))
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(paper)).pages)
    flat = " ".join(text.split())
    assert "4 mots sur 15. Chacun est suivi de (?)." in flat
    assert "We met on the beach. (?)" in flat
    assert "heard. (?)" not in flat

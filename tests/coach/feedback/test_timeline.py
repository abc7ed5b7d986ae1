"""The timeline and the transcript under the recording: ticks, moments of the cards, silences."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from analysis.metrics import METRICS
from analysis.results import Event, Note, Unwritten, Word
from coach.accounts.models import Cohort, User
from coach.feedback.pages.report import report_page
from coach.feedback.pages.timeline import lanes
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.selectors import latest_report_run
from coach.guests.pages import _plain
from coach.lib.templatetags.clock import MOST_TICKS, ticks
from coach.rehearsals.models import Rehearsal
from coach.review.rubric.page import plain_words
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

TEMPLATES = Path(settings.BASE_DIR) / "templates"


def test_wherever_a_timeline_stands_its_words_stand_too() -> None:
    """Who cannot see it reads them, and the read-out takes its own from there."""
    for page in TEMPLATES.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert text.count('"feedback/_lanes.html"') == text.count('"feedback/_lanes_text.html"'), (
            page
        )


@pytest.mark.parametrize(
    ("seconds", "labels"),
    [
        (24.0, ["0:00", "0:05", "0:10", "0:15", "0:24"]),
        (98.0, ["0:00", "0:30", "1:00", "1:38"]),
        (180.0, ["0:00", "0:30", "1:00", "1:30", "2:00", "2:30", "3:00"]),
        (3600.0, ["0:00", "10:00", "20:00", "30:00", "40:00", "50:00", "1:00:00"]),
        (0.4, ["0:00", "0:00"]),
    ],
)
def test_the_axis_has_round_times_between_its_ends(seconds: float, labels: list[str]) -> None:
    axis = ticks(seconds)
    assert [tick.label for tick in axis.marks] == labels
    assert len(axis.marks) <= MOST_TICKS + 1
    assert [tick.left for tick in axis.marks] == sorted(tick.left for tick in axis.marks)


def test_the_moments_of_the_cards_are_marked_on_the_timeline(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    run = latest_report_run(take)
    assert run is not None
    page = report_page(take, run, reader=trainee)
    lane = page.lanes[0]
    assert lane.label == "Feedback"
    clips = [clip for card in page.cards for clip in card.clips]
    assert [(mark.start, mark.end) for mark in lane.marks] == [(c.start, c.end) for c in clips]
    assert {mark.tone for mark in lane.marks} == {"improvement"}
    html = sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert html.count('data-tone="improvement" x=') == len(clips)


def test_every_measure_is_said_in_plain_words_and_its_definition_stands_behind(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    assert all(metric.plain for metric in METRICS)
    page = sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()
    plain, formula = "was heard.", "Sum of the probabilities"
    assert page.index(plain) < page.index("How it is measured") < page.index(formula)


def said_with_silences() -> tuple[TranscriptLine, ...]:
    words = (
        Word(text="First.", start=0.0, end=0.5, probability=0.9),
        Word(text="Then.", start=2.0, end=2.5, probability=0.9),
        Word(text="Last.", start=3.1, end=3.5, probability=0.9),
    )
    events = (
        Event(kind="silent_pause", start=0.5, end=2.0),
        Event(kind="silent_pause", start=2.5, end=3.1),
    )
    report = make_report().model_copy(update={"words": words, "events": events, "speech": ()})
    return transcript(report)


def test_silences_of_a_second_or_more_stand_in_the_transcript() -> None:
    lines = said_with_silences()
    assert [(word.kind, word.text) for word in lines[0].words] == [
        ("word", "First."),
        ("pause", "1.5 s"),
    ]
    assert [word.text for line in lines[1:] for word in line.words] == ["Then.", "Last."]


def test_who_reads_no_findings_reads_no_silences_either() -> None:
    for plain in (plain_words(said_with_silences()), _plain(said_with_silences())):
        assert [word.text for line in plain for word in line.words] == ["First.", "Then.", "Last."]


def test_a_silence_is_read_out_as_one(trainee: User, cohort: Cohort, sign_in: SignIn) -> None:
    report = make_report(duration=6.0)
    word = report.words[0].model_copy(update={"text": "First.", "start": 0.0, "end": 0.5})
    silence = Event(kind="silent_pause", start=0.5, end=2.0)
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(
        take, report.model_copy(update={"words": (word,), "events": (silence,), "speech": ()})
    )
    page = sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert 'role="img" lang="en" aria-label="pause of 1.5 s">1.5 s</span>' in page


def test_an_um_stands_in_the_sentence_that_it_is_nearer_to() -> None:
    """It usually opens the one that follows; at the end of a sentence it seems to close it."""
    said = [("cars.", 8.7, 9.3), ("um", 10.1, 10.8), ("The", 11.0, 11.1), ("noise.", 11.2, 12.0)]
    said += [("uh", 12.1, 12.5), ("The", 13.4, 13.5), ("money.", 13.6, 14.0)]
    words = [Word(text=t, start=start, end=end, probability=0.9) for t, start, end in said]
    fillers = [Event(kind="filled_pause", start=at, end=at + 0.7) for at in (10.1, 12.0)]
    found = [Event(kind="sentence", start=at, end=at + 1) for at in (8.7, 11.0, 13.4)]
    given = {"words": tuple(words), "events": (*found, *fillers), "speech": ()}
    report = make_report().model_copy(update=given)

    lines = [" ".join(word.text for word in line.words) for line in transcript(report)]

    assert lines == ["cars.", "um The noise. uh", "The money."]


def test_a_hole_in_the_transcript_says_how_long_it_is_and_why() -> None:
    words = (
        Word(text="Hello.", start=0.0, end=1.0, probability=0.9),
        Word(text="Thanks.", start=9.0, end=10.0, probability=0.9),
    )
    speech = ((0.0, 4.0), (5.0, 10.0))
    holey = make_report().model_copy(update={"words": words, "speech": speech})
    why = Unwritten(start=1.2, end=9.0, note=Note.of("unwritten_repeats"))
    for report, told in (
        (holey, "[about 7 s of speech not transcribed]"),
        (
            holey.model_copy(update={"unwritten": (why,)}),
            f"[about 7 s of speech not transcribed. {why.note.detail}]",
        ),
    ):
        missing = [
            word for line in transcript(report) for word in line.words if word.kind == "missing"
        ]
        assert [word.text for word in missing] == [told]


def test_words_that_cards_count_are_marked_in_the_transcript_and_have_a_lane() -> None:
    said = [("It", 0.0, 0.3), ("was,", 0.3, 0.6), ("you", 0.7, 0.8), ("know,", 0.8, 1.1)]
    said += [("um", 1.2, 1.6), ("far.", 1.7, 2.0)]
    words = tuple(Word(text=t, start=start, end=end, probability=0.9) for t, start, end in said)
    events = (
        Event(kind="filler_word", start=0.7, end=1.1, label="you know"),
        Event(kind="filled_pause", start=1.2, end=1.6, label="um"),
        Event(kind="filler_burst", start=0.7, end=1.6),
    )
    given = {"words": words, "events": events, "speech": ()}
    report = make_report().model_copy(update=given)

    [line] = transcript(report)
    assert [word.kind for word in line.words] == [
        *("word", "word", "filler_word", "filler_word", "filler", "word")
    ]
    marks = {lane.label: [mark.start for mark in lane.marks] for lane in lanes(report)}
    assert marks["Filler words"] == [0.7]
    assert marks["Bursts of fillers"] == [0.7]
    for plain in (plain_words((line,)), _plain((line,))):
        assert {word.kind for each in plain for word in each.words} == {"word"}


def test_without_filler_words_there_is_no_lane_for_them() -> None:
    report = make_report().model_copy(update={"events": ()})
    assert not {"Filler words", "Bursts of fillers"} & {lane.label for lane in lanes(report)}


def test_both_kinds_of_fillers_are_told_apart_without_colour(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    word = Word(text="like", start=0.0, end=0.5, probability=0.9)
    event = Event(kind="filler_word", start=0.0, end=0.5, label="like")
    given = {"words": (word,), "events": (event,), "speech": ()}
    finish_analysis(take, make_report(duration=6.0).model_copy(update=given))
    page = sign_in(trainee).get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert 'class="fw">like</span>' in page
    assert "a filler word, or a phrase you use often" in page
    css = (Path(settings.BASE_DIR) / "static" / "css" / "components.css").read_text()
    assert (
        ".transcript .fw, .legend .fw { color: var(--work); text-decoration: underline double"
        in css
    )

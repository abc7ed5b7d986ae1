"""A coach puts single places right: labelled, undone at will, and followed by every figure."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.feedback.corrected_reports import (
    corrected_report,
    report_for_reading,
    rows_for_reading,
    values_for_reading,
)
from coach.feedback.corrections import (
    correct_word,
    strike_event,
    take_correction_back,
    undo_correction,
)
from coach.feedback.items import items_for_reading, standing_items
from coach.feedback.models import (
    CorrectedCard,
    CorrectedReport,
    Correction,
    DeskAct,
    Feedback,
    Verdict,
)
from coach.feedback.pages.report import report_page
from coach.feedback.releases import begin_correction, release_feedback, release_obstacle
from coach.feedback.reports import report_of
from coach.feedback.runs.drafting import context_of
from coach.feedback.services import AlreadyReleased
from coach.feedback.undoing import take_back_last
from coach.feedback.verdicts import decide_on_item
from coach.review.desk.page import desk_page
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory
from tests.coach.review.deciding import settle

RATE = "fillers.filled_pauses_per_minute"


def strike(draft: Feedback, coach: User, *starts: float) -> list[Correction]:
    return [
        strike_event(feedback=draft, coach=coach, kind="filled_pause", start=start)
        for start in starts
    ]


def test_a_struck_um_is_a_label_and_every_figure_follows_it(draft: Feedback, coach: User) -> None:
    (struck,) = strike(draft, coach, 10.0)
    assert (struck.kind, struck.event, struck.start, struck.end, struck.before) == (
        "not_a_filler",
        "filled_pause",
        10.0,
        10.4,
        "um",
    )
    assert (struck.probability, struck.made_by, struck.made_by_name) == (0.95, coach, "Bea")
    before, after = report_of(draft.run), corrected_report(draft)
    assert (before.measurements[RATE].n, after.measurements[RATE].n) == (24, 23)
    item = next(each for each in standing_items(draft) if each.card.metric == RATE)
    assert item.correction == "follows"
    assert item.document["value"] == pytest.approx(8.0 * 23 / 24, rel=0.001)
    assert item.item.document["value"] == 8.0
    page = desk_page(draft.rehearsal, draft, coach=coach)
    assert page.corrections.corrected[0].read.text == "“um” is not an um"
    entry = Entry.objects.get(action="feedback.corrected")
    assert entry.detail["after"] == {"kind": "not_a_filler", "event": "filled_pause", "at": 10.0}


def test_what_was_measured_anew_is_kept_until_something_else_is_put_right(
    draft: Feedback, coach: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    strike(draft, coach, 10.0)
    once = corrected_report(draft)

    def never(*_given: object, **_named: object) -> None:
        raise AssertionError("measured anew for nothing")

    with monkeypatch.context() as patch:
        patch.setattr("coach.feedback.corrected_reports.with_corrections", never)
        assert corrected_report(draft) == once
    strike(draft, coach, 17.0)
    assert corrected_report(draft) != once
    for start in (24.0, 31.0, 38.0):
        strike(draft, coach, start)
        corrected_report(draft)
    assert CorrectedReport.objects.filter(run=draft.run).count() == 3


def test_undoing_gives_back_what_was_and_can_be_taken_back(draft: Feedback, coach: User) -> None:
    (struck,) = strike(draft, coach, 10.0)
    undo_correction(correction=struck, coach=coach)
    assert corrected_report(draft) == report_of(draft.run)
    assert not CorrectedCard.objects.exists()
    assert Correction.objects.get().undone_at is not None
    take_back_last(feedback=draft, coach=coach)
    assert corrected_report(draft).measurements[RATE].n == 23
    assert CorrectedCard.objects.exists()
    take_back_last(feedback=draft, coach=coach)
    assert corrected_report(draft) == report_of(draft.run)
    # What was put right anew since is not put right twice.
    strike(draft, coach, 10.0)
    take_correction_back(DeskAct(after={"undid": [str(struck.pk)]}), draft)
    assert corrected_report(draft).measurements[RATE].n == 23


def test_a_version_that_corrects_another_keeps_what_was_put_right(
    draft: Feedback, coach: User
) -> None:
    strike(draft, coach, 10.0)
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    fresh = begin_correction(feedback=draft, coach=coach)
    item = next(each for each in standing_items(fresh) if each.card.metric == RATE)
    assert item.correction == "follows"
    assert item.document["value"] == pytest.approx(8.0 * 23 / 24, rel=0.001)


def test_what_comes_later_compares_with_what_was_put_right_once_it_is_released(
    draft: Feedback, coach: User
) -> None:
    """The next take's cards, one's own usual and progress, as the report was read."""
    run, later = draft.run, RehearsalFactory(owner=draft.rehearsal.owner)
    strike(draft, coach, 10.0)

    def known() -> tuple[int | None, float, float]:
        measured = rows_for_reading([run], [RATE])[run.pk][RATE].n
        before = {each.rule: each.value for each in context_of(later).previous_items}
        return measured, values_for_reading([run])[run.pk][RATE], before["FIL001"]

    assert known() == (24, 8.0, 8.0)
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    right = pytest.approx(8.0 * 23 / 24, rel=0.001)
    assert known() == (23, right, right)


def test_an_item_whose_rule_is_silent_since_is_not_released_as_it_was(
    draft: Feedback, coach: User
) -> None:
    strike(draft, coach, *(7.0 * index + 3 for index in range(20)))
    item = next(each for each in standing_items(draft) if each.item.card.metric == RATE)
    assert (item.correction, item.card.figure) == ("silent", "")
    settle(draft, coach)
    assert "no longer holds" in release_obstacle(draft)
    words = {"claim": "Silent breaths would suit you.", "suggestion": ""}
    decide_on_item(item=item.item, coach=coach, kind=Verdict.Kind.EDIT, wording=words)
    assert release_obstacle(draft) == ""


def test_a_word_is_put_right_again_and_put_back(draft: Feedback, coach: User) -> None:
    correct_word(feedback=draft, coach=coach, start=5.0, before="word10", after=" two  words ")
    said = [word.text for word in corrected_report(draft).words[10:12]]
    assert said == ["two", "words"]
    # The second of the two is pressed: the whole place is said anew.
    correct_word(feedback=draft, coach=coach, start=5.2, before="words", after="thing")
    assert Correction.objects.filter(undone_at=None).get().after == "thing"
    assert (
        correct_word(feedback=draft, coach=coach, start=5.0, before="thing", after="word10") is None
    )
    assert not Correction.objects.filter(undone_at=None).exists()
    page = desk_page(draft.rehearsal, draft, coach=coach)
    assert page.corrections.corrected == ()


@pytest.mark.parametrize(
    ("start", "before", "after"),
    [
        (5.0, "another", "x"),
        (5.0, "word10", "word10"),
        (999.0, "word10", "x"),
        (5.0, "word10", "x" * 150),
    ],
)
def test_what_is_not_there_or_is_no_change_is_refused(
    draft: Feedback, coach: User, start: float, before: str, after: str
) -> None:
    with pytest.raises(ValidationError):
        correct_word(feedback=draft, coach=coach, start=start, before=before, after=after)
    with pytest.raises(ValidationError, match="no longer in the report"):
        strike(draft, coach, 11.0)


def test_the_trainee_reads_it_with_the_release_and_not_before(
    draft: Feedback, coach: User, trainee: User
) -> None:
    correct_word(feedback=draft, coach=coach, start=5.0, before="word10", after="harbour")
    strike(draft, coach, 10.0)
    assert report_for_reading(draft.run, draft) == report_of(draft.run)
    before = report_page(draft.rehearsal, draft.run, reader=trainee)
    assert before.corrections == ()
    assert all(item.correction == "" for item in items_for_reading(draft))
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    page = report_page(draft.rehearsal, draft.run, reader=trainee)
    assert [each.text for each in page.corrections] == [
        "“harbour”, read as “word10”",
        "“um” is not an um",
    ]
    (word,) = [each for line in page.sentences for each in line.words if each.kind == "corrected"]
    assert (word.text, word.heard) == ("harbour", "word10")
    rate = next(row for group in page.measures for row in group.rows if row.before)
    assert "Measured value: about 8" in rate.before
    assert any("include corrections" in card.corrected for card in page.cards)
    with pytest.raises(AlreadyReleased):
        strike(draft, coach, 17.0)


def test_at_the_desk_everything_that_follows_comes_back(
    draft: Feedback, coach: User, sign_in: SignIn
) -> None:
    client, take, htmx = sign_in(coach), draft.rehearsal_id, {"HX-Request": "true"}
    asked = {"kind": "filled_pause", "start": "10.0"}
    page = client.post(reverse("review:strike", args=[take]), asked, headers=htmx)
    for part in ('id="items" hx-swap-oob', "#transcript", "#lane-rows", "#lane-words"):
        assert part in page.content.decode()
    word = {"start": "5.00", "before": "word10", "after": "harbour"}
    page = client.post(reverse("review:correct_word", args=[take]), word, headers=htmx)
    assert 'title="transcribed as “word10”"' in page.content.decode()
    assert '(<span lang="en">transcribed as “word10”</span>)' in page.content.decode()
    again = client.post(reverse("review:strike", args=[take]), asked, headers=htmx)
    assert "no longer in the report" in again.content.decode()
    vtt = reverse("feedback:captions", args=[take])
    assert "harbour" in client.get(vtt).content.decode()
    assert "harbour" not in sign_in(draft.rehearsal.owner).get(vtt).content.decode()
    for each in Correction.objects.all():
        client.post(reverse("review:undo_correction", args=[take, each.pk]))
    assert not Correction.objects.filter(undone_at=None).exists()
    nonsense = client.post(reverse("review:strike", args=[take]), {"kind": "x"}, headers=htmx)
    assert "could not read this" in nonsense.content.decode()

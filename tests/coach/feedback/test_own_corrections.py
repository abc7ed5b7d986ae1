"""A speaker corrects their own transcript: measures and cards follow, coaches see who did it."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from analysis.results import Report
from coach.accounts.models import Cohort, User
from coach.feedback.corrected_reports import corrected_report, report_for_reading
from coach.feedback.corrections import (
    correct_own_word,
    correct_word,
    mark_meant_pause,
    mark_own_um,
    strike_event,
    strike_own_event,
    undo_correction,
    undo_own_correction,
)
from coach.feedback.items import items_for_reading, standing_items
from coach.feedback.models import Correction, Feedback
from coach.feedback.pages.report import report_page
from coach.feedback.personal_data import PERSONAL_DATA
from coach.feedback.releases import release_feedback
from coach.feedback.reports import report_of
from coach.review.desk.page import desk_page
from tests.analysis.spoken import report_of as report_of_talk
from tests.analysis.spoken import talk_of, words
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis
from tests.coach.review.deciding import settle

RATE, SEARCHING = "fillers.filled_pauses_per_minute", "pauses.long_mid_clause_per_minute"
PLAIN = "we had seen the small boats and then we went home. firstly the lake is cold and deep. | "
SLOW = PLAIN.replace("the small", "the | | | small")


def read(draft: Feedback) -> Report:
    return report_for_reading(draft.run, draft)


def ums(draft: Feedback) -> int:
    return read(draft).measurements[RATE].n


def card(draft: Feedback, metric: str = RATE) -> float | None:
    """The value on the owner's card, or nothing where there is no such card."""
    found = (
        each.document["value"] for each in items_for_reading(draft) if each.card.metric == metric
    )
    return next(found, None)


@pytest.fixture
def searching(trainee: User, cohort: Cohort) -> Feedback:
    """A talk with three long silences inside clauses, which make a card."""
    report = report_of_talk(talk_of(words((SLOW + PLAIN * 3) * 3, gap=0.05)))
    take = RehearsalFactory(owner=trainee, cohort=cohort, duration=report.media.duration)
    return finish_analysis(take, report)


def test_a_false_and_a_missed_um_change_the_value_and_the_card(
    draft: Feedback, trainee: User
) -> None:
    assert (ums(draft), card(draft)) == (24, 8.0)
    strike_own_event(feedback=draft, owner=trainee, kind="filled_pause", start=10.0)
    assert (ums(draft), card(draft)) == (23, pytest.approx(8.0 * 23 / 24, rel=0.001))
    for index in (20, 30, 40):
        mark_own_um(feedback=draft, owner=trainee, start=index * 0.5, before=f"word{index}")
    assert ums(draft) == 26
    more = card(draft)
    assert more is not None
    assert more > 8.0
    added = read(draft).events_of("filled_pause")
    (missed,) = [each for each in added if abs(each.start - 10.4) < 0.1]
    strike_own_event(feedback=draft, owner=trainee, kind="filled_pause", start=missed.start)
    assert ums(draft) == 25, "a missed um that was none is undone"
    assert report_of(draft.run).measurements[RATE].n == 24, "the machine's result stays"
    assert {each.made_as for each in Correction.objects.all()} == {"owner"}


def test_another_word_is_read_and_can_be_undone(draft: Feedback, trainee: User) -> None:
    made = correct_own_word(feedback=draft, owner=trainee, start=0.5, before="word1", after="um")
    assert made is not None
    assert (read(draft).words[1].text, ums(draft)) == ("um", 25)
    assert (made.made_by, made.made_by_name) == (trainee, "Ana")
    undo_own_correction(correction=made, owner=trainee)
    assert read(draft) == report_of(draft.run)
    assert card(draft) == 8.0


def test_a_pause_that_was_meant_changes_the_value_and_then_takes_the_card_away(
    searching: Feedback, trainee: User
) -> None:
    long = [each for each in read(searching).events_of("silent_pause") if each.end - each.start > 2]
    value = card(searching, SEARCHING)
    mark_meant_pause(feedback=searching, owner=trainee, start=long[0].start)
    fewer = card(searching, SEARCHING)
    assert value is not None
    assert fewer is not None
    assert fewer < value
    mark_meant_pause(feedback=searching, owner=trainee, start=long[1].start)
    assert card(searching, SEARCHING) is None
    page = report_page(searching.rehearsal, searching.run, reader=trainee)
    assert "1 card no longer applies" in page.recalculated
    kinds = [word.kind for line in page.sentences for word in line.words]
    assert kinds.count("meant") == 2


def test_a_coach_sees_them_and_a_decided_card_stays(
    draft: Feedback, trainee: User, coach: User
) -> None:
    settle(draft, coach)
    strike_own_event(feedback=draft, owner=trainee, kind="filled_pause", start=10.0)
    desk = desk_page(draft.rehearsal, draft, coach=coach)
    assert desk.corrections.corrected[0].read.author == "Ana, the speaker"
    assert corrected_report(draft).measurements[RATE].n == 23
    decided = next(each for each in standing_items(draft) if each.card.metric == RATE)
    assert decided.document["value"] == 8.0
    assert card(draft) == pytest.approx(8.0 * 23 / 24, rel=0.001), "her own draft follows"


def test_what_a_coach_corrects_stays_unseen_before_the_release(
    draft: Feedback, trainee: User, coach: User
) -> None:
    strike_event(feedback=draft, coach=coach, kind="filled_pause", start=10.0)
    correct_word(feedback=draft, coach=coach, start=0.5, before="word1", after="hello")
    strike_own_event(feedback=draft, owner=trainee, kind="filled_pause", start=17.0)
    assert (ums(draft), corrected_report(draft).measurements[RATE].n) == (23, 22)
    assert card(draft) == pytest.approx(8.0 * 23 / 24, rel=0.001)
    with pytest.raises(ValidationError):
        correct_own_word(feedback=draft, owner=trainee, start=0.5, before="word1", after="um")
    own = Correction.objects.get(made_as="owner")
    undo_correction(correction=own, coach=coach)
    own.refresh_from_db()
    assert own.undone_as == "coach"


def test_after_the_release_measures_follow_and_cards_stay(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    draft.refresh_from_db()
    strike_own_event(feedback=draft, owner=trainee, kind="filled_pause", start=10.0)
    assert (ums(draft), card(draft)) == (23, 8.0)
    said = sign_in(trainee).get(reverse("feedback:report", args=[draft.rehearsal_id]))
    assert "after your coach replied" in said.content.decode()


def test_they_are_in_ones_own_data(draft: Feedback, trainee: User) -> None:
    strike_own_event(feedback=draft, owner=trainee, kind="filled_pause", start=10.0)
    assert PERSONAL_DATA.export_take is not None
    (row,) = PERSONAL_DATA.export_take(draft.rehearsal)["corrections"]
    assert (row["made_as"], row["kind"]) == ("owner", "not_a_filler")


def test_the_page_works_with_and_without_scripts(
    draft: Feedback, trainee: User, sign_in: SignIn
) -> None:
    client, take = sign_in(trainee), draft.rehearsal_id
    url = reverse("feedback:transcript", args=[take])
    menu = client.get(url, {"at": "0.50"}).content.decode()
    assert "<dialog" in menu
    assert 'value="word1"' in menu
    part = client.get(url, {"at": "0.50"}, headers={"hx-request": "true"}).content.decode()
    assert "<html" not in part
    assert 'value="word1"' in part
    word = {"start": "0.5", "before": "word1", "after": "hello"}
    assert client.post(reverse("feedback:replace_word", args=[take]), word).status_code == 302
    um = client.post(
        reverse("feedback:mark_um", args=[take]),
        {"start": "1.0", "before": "word2"},
        headers={"hx-request": "true"},
    )
    assert 'hx-swap-oob="innerHTML:#transcript"' in um.content.decode()
    client.post(reverse("feedback:strike", args=[take]), {"kind": "filled_pause", "start": "10"})
    refused = client.post(reverse("feedback:mean_pause", args=[take]), {"at": "3"}, follow=True)
    assert "no longer in the report" in refused.content.decode()
    kinds = set(Correction.objects.values_list("kind", flat=True))
    assert kinds == {"word", "missed_filler", "not_a_filler"}
    own = Correction.objects.get(kind="word")
    client.post(reverse("feedback:undo_correction", args=[take, own.pk]))
    own.refresh_from_db()
    assert own.undone_as == "owner"


def test_downloads_hold_the_corrected_words_under_a_safe_name(
    draft: Feedback, trainee: User, coach: User, stranger: User, sign_in: SignIn
) -> None:
    take = draft.rehearsal
    take.title = 'Été/../"x"\r\n<b>'
    take.save()
    correct_own_word(feedback=draft, owner=trainee, start=0.5, before="word1", after="hello")
    for name, start in (
        ("transcript_text", "0:00  word0 hello"),
        ("transcript_captions", "WEBVTT"),
    ):
        url = reverse(f"feedback:{name}", args=[take.pk])
        for reader in (trainee, coach):
            answer = sign_in(reader).get(url)
            assert answer.content.decode().startswith(start)
            assert "hello" in answer.content.decode()
            kind = name[-4:].replace("text", "txt").replace("ions", "vtt")
            assert answer.headers["Content-Disposition"] == f'attachment; filename="etex-b.{kind}"'
        assert sign_in(stranger).get(url).status_code == 404

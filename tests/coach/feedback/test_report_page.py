"""The report shows at most three cards with their evidence, and says what could not be measured."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from analysis.results import GazeZero, Measurement, Quality, Word
from coach.accounts.models import Cohort, Policy, Role, User
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.pages.report import report_page
from coach.feedback.pages.transcript import captions
from coach.feedback.releases import release_feedback
from coach.feedback.selectors import latest_report_run
from coach.feedback.verdicts import CoachItem, add_coach_item, decide_on_item
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.services import send_to_coach
from feedback_rules.explain import nothing_found
from tests.coach.conftest import SignIn, says
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, make_report
from tests.coach.feedback.report_pages import page_of


def test_the_card_says_what_where_and_what_to_try(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    run = latest_report_run(take)
    assert run is not None
    page = report_page(take, run, reader=trainee)
    assert len(page.cards) == 1
    card = page.cards[0]
    assert card.heading == "Work on this first"
    assert card.clips
    assert all(0 <= clip.start < clip.end <= 180 for clip in card.clips)
    assert card.figure
    assert card.suggestion
    assert card.certainty
    assert card.explanation is not None
    assert len(card.explanation.short) == 2
    assert card.explanation.decided
    html = page_of(take, trainee, sign_in)
    assert "Why am I seeing this" in html
    assert "the line is 5), and you can try it at once." in html
    assert page.trying is None
    assert "Worth trying" not in html
    assert "could not measure" in html.lower()


def test_before_the_cards_stands_what_the_take_is_and_nothing_to_do_with_it_later(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    html = page_of(take, trainee, sign_in)
    cards = html.index('class="read cards"')
    for later in ("Download as PDF", "Correct title, aim or audience", "Share with guests"):
        assert html.index(later) > cards


def test_which_rule_spoke_stands_behind_why_and_not_on_the_card(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    html = page_of(take, trainee, sign_in)
    face, behind = html[html.index('class="card"') :].split('class="card__more"', 1)
    assert "FIL001" not in face
    assert "FIL001" in behind


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("calibration", "looked into the lens at the start"),
        ("talk", "where you looked most often"),
        ("usual", "where people usually look"),
    ],
)
def test_how_the_camera_was_found_is_said_beside_the_measures(
    source: Literal["calibration", "talk", "usual"],
    words: str,
    take: Rehearsal,
    trainee: User,
    sign_in: SignIn,
) -> None:
    share = Measurement(value=0.7, unit="share", n=900, coverage=0.9, quality=Quality.GOOD)
    zero = GazeZero(source=source, yaw=2.0, pitch=-1.0, yaw_spread=1.2, pitch_spread=1.6, n=15)
    report = make_report(**{"gaze.camera_facing_share": share})
    finish_analysis(take, report.model_copy(update={"gaze_zero": zero}))
    html = page_of(take, trainee, sign_in)
    assert words in html
    assert "about 1.2 degrees" in html


def test_where_no_rule_has_anything_to_say_nothing_is_invented(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    quiet = Measurement.model_validate(
        {
            "value": 2,
            "unit": "per minute",
            "n": 6,
            "coverage": 0.9,
            "quality": "good",
            "interval": [1, 3],
        }
    )
    finish_analysis(take, make_report(**{"fillers.filled_pauses_per_minute": quiet}))
    run = latest_report_run(take)
    assert run is not None
    page = report_page(take, run, reader=trainee)
    assert page.cards == ()
    assert page.neutral
    assert page.trying is not None
    html = page_of(take, trainee, sign_in)
    assert "<h2>Worth trying</h2>" in html
    assert page.trying.title in html


def test_the_recording_is_told_under_what_could_not_be_measured(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    clipped = Measurement(value=0.05, unit="share", n=900, coverage=0.9, quality=Quality.GOOD)
    finish_analysis(take, make_report(**{"signal.clipping_share": clipped}))
    run = latest_report_run(take)
    assert run is not None
    page = report_page(take, run, reader=trainee)
    assert [card.quality for card in page.cards] == ["Fluency"]
    [advice] = page.left_out.recording
    assert advice.title not in {item.title for item in page.left_out.items}
    html = page_of(take, trainee, sign_in)
    drawer = html.partition("What we could not measure")[2].partition("</details>")[0]
    assert advice.title in drawer


def test_praise_of_the_whole_stands_after_what_to_work_on_first(
    trainee: User, cohort: Cohort
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort, time_limit=180)
    seconds = Measurement(value=170, unit="s", n=1, coverage=1, quality=Quality.GOOD)
    finish_analysis(take, make_report(**{"signal.talk_seconds": seconds}))
    run = latest_report_run(take)
    assert run is not None
    page = report_page(take, run, reader=trainee)
    assert [card.heading for card in page.cards] == ["Work on this first", "Keep"]


def test_being_over_time_is_said_once(trainee: User, cohort: Cohort, sign_in: SignIn) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort, duration=180.0, time_limit=120)
    finish_analysis(take, make_report())
    html = page_of(take, trainee, sign_in)
    assert "over your time limit" in html
    assert "<dt data-named>Time limit:</dt><dd>2:00</dd>" in html
    seconds = Measurement(value=178, unit="s", n=1, coverage=1, quality=Quality.GOOD)
    finish_analysis(take, make_report(**{"signal.talk_seconds": seconds}))
    run = latest_report_run(take)
    assert run is not None
    page = report_page(take, run, reader=trainee)
    assert "your time was up" in page.cards[0].claim
    assert not page.notices


def test_what_can_only_be_said_of_the_whole_talk_says_so(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    level = Measurement(
        value=0.08, unit="ratio", n=18, coverage=0.9, quality=Quality.GOOD, interval=(0.07, 0.09)
    )
    few = Measurement(
        value=2, unit="per minute", n=6, coverage=0.9, quality=Quality.GOOD, interval=(1, 3)
    )
    found = {"pitch.variation_quotient": level, "fillers.filled_pauses_per_minute": few}
    finish_analysis(take, make_report(**found))
    run = latest_report_run(take)
    assert run is not None
    card = report_page(take, run, reader=trainee).cards[0]
    assert (card.clips, card.is_about_talk) == ((), True)
    assert "Measured over the whole talk." in page_of(take, trainee, sign_in)


def test_drafting_again_gives_the_same_bytes(take: Rehearsal) -> None:
    first = take.feedback.get()
    second = finish_analysis(take)
    assert first.draft == second.draft


def test_in_a_coach_first_group_nothing_is_shown_before_release(
    take: Rehearsal, cohort: Cohort, trainee: User, coach: User, sign_in: SignIn
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    claim = _without_times(take.feedback.get().items.get())
    assert claim not in page_of(take, trainee, sign_in)
    assert "a coach reviews the feedback first" in page_of(take, trainee, sign_in)
    send_to_coach(rehearsal=take, note="")
    assert claim not in page_of(take, trainee, sign_in)
    data = sign_in(trainee).get(reverse("portal:own_data")).getvalue().decode()
    assert claim not in data
    # As long as a coach can: where the last one has left, nobody waits for ever.
    coach.memberships.all().delete()
    assert claim in page_of(take, trainee, sign_in)


def test_the_only_coach_of_a_group_reads_their_own_take_at_once(
    take: Rehearsal, cohort: Cohort, trainee: User, coach: User, sign_in: SignIn
) -> None:
    """Nobody answers their own takes, so they would wait for themselves."""
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    trainee.roles = [Role.TRAINEE, Role.COACH]
    trainee.save(update_fields=["roles"])
    trainee.memberships.create(cohort=cohort, role=Role.COACH)
    claim = _without_times(take.feedback.get().items.get())
    assert claim not in page_of(take, trainee, sign_in)  # Bea is there, too
    coach.memberships.all().delete()
    page = page_of(take, trainee, sign_in)
    assert claim in page
    assert "You are the only coach of your group" in page
    with pytest.raises(ValidationError):
        send_to_coach(rehearsal=take, note="")


def test_in_a_coach_first_group_no_measure_and_no_timeline_is_shown_before_release(
    draft: Feedback, cohort: Cohort, trainee: User, coach: User, sign_in: SignIn
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    take = Rehearsal.objects.get(pk=draft.rehearsal_id)
    from_the_analysis = ("All measures", 'id="transcript-title"', "Not shown")
    html = page_of(take, trainee, sign_in)
    assert not [words for words in from_the_analysis if words in html]
    assert "<video" in html
    run = latest_report_run(take)
    assert run is not None
    page = report_page(take, run, reader=trainee)
    assert (page.measures, page.lanes, page.sentences, page.not_measured) == ((), (), (), ())
    assert not page.plain_facts
    assert report_page(take, run, reader=coach).measures
    decide_on_item(item=draft.items.get(), coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    html = page_of(take, trainee, sign_in)
    assert [words for words in from_the_analysis if words in html] == list(from_the_analysis)


def test_a_coach_who_has_answered_is_not_called_somebody_who_could_see_more(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    draft.items.filter(tone="strength").delete()
    no_strength = "No strength was clear enough in the measurements"
    assert no_strength in page_of(draft.rehearsal, trainee, sign_in)
    for item in draft.items.all():
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)
    release_feedback(feedback=draft, coach=coach)
    assert no_strength not in page_of(draft.rehearsal, trainee, sign_in)


def test_where_there_is_nothing_to_say_it_is_said_in_the_language_of_the_reader(
    take: Rehearsal, trainee: User
) -> None:
    take.feedback.get().items.all().delete()
    run = latest_report_run(take)
    assert run is not None
    assert report_page(take, run, reader=trainee).neutral == nothing_found("en")
    with translation.override("fr"):
        assert report_page(take, run, reader=trainee).neutral == nothing_found("fr")


def test_what_a_card_says_of_the_talk_names_its_language_for_whoever_reads_in_another(
    draft: Feedback, trainee: User, sign_in: SignIn
) -> None:
    item = draft.items.get()
    item.document["language"] = "en"
    item.save()
    trainee.language = "fr"
    trainee.save()
    html = page_of(draft.rehearsal, trainee, sign_in)
    assert f'id="claim-{item.pk}" lang="en">{_without_times(item)}' in html
    assert '<p class="card__why" lang="en">' in html
    assert '<html lang="fr"' in html


def test_only_released_feedback_replaces_what_the_trainee_reads(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    from_draft = _without_times(draft.items.get())
    html = page_of(draft.rehearsal, trainee, sign_in)
    assert "Sent to your coach" in html
    assert from_draft in html
    item = draft.items.get()
    reworded = {"claim": "You said um before most names."}
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=reworded)
    own = CoachItem(
        tone="strength",
        quality="structure",
        claim="You opened with a question.",
        suggestion="",
        clips=((1.0, 5.0),),
    )
    add_coach_item(feedback=draft, coach=coach, words=own)
    before = page_of(draft.rehearsal, trainee, sign_in)
    assert from_draft in before
    for unreleased in ("You said um before most names.", "You opened with a question.", "Bea"):
        assert not says(before.split('class="more"')[0], unreleased)
    mine = sign_in(trainee).get(reverse("portal:own_data")).getvalue().decode()
    assert "You opened with a question." not in mine
    release_feedback(feedback=draft, coach=coach)
    after = page_of(draft.rehearsal, trainee, sign_in)
    assert "You said um before most names." in after
    assert "You opened with a question." in after


def test_an_item_can_be_disputed_and_the_coach_sees_it(
    draft: Feedback, trainee: User, coach: User, sign_in: SignIn
) -> None:
    item = draft.items.get()
    url = reverse("feedback:dispute", args=[draft.rehearsal_id, item.pk])
    sign_in(trainee).post(url, {"reason": "not_right", "note": "I was quoting."})
    assert item.disputes.get().reason == "not_right"
    sign_in(trainee).post(url, {"reason": "not_helpful", "note": ""})
    assert item.disputes.get().reason == "not_helpful"
    desk = sign_in(coach).get(reverse("review:desk", args=[draft.rehearsal_id])).content.decode()
    assert "Ana disagrees" in desk
    assert "Right, but it does not help me." in desk


def test_a_caption_never_ends_at_sixty_seconds() -> None:
    words = (Word(text="late", start=59.2, end=59.9997, probability=0.9),)
    report = make_report().model_copy(update={"words": words})
    assert "00:00:59.200 --> 00:01:00.000" in captions(report)


def test_the_captions_are_webvtt(take: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    response = sign_in(trainee).get(reverse("feedback:captions", args=[take.pk]))
    assert response.headers["Content-Type"].startswith("text/vtt")
    text = response.content.decode()
    assert text.startswith("WEBVTT\n\n00:00:00.000 --> ")


def test_no_overall_score_and_no_number_without_its_meaning_on_the_first_screen(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    html = page_of(take, trainee, sign_in)
    assert not re.search(r"\b\d+\s*/\s*(10|100)\b", html)
    assert "score" not in html.lower().replace("underscore", "")


@pytest.mark.parametrize("minutes", [3, 30])
def test_a_long_talk_costs_few_queries_and_few_bytes(
    trainee: User, cohort: Cohort, sign_in: SignIn, minutes: int
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort, duration=minutes * 60.0)
    finish_analysis(take, make_report(duration=minutes * 60.0))
    client = sign_in(trainee)
    url = reverse("feedback:report", args=[take.pk])
    with CaptureQueriesContext(
        connection,
    ) as queries:
        html = client.get(url).content
    assert len(queries) <= 25
    assert len(html) <= 300_000


def test_only_its_owner_is_told_where_a_take_lies_and_what_to_do_with_it(
    coach: User, sign_in: SignIn
) -> None:
    owner = UserFactory(roles=[Role.TRAINEE])
    take = RehearsalFactory(owner=owner, cohort=None)
    finish_analysis(take, make_report())
    AccessGrant.objects.create(rehearsal=take, user=coach)
    owners = ("Who has opened this take", "Keep or delete this take", "You are not in a group")
    html = page_of(take, coach, sign_in)
    assert "Not shown" in html
    assert not [words for words in owners if words in html]
    html = page_of(take, owner, sign_in)
    assert not [words for words in owners if words not in html]


def _without_times(item: Item) -> str:
    """Of the claim what a page says of it: its times stand on the chips under it."""
    return str(item.document["claim"]).partition(" (")[0]

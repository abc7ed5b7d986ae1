"""What somebody who tried the product stumbled over, and should not again."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils.translation import override

from analysis.results import Event, Measurement, Reason, Report, Skipped, Word
from coach.accounts.models import Cohort, User
from coach.feedback.models import Dispute, Feedback, Item, Verdict
from coach.feedback.pages.timeline import lanes
from coach.feedback.pages.transcript import transcript
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import withdraw_from_coach
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report
from tests.coach.feedback.report_pages import page_of


def released(feedback: Feedback, coach: User) -> None:
    for item in Item.objects.filter(feedback=feedback):
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="unimportant")
    release_feedback(feedback=feedback, coach=coach)


def test_rehearsing_it_again_keeps_what_was_said_about_the_talk(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(
        owner=trainee,
        cohort=cohort,
        title="Thesis <in> 3 minutes",
        aim="persuade",
        audience="public",
        setting="stage",
        language="fr",
        time_limit=150.0,
        goal="fluency",
        camera_position="above",
        shows_slides=True,
    )
    finish_analysis(take)
    link = re.search(r'href="([^"]+\?again=[^"]+)"', page_of(take, trainee, sign_in))
    assert link
    form = sign_in(trainee).get(link[1]).context["form"]
    for name in ("title", "aim", "audience", "setting", "language", "goal", "camera_position"):
        assert form[name].value() == getattr(take, name)
    assert form["time_limit_minutes"].value() == 2.5
    assert form["shows_slides"].value() is True
    assert form["looks_into_lens_first"].value() is False


def test_a_take_that_was_recorded_here_is_rehearsed_again_beside_the_recorder(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort, capture={"picture": True})
    finish_analysis(take)
    recorder = f"{reverse('feedback:record')}?again={take.pk}"
    assert f'href="{recorder}">Record again' in page_of(take, trainee, sign_in)
    home = sign_in(trainee).get(reverse("feedback:takes")).content.decode()
    assert f'href="{recorder}">Record again' in home
    # Who has a file this time goes on from there, with the same answers.
    files = f"{reverse('feedback:new')}?again={take.pk}"
    assert f'href="{files}"' in sign_in(trainee).get(recorder).content.decode()


@pytest.mark.parametrize("named", ["", "nonsense", "00000000-0000-4000-8000-000000000000"])
def test_an_address_that_names_no_take_of_ones_own_opens_the_empty_form(
    named: str, trainee: User, sign_in: SignIn
) -> None:
    page = sign_in(trainee).get(reverse("feedback:new"), {"again": named})
    assert not page.context["form"]["title"].value()


def test_nobody_learns_what_somebody_elses_take_is_about(
    take: Rehearsal, stranger: User, sign_in: SignIn
) -> None:
    page = sign_in(stranger).get(reverse("feedback:new"), {"again": take.pk})
    assert take.title not in page.content.decode()


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [("5;02", "1:30", "Write the time"), ("2:30", "9:59", "The recording ends at")],
)
def test_a_refused_part_stays_open_with_what_was_typed(
    start: str, end: str, words: str, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    response = sign_in(trainee).post(
        reverse("feedback:part", args=[take.pk]),
        {"start_1": start, "end_1": end, "start_2": "1:40"},
    )
    assert response.status_code == 422
    page = response.content.decode()
    box = page[page.index('id="my-part"') :]
    assert box.startswith('id="my-part" open>')
    assert words in box
    for typed in (start, end, "1:40"):
        assert f'value="{typed}"' in box
    assert box.count('aria-invalid="true"') == 1


def test_what_a_coach_rejected_no_longer_waits_for_one(
    trainee: User, cohort: Cohort, coach: User, sign_in: SignIn
) -> None:
    report = make_report()
    sway = next(iter(report.measurements.values())).model_copy(
        update={"value": 0.3, "unit": "shoulder widths", "n": 900, "interval": None}
    )
    feedback = finish_analysis(
        RehearsalFactory(owner=trainee, cohort=cohort),
        make_report(**{"posture.sway_shoulder_widths": sway}),
    )
    assert "needs a coach" in page_of(feedback.rehearsal, trainee, sign_in)
    released(feedback, coach)
    assert "needs a coach" not in page_of(feedback.rehearsal, trainee, sign_in)


def test_an_answered_take_that_was_taken_back_is_not_sent_into_the_void(
    sent: Rehearsal, coach: User, trainee: User, sign_in: SignIn
) -> None:
    released(sent.feedback.get(), coach)
    withdraw_from_coach(rehearsal=sent)
    page = page_of(sent, trainee, sign_in)
    assert reverse("feedback:send", args=[sent.pk]) not in page
    client = sign_in(trainee)
    page = client.post(reverse("feedback:send", args=[sent.pk]), follow=True).content.decode()
    assert "Your coach has already replied to this take." in page
    assert not sent.grants.filter(revoked_at=None).exists()


def test_a_disagreement_can_be_taken_back_where_it_stands(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    item = take.feedback.get().items.get()
    client = sign_in(trainee)
    noted = client.post(
        reverse("feedback:dispute", args=[take.pk, item.pk]), {"reason": "not_right"}
    )
    assert noted.headers["Location"].endswith(f"#card-{item.pk}")
    undo = reverse("feedback:undo_dispute", args=[take.pk, item.pk])
    assert undo in page_of(take, trainee, sign_in)
    for _press in range(2):
        assert client.post(undo).headers["Location"].endswith(f"#card-{item.pk}")
    assert not Dispute.objects.exists()
    assert "I disagree" in page_of(take, trainee, sign_in)


def test_a_coach_sees_a_disagreement_only_where_the_take_was_sent(
    take: Rehearsal, coach: User, trainee: User, sign_in: SignIn
) -> None:
    item = take.feedback.get().items.get()
    url = reverse("feedback:dispute", args=[take.pk, item.pk])
    page = sign_in(trainee).post(url, {"reason": "not_right"}, follow=True).content.decode()
    assert "Your coach will see it if you send this take." in page
    assert "Saved. Your coach will see it if you send this take." in page_of(take, trainee, sign_in)
    sign_in(trainee).post(reverse("feedback:send", args=[take.pk]))
    page = sign_in(trainee).post(url, {"reason": "not_right"}, follow=True).content.decode()
    assert "and your coach can see it." in page


def test_the_reasons_to_disagree_read_the_same_to_trainee_and_coach(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    page = page_of(take, trainee, sign_in)
    for code, words in Dispute.Reason.choices:
        assert f'name="reason" value="{code}" required> {words}</label>' in page


def test_what_could_not_be_measured_is_closed_and_counts_causes(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    page = page_of(take, trainee, sign_in)
    skipped = take.feedback.get().run.report.document["skipped"].values()
    drawer = re.search(
        r"<details([^>]*)>\s*<summary>What we could not measure.*?(\d+)<(.*?)</details>",
        page,
        re.DOTALL,
    )
    assert drawer
    assert "open" not in drawer[1]
    assert int(drawer[2]) == len({each["reason"] for each in skipped}) == drawer[3].count("<dt>")
    # A family that is missing whole is named as one.
    assert "Posture, Hands" in drawer[3]
    assert "Shoulder line" not in drawer[3]


def silent(report: Report) -> Report:
    media = report.media.model_copy(update={"audio": None})
    return report.model_copy(update={"media": media, "words": (), "speech": (), "events": ()})


def test_a_recording_without_sound_says_so_on_top(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    seen = {
        "gaze.camera_facing_share": Measurement(
            value=0.85, unit="share", n=900, coverage=0.95, quality="good", interval=(0.8, 0.9)
        ),
        "gaze.look_downs_per_minute": Measurement(
            value=0.5, unit="per minute", n=900, coverage=0.95, quality="good"
        ),
        "gaze.look_aways_per_minute": Measurement(
            value=0.5, unit="per minute", n=900, coverage=0.95, quality="good"
        ),
        "gaze.opening_facing_share": Measurement(
            value=0.9, unit="share", n=90, coverage=0.95, quality="good"
        ),
    }
    finish_analysis(take, silent(make_report(**seen)))
    page = page_of(take, trainee, sign_in)
    assert "of the recording" in page
    assert "This recording has no sound" in page
    assert page.index("This recording has no sound") < page.index('id="player"')
    assert "speaking time" not in page


def test_a_take_without_a_picture_says_so_under_its_sound_and_as_no_fault(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    report = make_report()
    heard = report.media.model_copy(update={"video": None})
    finish_analysis(take, report.model_copy(update={"media": heard}))
    page = page_of(take, trainee, sign_in)
    said = page.index("This take is audio only")
    assert page.index('id="player"') < said < page.index('id="cards-title"')
    assert 'class="notice' not in page[: page.index('id="player"')]


def test_a_take_in_which_nobody_is_heard_says_so_on_top(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    report = make_report()
    silent = {each: Skipped.because(Reason.NO_SPEECH, "no_speech_found") for each in report.skipped}
    nothing = {"words": (), "speech": (), "events": (), "measurements": {}, "skipped": silent}
    finish_analysis(take, report.model_copy(update=nothing))
    page = page_of(take, trainee, sign_in)
    assert page.index("We heard no speech in this recording") < page.index('id="player"')
    assert "Nothing in this take stood out" not in page
    assert "Record another take" not in page
    assert "Worth trying" not in page


def test_marks_say_when_and_for_how_long() -> None:
    report = make_report()
    events = (
        Event(kind="silent_pause", start=4.0, end=4.64, probability=0.9, label="medium"),
        Event(kind="look_away", start=12.0, end=13.0, probability=0.9, label="closed"),
    )
    drawn = lanes(report.model_copy(update={"events": events}))
    words = [mark.label for lane in drawn for mark in lane.marks]
    assert words == ["0:04, 0.6 s", "0:12, eyes closed"]


def test_the_day_of_a_file_is_not_passed_off_as_the_day_of_the_talk(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    """A file of last year that is sent today was “recorded” today."""
    take = RehearsalFactory(owner=trainee, cohort=cohort)
    finish_analysis(take)
    page = page_of(take, trainee, sign_in)
    assert "<dt>Added</dt>" in page
    assert "<dt>Recorded</dt>" not in page


def test_where_somebody_looked_is_said_in_the_language_of_the_page() -> None:
    """“Looks away: side at 0:00” stood on the report, in French pages as well."""
    wheres = ("down", "up", "side", "screen", "closed", "unseen")
    events = tuple(
        Event(kind="look_away", start=10.0 * at, end=10.0 * at + 1, probability=0.9, label=where)
        for at, where in enumerate(wheres)
    )
    with override("fr"):
        drawn = lanes(make_report().model_copy(update={"events": events}))
        words = [mark.label for lane in drawn for mark in lane.marks]
    assert words[2] == "0:20, de côté"
    assert not [each for each, where in zip(words, wheres, strict=True) if where in each]


@pytest.mark.parametrize(("seconds", "is_short"), [(60.0, True), (4800.0, False)])
def test_a_take_that_is_long_enough_is_not_asked_to_be_longer(
    trainee: User, cohort: Cohort, sign_in: SignIn, seconds: float, is_short: bool
) -> None:
    take = RehearsalFactory(owner=trainee, cohort=cohort, duration=seconds)
    report = make_report(duration=seconds)
    finish_analysis(take, report.model_copy(update={"events": (), "measurements": {}}))
    page = page_of(take, trainee, sign_in)
    assert "Record another take when you like" in page
    assert ("90 seconds or more" in page) is is_short


def test_the_transcript_says_where_speech_was_heard_and_nothing_written_down() -> None:
    """A French talk lost twenty seconds of its words, and read as if nothing was missing."""
    spoken = [("Bonjour.", 0.6, 1.0), ("Je", 1.4, 1.6), ("lis.", 1.6, 2.0), ("Merci.", 22.0, 22.5)]
    words = tuple(Word(text=t, start=a, end=b, probability=0.9) for t, a, b in spoken)
    speech = ((0.6, 2.0), (4.0, 9.0), (10.0, 20.0), (22.0, 22.5))
    report = make_report().model_copy(update={"words": words, "speech": speech, "events": ()})
    lines = [[word.text for word in line.words] for line in transcript(report)]
    missing = "[about 15 s of speech not transcribed]"
    assert lines == [["Bonjour."], ["Je", "lis.", missing], ["Merci."]]
    whole = report.model_copy(update={"speech": ((0.6, 2.3), (21.6, 22.5))})
    assert not any("not written" in word.text for line in transcript(whole) for word in line.words)

"""A span of a take is done again and laid beside the first; it is no take, and only its owner's."""

from __future__ import annotations

from html import unescape
from io import BytesIO
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.results import Measurement, Reason, Skipped
from coach.accounts.models import Cohort, Policy, Purpose, User
from coach.accounts.selectors import has_consent
from coach.accounts.services import withdraw_consent
from coach.audit.models import Entry
from coach.feedback.models import Feedback, Run
from coach.feedback.reports import store_report
from coach.feedback.selectors import talks_for
from coach.portal.personal.archive import archive_of
from coach.portal.personal.own_data import own_data
from coach.practice.cards import card_now
from coach.practice.models import SpanAgain
from coach.practice.redo.focus import all_but
from coach.practice.redo.services import begin_span, delete_span, hand_in_again, try_once_more
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.services import delete_rehearsal, remove_recording
from coach.rehearsals.sweeping import reconcile_storage
from coach.rehearsals.talk_context import context_of_take
from coach.uploads.services import UploadGone, finish_upload
from coach.uploads.storing import submit_rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import arrived, folder_of, make_report
from tests.coach.practice.takes import UMS as METRIC
from tests.coach.practice.takes import choosing


def rate(value: float, low: float, high: float) -> Measurement:
    return Measurement(
        value=value, unit="per minute", n=9, coverage=0.9, quality="poor", interval=(low, high)
    )


def recorded(owner: User) -> Upload:
    upload = Upload.objects.create(owner=owner, name="again.webm", expected_bytes=5)
    arrived(upload).parent.mkdir(parents=True, exist_ok=True)
    arrived(upload).write_bytes(b"again")
    finish_upload(upload=upload, received_bytes=5, sha256="cd" * 32, complete=True)
    return upload


def finish(rehearsal: Rehearsal, measured: Measurement) -> None:
    """Its run is done, as workers leave it: a report and no draft."""
    run = rehearsal.runs.get()
    store_report(run, make_report(duration=30.0, **{METRIC: measured}))
    run.stages.update(state="done")
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished_at=timezone.now())


@pytest.fixture
def span(take: Rehearsal) -> SpanAgain:
    item = take.feedback.get().items.get()
    return begin_span(take=take, start=10.0, end=70.0, metric=METRIC, item=item)


@pytest.fixture
def again(span: SpanAgain, trainee: User) -> Rehearsal:
    return hand_in_again(span=span, upload=recorded(trainee))


@pytest.fixture
def compared(span: SpanAgain, again: Rehearsal) -> SpanAgain:
    finish(span.before, rate(9.0, 7.5, 11.0))
    finish(again, rate(3.0, 2.0, 4.5))
    span.refresh_from_db()
    return span


def test_both_sides_measure_the_focus_alone_and_the_first_borrows_the_recording(
    span: SpanAgain, again: Rehearsal, take: Rehearsal
) -> None:
    before = span.before
    assert (before.kind, again.kind) == (Kind.BEFORE, Kind.AGAIN)
    assert before.recording_id == take.pk
    assert (before.part_start, before.part_end) == (10.0, 70.0)
    assert not folder_of(before).exists()
    for side in (before, again):
        options = side.runs.get().options
        assert "fillers" not in options["disabled_families"]
        assert {"pitch", "gaze", "wording"} <= set(options["disabled_families"])
    assert not before.runs.get().stages.filter(name="playback").exists()
    assert set(all_but(METRIC)) == set(before.disabled_families)


def test_who_records_it_reads_what_to_try(span: SpanAgain, trainee: User, sign_in: SignIn) -> None:
    assert span.item is not None
    card = card_now(span.item)
    page = unescape(sign_in(trainee).get(reverse("practice:span", args=[span.pk])).content.decode())
    assert card.suggestion in page
    assert card.claim.partition(" (")[0] not in page


def test_it_is_counted_among_no_takes(again: Rehearsal, take: Rehearsal, trainee: User) -> None:
    assert list(Rehearsal.objects.all()) == [take]
    [talk] = talks_for(trainee, takes=9)
    assert talk.newest_takes == [take]  # type: ignore[attr-defined]
    assert Feedback.objects.count() == 1
    assert again.pk != take.pk


def test_the_page_says_what_changed_and_plays_both(
    compared: SpanAgain, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    page = client.get(reverse("practice:span", args=[compared.pk])).content.decode()
    assert "It went down by more than the measurement error." in page
    assert "This recording measures only: " in page
    assert f"{reverse('rehearsals:media', args=[compared.take_id])}#t=10.0,70.0" in page
    assert compared.after is not None
    media = client.get(reverse("rehearsals:media", args=[compared.after.pk]))
    assert b"".join(media) == b"again"  # type: ignore[arg-type]
    report = client.get(reverse("feedback:report", args=[compared.take_id])).content.decode()
    assert "0:10 to 1:10" in report


def finish_with(rehearsal: Rehearsal, measured: Measurement, ums: int) -> None:
    """As `finish`, with so many ums marked."""
    run = rehearsal.runs.get()
    report = make_report(duration=60.0, **{METRIC: measured})
    store_report(run, report.model_copy(update={"events": report.events[:ums]}))
    run.stages.update(state="done")
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished_at=timezone.now())


@pytest.mark.parametrize(
    ("now", "measured", "said"),
    [
        (1, (1.0, 0.1, 3.9), "3 ums before, 1 now; too few to say that this changed."),
        (3, (3.0, 1.1, 6.7), "3 ums before, 3 now."),
    ],
)
def test_the_plain_counts_are_told_also_where_no_change_can_be(
    span: SpanAgain,
    again: Rehearsal,
    trainee: User,
    sign_in: SignIn,
    now: int,
    measured: tuple[float, float, float],
    said: str,
) -> None:
    finish_with(span.before, rate(3.0, 1.1, 6.7), 3)
    finish_with(again, rate(*measured), now)
    page = sign_in(trainee).get(reverse("practice:span", args=[span.pk])).content.decode()
    assert said in page
    assert page.count('class="side__media"') == 2


def test_while_it_is_measured_the_page_says_how_far_it_is(
    span: SpanAgain, again: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    assert "% done" in client.get(reverse("practice:span", args=[span.pk])).content.decode()
    now = reverse("practice:span_now", args=[span.pk])
    assert "HX-Refresh" not in client.get(now).headers
    finish(span.before, rate(9.0, 7.5, 11.0))
    finish(again, rate(3.0, 2.0, 4.5))
    assert client.get(now).headers["HX-Refresh"] == "true"


def test_nothing_is_compared_with_what_is_open_above(
    span: SpanAgain, again: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    finish(span.before, rate(14.0, 8.0, 365.0))
    finish(again, rate(1.0, 0.2, 2.5))
    page = sign_in(trainee).get(reverse("practice:span", args=[span.pk])).content.decode()
    assert "One of the two recordings is too uncertain to compare." in page
    assert "at least about 8.0 per minute (we do not know how many we missed)" in page
    assert "365" not in page


def test_nothing_is_compared_where_the_browser_worked_on_one_sound_alone(
    compared: SpanAgain, trainee: User, sign_in: SignIn
) -> None:
    raw = {"echo_cancellation": False, "noise_suppression": False, "auto_gain_control": False}
    sides = Rehearsal.any_kind.filter(pk__in=[compared.before_id, compared.after_id])
    sides.update(capture=raw)
    page = reverse("practice:span", args=[compared.pk])
    assert "It went down by more" in sign_in(trainee).get(page).content.decode()
    sides.filter(pk=compared.after_id).update(capture={**raw, "noise_suppression": True})
    shown = sign_in(trainee).get(page).content.decode()
    assert "It went down by more" not in shown
    assert "The browser processed the sound of only one of the two recordings" in shown


def test_what_could_not_be_measured_is_no_change(
    span: SpanAgain, again: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    finish(span.before, rate(9.0, 7.5, 11.0))
    finish(again, rate(3.0, 2.0, 4.5))
    again.runs.get().report.measured.filter(metric=METRIC).update(value=None, reason="no_speech")
    page = sign_in(trainee).get(reverse("practice:span", args=[span.pk])).content.decode()
    assert "We cannot tell whether this changed." in page
    assert "We heard no speech" in page


def test_where_a_stretch_is_short_the_page_says_of_what_there_was_how_much(
    span: SpanAgain, again: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    finish(again, rate(3.0, 2.0, 4.5))
    few = Skipped.because(Reason.TOO_SHORT, "few_sentence_ends", count=4, needed=8)
    report = make_report(duration=30.0)
    kept = {name: each for name, each in report.measurements.items() if name != METRIC}
    short = report.model_copy(
        update={"measurements": kept, "skipped": {**report.skipped, METRIC: few}}
    )
    run = span.before.runs.get()
    store_report(run, short)
    run.stages.update(state="done")
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished_at=timezone.now())
    page = sign_in(trainee).get(reverse("practice:span", args=[span.pk])).content.decode()
    assert (
        "The recording is short for this measure. Sentence ends found: 4; 8 are needed. "
        "A take of 90 s is usually enough." in page
    )


def test_from_the_card_to_recording(take: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    item = take.feedback.get().items.get()
    url = reverse("practice:choose_span", args=[take.pk])
    report = client.get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert f'href="{url}?card={item.pk}"' in report
    assert 'value="0:' in client.get(url, {"card": item.pk}).content.decode()
    answer = client.post(
        url, {"start": "0:10", "end": "1:10", "metric": METRIC, "card": str(item.pk)}
    )
    span = SpanAgain.objects.get()
    assert answer.headers["Location"] == reverse("practice:span", args=[span.pk])
    assert span.item == item
    page = client.get(answer.headers["Location"])
    assert page.headers["Permissions-Policy"] == "camera=(self), microphone=(self)"
    assert "data-hand-in" in page.content.decode()
    upload = recorded(trainee)
    client.post(reverse("practice:hand_in", args=[span.pk]), {"upload": str(upload.pk)})
    client.post(reverse("practice:hand_in", args=[span.pk]), {"upload": str(upload.pk)})
    assert Rehearsal.any_kind.filter(kind=Kind.AGAIN).count() == 1
    assert Entry.objects.filter(action="practice.span_redone").count() == 1


@pytest.mark.parametrize(
    ("start", "end", "metric"),
    [
        ("0:10", "0:15", METRIC),
        ("0:10", "2:30", METRIC),
        ("9:00", "9:30", METRIC),
        ("1:10", "0:10", METRIC),
        ("0:10", "1:10", "pace.end_rush_ratio"),
        ("soon", "1:10", METRIC),
    ],
)
def test_a_stretch_that_cannot_be_compared_is_refused_in_words(
    start: str, end: str, metric: str, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    url = reverse("practice:choose_span", args=[take.pk])
    answer = sign_in(trainee).post(url, {"start": start, "end": end, "metric": metric})
    assert answer.status_code == 422
    assert not SpanAgain.objects.exists()
    assert not Rehearsal.any_kind.exclude(kind=Kind.TAKE).exists()


@pytest.mark.usefixtures("coach")
def test_what_a_coach_reads_first_is_compared_afterwards(take: Rehearsal, cohort: Cohort) -> None:
    cohort.policy = Policy.COACH_FIRST
    cohort.save()
    take.refresh_from_db()
    with pytest.raises(ValidationError, match="reviews this take first"):
        begin_span(take=take, start=10.0, end=70.0, metric=METRIC)


def test_another_try_shares_what_was_measured_before(compared: SpanAgain) -> None:
    other = try_once_more(span=compared)
    assert other.before == compared.before
    delete_span(span=other)
    assert SpanAgain.objects.get() == compared
    assert Rehearsal.any_kind.filter(pk=compared.before_id).exists()


def test_deleting_a_try_removes_its_recording_and_leaves_the_take(
    compared: SpanAgain, trainee: User, sign_in: SignIn
) -> None:
    after = compared.after
    assert after is not None
    assert folder_of(after).exists()
    sign_in(trainee).post(reverse("practice:delete_span", args=[compared.pk]))
    assert not SpanAgain.objects.exists()
    assert list(Rehearsal.any_kind.all()) == [compared.take]
    assert folder_of(compared.take).exists()


@pytest.mark.django_db(transaction=True)
def test_deleting_the_take_removes_what_was_done_again(
    compared: SpanAgain, take: Rehearsal
) -> None:
    after = compared.after
    assert after is not None
    delete_rehearsal(rehearsal=take)
    assert not Rehearsal.any_kind.exists()
    assert not folder_of(after).exists()


@pytest.mark.django_db(transaction=True)
def test_when_the_recordings_time_is_over_that_of_the_span_is_too(
    compared: SpanAgain, take: Rehearsal
) -> None:
    after = compared.after
    assert after is not None
    remove_recording(rehearsal=take)
    after.refresh_from_db()
    assert after.media_removed_at is not None
    assert not (folder_of(after) / "original").exists()
    with pytest.raises(ValidationError, match="recording has been deleted"):
        try_once_more(span=compared)


def test_custody_keeps_it_and_misses_no_bytes_of_what_is_borrowed(compared: SpanAgain) -> None:
    assert compared.before_id not in reconcile_storage().missing
    assert compared.after is not None
    assert folder_of(compared.after).exists()


def test_it_is_handed_out(compared: SpanAgain, trainee: User) -> None:
    [take] = own_data(trainee)["rehearsals"]
    [told] = take["done_again"]
    assert (told["from"], told["to"], told["before"], told["now"]) == (10.0, 70.0, 9.0, 3.0)
    names = ZipFile(BytesIO(b"".join(archive_of(trainee)))).namelist()
    assert any("/again-" in name and name.endswith("recording.webm") for name in names)


def test_nobody_else_opens_any_of_it(
    compared: SpanAgain, stranger: User, coach: User, sign_in: SignIn
) -> None:
    assert compared.after is not None
    pages = [
        ("get", "practice:span", compared.pk),
        ("get", "practice:span_now", compared.pk),
        ("post", "practice:hand_in", compared.pk),
        ("post", "practice:once_more", compared.pk),
        ("post", "practice:delete_span", compared.pk),
        ("get", "rehearsals:media", compared.after.pk),
        ("get", "rehearsals:media", compared.before_id),
        ("get", "feedback:report", compared.after.pk),
    ]
    for method, name, key in pages:
        url = reverse(name, args=[key])
        assert getattr(Client(), method)(url).headers["Location"].startswith("/accounts/login/")
        assert getattr(sign_in(stranger), method)(url).status_code == 404, name
        assert getattr(sign_in(coach), method)(url).status_code in {403, 404}, name
    assert SpanAgain.objects.exists()


def test_an_upload_that_has_become_something_else_is_no_try(
    span: SpanAgain, take: Rehearsal, trainee: User
) -> None:
    upload = recorded(trainee)
    other = submit_rehearsal(
        owner=trainee, upload=upload, context=context_of_take(take), form_token=uuid4()
    )
    with pytest.raises(UploadGone):
        hand_in_again(span=span, upload=upload)
    span.refresh_from_db()
    assert span.after is None
    assert Rehearsal.objects.filter(pk=other.pk).exists()


def test_who_withdrew_their_consent_does_not_give_it_again_by_practising(
    span: SpanAgain, take: Rehearsal, trainee: User
) -> None:
    upload = recorded(trainee)
    withdraw_consent(user=trainee, purpose=Purpose.ANALYSIS)
    with pytest.raises(ValidationError, match="withdrew your consent"):
        hand_in_again(span=span, upload=upload)
    with pytest.raises(ValidationError, match="withdrew your consent"):
        begin_span(take=take, start=20.0, end=50.0, metric=METRIC)
    assert not has_consent(trainee, purpose=Purpose.ANALYSIS)
    upload.refresh_from_db()
    assert upload.rehearsal is None, "what was recorded waits"


def test_nothing_is_handed_in_once_the_recording_of_the_take_is_gone(
    span: SpanAgain, trainee: User
) -> None:
    Rehearsal.objects.filter(pk=span.take_id).update(media_removed_at=timezone.now())
    span = SpanAgain.objects.get(pk=span.pk)
    with pytest.raises(ValidationError, match="recording has been deleted"):
        hand_in_again(span=span, upload=recorded(trainee))


def test_the_page_says_so_where_the_recording_is_gone_and_asks_for_nothing(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    remove_recording(rehearsal=take)
    html = sign_in(trainee).get(choosing(take)).content.decode()
    assert "The recording has been deleted, so there is nothing to compare with." in html
    assert "Continue to recording" not in html
    assert reverse("feedback:report", args=[take.pk]) in html


def test_the_page_says_so_where_consent_was_withdrawn(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    withdraw_consent(user=trainee, purpose=Purpose.ANALYSIS)
    html = sign_in(trainee).get(choosing(take)).content.decode()
    assert "You withdrew your consent to analysis" in html
    assert "Continue to recording" not in html


@pytest.mark.usefixtures("coach")
def test_the_page_says_so_where_a_coach_reads_the_take_first(
    take: Rehearsal, trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    html = sign_in(trainee).get(choosing(take)).content.decode()
    assert "Your coach reviews this take first." in html
    assert "Continue to recording" not in html

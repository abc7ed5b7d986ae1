"""What a guest sees of one take and writes about it; the owner knows of all of it."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.corrections import correct_word
from coach.feedback.models import Feedback, Run, StoredReport
from coach.feedback.releases import release_feedback
from coach.feedback.reports import Played, played_in, report_of
from coach.guests.access import NAMES
from coach.guests.models import GuestComment, GuestLink
from coach.guests.services import COMMENTS_A_MINUTE, make_link
from coach.notices.models import Kind
from coach.notices.selectors import new_for
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import give_poster
from tests.coach.guests.coming_in import ON_THE_PAGE, come_in, inside, link_to
from tests.coach.review.deciding import settle


def test_a_guest_sees_recording_and_words_and_no_finding(take: Rehearsal) -> None:
    client, link = come_in(take)
    give_poster(take)
    page = client.get(inside("visit", link)).content.decode()
    assert "word1" in page
    for hidden in ("lanes", 'class="f"', 'class="u"', "card__claim", "8 a minute", "download "):
        assert hidden not in page
    assert 'controlslist="nodownload"' in page
    assert client.get(inside("media", link), **ON_THE_PAGE).getvalue() == b"0123456789"
    assert client.get(inside("captions", link)).content.startswith(b"WEBVTT")
    assert client.get(inside("poster", link)).getvalue() == b"a picture"


def test_what_needs_no_report_reads_none_and_plays_the_same(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    run = take.runs.get()
    assert played_in(run) == Played.of(report_of(run))
    for document in ({"words": []}, {"media": {**run.report.document["media"], "video": None}}):
        StoredReport.objects.update(document={**run.report.document, **document})
        again = Run.objects.get(pk=run.pk)
        assert played_in(again) == Played.of(report_of(again))
    client, link = come_in(take)
    with CaptureQueriesContext(connection) as captured:
        page = sign_in(trainee).get(reverse("guests:invite", args=[take.pk])).content.decode()
        said = client.post(
            inside("write", link), {"start": "0:05", "text": "Well put."}, HTTP_HX_REQUEST="true"
        ).content.decode()
    assert "<video" in page or "<audio" in page
    assert "Well put." in said
    assert "<html" not in said
    read = [each["sql"] for each in captured]
    assert not any(re.search(r'"feedback_storedreport"\."document"(,| FROM)', sql) for sql in read)


def test_the_recording_opens_in_the_player_and_not_as_a_page_of_its_own(take: Rehearsal) -> None:
    client, link = come_in(take)
    headers = {"sec-fetch-dest": "document"}
    assert client.get(inside("media", link), headers=headers).status_code == 404


def test_findings_are_shown_where_the_owner_says_so(take: Rehearsal) -> None:
    client, link = come_in(take, shows_findings=True)
    page = client.get(inside("visit", link)).content.decode()
    assert "card__claim" in page
    assert "lanes" in page


def test_what_a_coach_put_right_is_what_a_guest_reads_once_it_is_released(
    draft: Feedback, coach: User
) -> None:
    client, link = come_in(draft.rehearsal, shows_findings=True)
    correct_word(feedback=draft, coach=coach, start=5.0, before="word10", after="harbour")
    seen = [client.get(inside(name, link)).content.decode() for name in ("visit", "captions")]
    assert not [text for text in seen if "harbour" in text]
    settle(draft, coach)
    release_feedback(feedback=draft, coach=coach)
    seen = [client.get(inside(name, link)).content.decode() for name in ("visit", "captions")]
    assert all("harbour" in text and not re.search(r"\bword10\b", text) for text in seen)


def test_a_guest_opens_nothing_else(take: Rehearsal, sign_in: SignIn) -> None:
    client, _link = come_in(take)
    for name in ("feedback:report", "rehearsals:media", "guests:invite", "feedback:captions"):
        answer = client.get(reverse(name, args=[take.pk]))
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/accounts/login/")


def test_each_look_is_written_down_with_the_name_and_read_by_the_owner(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client, link = come_in(take)
    client.get(inside("visit", link))
    for _twice in range(2):
        client.get(inside("media", link), **ON_THE_PAGE).getvalue()
    assert list(take.viewings.order_by("pk").values_list("guest", "what")) == [
        ("Paul", "guest"),
        ("Paul", "recording"),
    ]
    owner = sign_in(trainee)
    for name, args in (("guests:invite", [take.pk]), ("feedback:report", [take.pk])):
        assert "Paul" in owner.get(reverse(name, args=args)).content.decode()
    assert "Paul, your guest" in owner.get(reverse("portal:privacy")).content.decode()


def test_a_comment_reaches_the_owner_and_nobody_else(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    client, link = come_in(sent)
    form = {"text": "Here I lost the thread.", "start": "1:05", "start_exact": "65.4"}
    client.post(inside("write", link), form)
    written = GuestComment.objects.get()
    assert (written.name, written.at_seconds) == ("Paul", 65.4)
    assert list(new_for(trainee).values_list("kind", flat=True)) == [Kind.GUEST]
    page = sign_in(trainee).get(reverse("guests:invite", args=[sent.pk])).content.decode()
    assert "Here I lost the thread." in page
    assert "1:05" in page
    assert new_for(trainee).count() == 0, "reading it is enough"
    assert sign_in(coach).get(reverse("guests:invite", args=[sent.pk])).status_code == 404
    other, other_link = come_in(sent)
    assert "Here I lost" not in other.get(inside("visit", other_link)).content.decode()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (
            GuestLink.Kind.COMMENT,
            "You can delete your comments in this browser while the link is open",
        ),
        (GuestLink.Kind.READ, "We delete this together with the take: when Ana deletes it"),
    ],
)
def test_before_they_give_a_name_guests_read_how_long_it_is_kept_and_how_it_goes(
    kind: str, words: str, take: Rehearsal
) -> None:
    link, token = make_link(
        rehearsal=take, maker=take.owner, meant_for="Paul", days=7, shows_findings=False
    )
    GuestLink.objects.filter(pk=link.pk).update(kind=kind)
    assert words in Client().get(reverse("guests:door", args=[token])).content.decode()


def test_a_guest_takes_back_what_they_wrote_and_nothing_of_others(take: Rehearsal) -> None:
    client, link = come_in(take)
    client.post(inside("write", link), {"text": "Good.", "start": "0:10"})
    written = GuestComment.objects.get()
    other, other_link = come_in(take)
    assert other.post(inside("take_back", other_link, written.pk)).status_code == 404
    assert other.post(inside("take_back", link, written.pk)).status_code == 404
    client.post(inside("take_back", link, written.pk))
    assert not GuestComment.objects.exists()


@pytest.mark.parametrize("form", [{"text": "", "start": "0:10"}, {"text": "Hm.", "start": "9:59"}])
def test_a_comment_needs_words_and_a_time_in_the_recording(
    form: dict[str, str], take: Rehearsal
) -> None:
    client, link = come_in(take)
    client.post(inside("write", link), form)
    assert not GuestComment.objects.exists()


def test_many_comments_at_once_are_held_up(take: Rehearsal) -> None:
    client, link = come_in(take)
    for number in range(COMMENTS_A_MINUTE + 1):
        client.post(inside("write", link), {"text": f"Comment {number}", "start": "0:10"})
    assert GuestComment.objects.count() == COMMENTS_A_MINUTE


def test_nobody_makes_names_up_until_their_own_looks_are_out_of_sight(take: Rehearsal) -> None:
    _link, token = link_to(take)
    door, most = reverse("guests:door", args=[token]), int(NAMES.partition("/")[0])
    client = Client()
    for number in range(most):
        assert client.post(door, {"name": f"Paul {number}"}).status_code == 302
        assert client.post(door, {"name": f"Paul {number}"}).status_code == 302
    refused = Client().post(door, {"name": "Somebody"})
    assert refused.status_code == 429
    assert "Many guests have just opened links from your network." in refused.content.decode()
    elsewhere = Client(REMOTE_ADDR="192.0.2.7").post(door, {"name": "Zoe"})
    assert elsewhere.status_code == 302

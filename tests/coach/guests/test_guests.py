"""A guest watches one take by a link, and nothing else; the owner knows of all of it."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.accounts.people import set_access
from coach.audit.models import Entry
from coach.feedback.corrections import correct_word
from coach.feedback.models import Feedback, Run, StoredReport
from coach.feedback.releases import release_feedback
from coach.feedback.reports import Played, played_in, report_of
from coach.guests.doors import NAMES
from coach.guests.models import GuestComment, GuestLink
from coach.guests.selectors import digest_of
from coach.guests.services import COMMENTS_A_MINUTE, let_coach_invite, make_link
from coach.lib.logs.discreet import without_keys
from coach.notices.models import Kind
from coach.notices.selectors import new_for
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import withdraw_from_coach
from tests.coach.conftest import SignIn
from tests.coach.factories import give_poster
from tests.coach.review.deciding import settle

ON_THE_PAGE = {"headers": {"sec-fetch-dest": "video"}}


def link_to(take: Rehearsal, *, shows_findings: bool = False) -> tuple[GuestLink, str]:
    return make_link(
        rehearsal=take, maker=take.owner, meant_for="Paul", days=7, shows_findings=shows_findings
    )


def come_in(take: Rehearsal, *, shows_findings: bool = False) -> tuple[Client, GuestLink]:
    """Paul, in a browser of his own, after the door."""
    link, token = link_to(take, shows_findings=shows_findings)
    client = Client()
    answer = client.post(reverse("guests:door", args=[token]), {"name": "Paul"})
    assert answer.headers["Location"] == reverse("guests:visit", args=[link.pk])
    return client, link


def inside(name: str, link: GuestLink, *more: object) -> str:
    return reverse(f"guests:{name}", args=[link.pk, *more])


def test_the_owner_makes_a_link_that_is_shown_once_and_kept_by_nobody(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    before = client.get(reverse("guests:invite", args=[take.pk])).text
    made = client.post(
        reverse("guests:make", args=[take.pk]), {"meant_for": "Paul", "days": "7"}
    ).content.decode()
    for heading in ("What guests wrote", "When guests looked"):
        assert (heading in before, heading in made) == (False, True), "nobody could before"
    found = re.search(r'value="http://[^"]+/guest/([^/"]+)/"', made)
    assert found is not None
    link = GuestLink.objects.get()
    assert link.digest == digest_of(found[1]) != found[1]
    again = client.get(reverse("guests:invite", args=[take.pk])).content.decode()
    assert found[1] not in again
    assert "Paul" in again
    # Shown this once: whoever does not see the page comes to it first, and hears so.
    field = re.search(r'<input id="fresh-link"[^>]*>', made)
    assert field is not None
    assert " autofocus " in field[0]
    assert 'aria-describedby="fresh-help"' in field[0]
    assert found[1] not in str(Entry.objects.get(action="guests.link_made").detail)


def test_the_secret_part_stands_in_no_log_and_no_later_address(take: Rehearsal) -> None:
    client, link = come_in(take)
    _link, token = link_to(take)
    line = f'"GET /guest/{token}/ HTTP/1.1"'
    assert token not in str(without_keys(line))
    assert str(link.pk) in str(without_keys(f"GET {inside('visit', link)} HTTP/1.1"))
    page = client.get(inside("visit", link))
    assert token not in page.content.decode()
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert page.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "no-store" in page.headers["Cache-Control"]


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
        (GuestLink.Kind.COMMENT, "you can take out what you wrote while the link is open"),
        (GuestLink.Kind.READ, "It goes with the rehearsal, when Ana deletes it"),
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


INSIDE = [
    ("get", "visit"),
    ("get", "media"),
    ("get", "poster"),
    ("get", "captions"),
    ("post", "write"),
]


@pytest.mark.parametrize("how", ["ended", "over", "never came in"])
def test_a_link_that_is_over_opens_nothing_from_that_moment_on(
    how: str, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client, link = come_in(take)
    if how == "ended":
        sign_in(trainee).post(reverse("guests:end", args=[take.pk, link.pk]))
    if how == "over":
        GuestLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    if how == "never came in":
        client = Client()
    for method, name in INSIDE:
        assert getattr(client, method)(inside(name, link)).status_code == 404
    assert client.post(inside("take_back", link, uuid4())).status_code == 404


def test_a_wrong_link_is_answered_like_one_that_is_over_and_not_many_can_be_tried(
    take: Rehearsal,
) -> None:
    link, token = link_to(take)
    client = Client()
    wrong = client.get(reverse("guests:door", args=["x" * 43]))
    GuestLink.objects.update(revoked_at=timezone.now())
    over = client.get(reverse("guests:door", args=[token]))
    for answer in (wrong, over):
        assert answer.status_code == 404
        assert "This link opens nothing" in answer.content.decode()
    GuestLink.objects.update(revoked_at=None)
    for number in range(20):
        client.get(reverse("guests:door", args=[f"{number:043d}"]))
    assert client.get(reverse("guests:door", args=[token])).status_code == 404
    assert link.digest == digest_of(token)


def test_nobody_makes_names_up_until_their_own_looks_are_out_of_sight(take: Rehearsal) -> None:
    _link, token = link_to(take)
    door, most = reverse("guests:door", args=[token]), int(NAMES.partition("/")[0])
    client = Client()
    for number in range(most):
        assert client.post(door, {"name": f"Paul {number}"}).status_code == 302
        assert client.post(door, {"name": f"Paul {number}"}).status_code == 302
    refused = Client().post(door, {"name": "Somebody"})
    assert refused.status_code == 429
    assert "Many have come in from here just now." in refused.content.decode()
    elsewhere = Client(REMOTE_ADDR="192.0.2.7").post(door, {"name": "Zoe"})
    assert elsewhere.status_code == 302


def test_strangers_end_no_links_and_remove_no_comments(
    sent: Rehearsal, coach: User, stranger: User, sign_in: SignIn
) -> None:
    client, link = come_in(sent)
    client.post(inside("write", link), {"text": "Good.", "start": "0:10"})
    written = GuestComment.objects.get()
    for person in (stranger, coach):
        other = sign_in(person)
        assert other.post(reverse("guests:end", args=[sent.pk, link.pk])).status_code == 404
        url = reverse("guests:remove", args=[sent.pk, written.pk])
        assert other.post(url).status_code == 404
    link.refresh_from_db()
    assert link.is_open()


def test_a_coach_invites_only_where_the_owner_lets_them_and_never_shows_findings(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    bea = sign_in(coach)
    make = reverse("guests:make", args=[sent.pk])
    form = {"meant_for": "Rosa", "days": "3", "shows_findings": "on"}
    assert bea.post(make, form).status_code == 404
    sign_in(trainee).post(reverse("guests:let_coach", args=[sent.pk]), {"wish": "give"})
    assert bea.post(make, form).status_code == 200
    link = GuestLink.objects.get()
    assert (link.made_by, link.shows_findings) == (coach, False)
    link_to(sent)
    page = bea.get(reverse("guests:invite", args=[sent.pk])).content.decode()
    assert "Rosa" in page
    assert "Paul" not in page, "a coach sees the links that they made"
    named = sign_in(trainee).get(reverse("guests:invite", args=[sent.pk])).content.decode()
    assert "Made by Bea" in named
    let_coach_invite(rehearsal=sent, may=False)
    link.refresh_from_db()
    assert not link.is_open()
    assert bea.get(reverse("guests:invite", args=[sent.pk])).status_code == 404


def test_links_go_with_the_take(take: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    client, link = come_in(take)
    sign_in(trainee).post(reverse("portal:delete_take", args=[take.pk]), {"confirm": "yes"})
    assert not GuestLink.objects.exists()
    assert client.get(inside("visit", link)).status_code == 404


def come_in_of_coach(sent: Rehearsal, coach: User) -> tuple[Client, GuestLink, str]:
    """Rosa, within, by a link that the coach made."""
    let_coach_invite(rehearsal=sent, may=True)
    link, token = make_link(
        rehearsal=sent, maker=coach, meant_for="Rosa", days=7, shows_findings=False
    )
    guest = Client()
    guest.post(reverse("guests:door", args=[token]), {"name": "Rosa"})
    assert guest.get(inside("visit", link)).status_code == 200
    return guest, link, token


def assert_shut(guest: Client, link: GuestLink, token: str) -> None:
    """Nothing opens any more, for who is within and for who comes to the door."""
    for name in ("visit", "media", "captions"):
        assert guest.get(inside(name, link), **ON_THE_PAGE).status_code == 404
    assert Client().get(reverse("guests:door", args=[token])).status_code == 404


def test_a_coachs_link_opens_no_more_than_the_coach_may(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    guest, link, token = come_in_of_coach(sent, coach)
    withdraw_from_coach(rehearsal=sent)
    assert_shut(guest, link, token)
    page = sign_in(trainee).get(reverse("guests:invite", args=[sent.pk])).content.decode()
    assert "Open until" not in page


@pytest.mark.parametrize("closed", ["ana@example.org", "bea@example.org"])
def test_a_closed_account_invites_nobody_and_nobody_is_invited_to_it(
    closed: str, sent: Rehearsal, coach: User
) -> None:
    guest, link, token = come_in_of_coach(sent, coach)
    set_access(person=User.objects.get(email=closed), may_sign_in=False, actor=None)
    assert_shut(guest, link, token)
    set_access(person=User.objects.get(email=closed), may_sign_in=True, actor=None)
    assert guest.get(inside("visit", link)).status_code == 200


def typed(page: str, name: str) -> str:
    """The element of a form that has this name."""
    return next(
        tag for tag in re.findall(r"<(?:input|select)[^>]*>", page) if f'name="{name}"' in tag
    )


@pytest.mark.parametrize(
    ("language", "problem", "above"),
    [
        ("en", "Say for whom the link is.", "Something needs another look"),
        ("fr", "Dites à qui le lien est destiné.", "Quelque chose demande un second regard"),
    ],
)
def test_a_link_for_nobody_is_refused_with_everything_that_was_chosen(
    language: str, problem: str, above: str, take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    User.objects.filter(pk=trainee.pk).update(language=language)
    chosen = {"meant_for": "  ", "days": "30", "shows_findings": "on"}
    answer = sign_in(trainee).post(reverse("guests:make", args=[take.pk]), chosen)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert not GuestLink.objects.exists()
    assert above in page
    assert f'id="make-meant_for_error"><li>{problem}' in page
    named = typed(page, "meant_for")
    assert 'aria-invalid="true"' in named
    assert 'aria-describedby="make-meant_for_error"' in named
    assert '<option value="30" selected>' in page
    assert " checked" in typed(page, "shows_findings")
    share = page[page.index('id="share-title"') :] if 'id="share-title"' in page else ""
    assert '<option value="30" selected>' not in share, "the other form is as it was"


def test_ten_links_are_enough_and_what_was_typed_comes_back(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    for number in range(10):
        make_link(
            rehearsal=take, maker=trainee, meant_for=str(number), days=1, shows_findings=False
        )
    chosen = {"meant_for": "Paul", "days": "3"}
    page = sign_in(trainee).post(reverse("guests:make", args=[take.pk]), chosen).content.decode()
    assert "Ten links to this take are open." in page
    assert 'value="Paul"' in typed(page, "meant_for")
    assert '<option value="3" selected>' in page

"""Links to a take: who makes and ends them, how long they open it, and what is refused."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.accounts.people import set_access
from coach.audit.models import Entry
from coach.guests.models import GuestComment, GuestLink
from coach.guests.selectors import digest_of
from coach.guests.services import let_coach_invite, make_link
from coach.lib.logs.discreet import without_keys
from coach.lib.web.reader_zone import COOKIE
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import withdraw_from_coach
from tests.coach.conftest import SignIn
from tests.coach.guests.coming_in import ON_THE_PAGE, come_in, inside, link_to


def test_the_owner_makes_a_link_that_is_shown_once_and_kept_by_nobody(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    client = sign_in(trainee)
    before = client.get(reverse("guests:invite", args=[take.pk])).text
    made = client.post(
        reverse("guests:make", args=[take.pk]), {"meant_for": "Paul", "days": "7"}
    ).content.decode()
    for heading in ("Comments from guests", "Visits by guests"):
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
        assert "This link does not work" in answer.content.decode()
    GuestLink.objects.update(revoked_at=None)
    for number in range(20):
        client.get(reverse("guests:door", args=[f"{number:043d}"]))
    assert client.get(reverse("guests:door", args=[token])).status_code == 404
    assert link.digest == digest_of(token)


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
    assert "Created by Bea" in named
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
        ("en", "Write the name of the guest.", "Please check the marked fields"),
        ("fr", "Dites à qui le lien est destiné.", "Vérifiez les champs signalés"),
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
    assert "This take already has ten open links." in page
    assert 'value="Paul"' in typed(page, "meant_for")
    assert '<option value="3" selected>' in page


def test_until_when_a_link_opens_is_said_with_whose_clock_that_is(take: Rehearsal) -> None:
    client, link = come_in(take)
    assert "Times: UTC" in client.get(inside("visit", link)).text
    client.cookies[COOKIE] = "Asia/Kathmandu"
    page = client.get(inside("visit", link)).text
    assert "Times:" not in page
    there = link.expires_at.astimezone(ZoneInfo("Asia/Kathmandu"))
    assert f"{there:%B %Y, %H:%M}" in page
    # A page without times needs none.
    assert "Times:" not in Client().get(reverse("portal:about")).text

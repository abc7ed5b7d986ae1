"""A link to read a report by: what its owner chose, until when, and each look is listed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Policy, User
from coach.audit.models import Entry
from coach.guests.models import GuestLink
from coach.guests.services import share_report
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import give_poster

ON_THE_PAGE = {"headers": {"sec-fetch-dest": "video"}}
ALL_OF_IT = ("word1", "lanes", "All measures")


def come_in(
    take: Rehearsal, *, with_recording: bool = False, shows_all: bool = False
) -> tuple[Client, GuestLink]:
    """Rosa, in a browser of her own, after the door."""
    link, token = share_report(
        rehearsal=take, meant_for="Rosa", days=7, with_recording=with_recording, shows_all=shows_all
    )
    client = Client()
    client.post(reverse("guests:door", args=[token]), {"name": "Rosa"})
    return client, link


def inside(name: str, link: GuestLink) -> str:
    return reverse(f"guests:{name}", args=[link.pk])


def test_the_cards_alone_are_the_cards_alone(take: Rehearsal) -> None:
    client, link = come_in(take)
    give_poster(take)
    page = client.get(inside("visit", link)).content.decode()
    assert "card__claim" in page
    for hidden in (*ALL_OF_IT, "<video", "<audio", "data-clip"):
        assert hidden not in page
    for name in ("media", "poster", "captions"):
        assert client.get(inside(name, link), **ON_THE_PAGE).status_code == 404


@pytest.mark.parametrize("with_recording", [True, False])
def test_all_of_it_is_timeline_transcript_and_measures(
    with_recording: bool, take: Rehearsal
) -> None:
    client, link = come_in(take, shows_all=True, with_recording=with_recording)
    page = client.get(inside("visit", link)).content.decode()
    for shown in ALL_OF_IT:
        assert shown in page
    assert ("data-player" in page) is with_recording
    played = client.get(inside("media", link), **ON_THE_PAGE)
    assert played.status_code == (200 if with_recording else 404)
    assert bool(played.getvalue() == b"0123456789") is with_recording


def test_a_reader_writes_nothing_and_finds_no_way_further_in(take: Rehearsal) -> None:
    client, link = come_in(take, shows_all=True, with_recording=True)
    page = client.get(inside("visit", link)).content.decode()
    for own in ("I disagree", "Send to my coach", "Delete take for good", "data-note-form"):
        assert own not in page
    answer = client.post(inside("write", link), {"text": "Hm.", "start": "0:10"})
    assert answer.status_code == 404
    assert client.get(reverse("feedback:report", args=[take.pk])).status_code == 302


def test_the_owner_makes_it_reads_who_looked_and_ends_it(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    owner = sign_in(trainee)
    form = {"meant_for": "Rosa", "days": "3", "what": "all"}
    made = owner.post(reverse("guests:share", args=[take.pk]), form).content.decode()
    assert "/guest/" in made
    link = GuestLink.objects.get()
    assert (link.kind, link.shows_recording, link.shows_all) == ("read", False, True)
    assert link.expires_at < timezone.now() + timedelta(days=3, minutes=1)
    assert Entry.objects.filter(action="guests.report_shared").exists()
    GuestLink.objects.all().delete()
    client, link = come_in(take)
    client.get(inside("visit", link))
    page = owner.get(reverse("guests:invite", args=[take.pk])).content.decode()
    assert "Rosa: opened the page" in page
    assert "Cards only" in page
    owner.post(reverse("guests:end", args=[take.pk, link.pk]))
    assert client.get(inside("visit", link)).status_code == 404


def test_only_the_owner_shares_a_report(
    sent: Rehearsal, coach: User, stranger: User, sign_in: SignIn
) -> None:
    form = {"meant_for": "Rosa", "days": "3", "what": "all"}
    for person in (coach, stranger):
        answer = sign_in(person).post(reverse("guests:share", args=[sent.pk]), form)
        assert answer.status_code == 404
    assert not GuestLink.objects.exists()


@pytest.mark.usefixtures("coach")
def test_nothing_is_shared_that_its_owner_may_not_read_yet(
    take: Rehearsal, cohort: Cohort, trainee: User, sign_in: SignIn
) -> None:
    client, link = come_in(take)
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    take = Rehearsal.objects.get(pk=take.pk)
    with pytest.raises(ValidationError, match="no feedback to share"):
        come_in(take)
    page = client.get(inside("visit", link)).content.decode()
    assert "card__claim" not in page
    assert "This link shows nothing" in page
    own = sign_in(trainee).get(reverse("guests:invite", args=[take.pk])).content.decode()
    assert "There is no feedback to share yet." in own


@pytest.mark.usefixtures("coach")
def test_what_is_held_back_plays_for_no_reader_who_came_before(
    take: Rehearsal, cohort: Cohort
) -> None:
    client, link = come_in(take, with_recording=True)
    assert client.get(inside("media", link), **ON_THE_PAGE).getvalue()
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    for name in ("media", "captions", "poster"):
        assert client.get(inside(name, link), **ON_THE_PAGE).status_code == 404


def test_a_report_for_nobody_is_not_shared_and_everything_chosen_comes_back(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    chosen = {"meant_for": " ", "days": "1", "what": "all", "with_recording": "on"}
    answer = sign_in(trainee).post(reverse("guests:share", args=[take.pk]), chosen)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert not GuestLink.objects.exists()
    share = page[page.index('id="share-title"') :]
    assert 'id="share-meant_for_error"><li>Write the name of the guest.' in share
    assert '<option value="1" selected>' in share
    for each in ('name="what" value="all" checked', 'name="with_recording" value="on" checked'):
        assert each in share
    assert 'name="what" value="cards" checked' not in share
    assert 'id="make-meant_for_error"' not in page


@pytest.mark.usefixtures("coach")
def test_a_share_refused_since_its_feedback_was_held_back_says_so_and_keeps_what_was_typed(
    take: Rehearsal, cohort: Cohort, trainee: User, sign_in: SignIn
) -> None:
    owner = sign_in(trainee)
    Cohort.objects.filter(pk=cohort.pk).update(policy=Policy.COACH_FIRST)
    typed = {"meant_for": "Rosa", "days": "1", "what": "all"}
    answer = owner.post(reverse("guests:share", args=[take.pk]), typed)
    page = answer.content.decode()
    assert answer.status_code == 422
    alert = page[page.index('role="alert"') :]
    assert "<p>There is no feedback to share yet.</p>" in alert[: alert.index("</div>")]
    share = page[page.index('id="share-title"') :]
    assert 'value="Rosa"' in share
    assert '<option value="1" selected>' in share
    assert not GuestLink.objects.exists()

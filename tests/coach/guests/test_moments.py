"""A link to one moment: that stretch, its card, until it ends, and nothing else."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Consent, User
from coach.feedback.corrections import lay_cards, strike_own_event
from coach.feedback.models import Feedback, Item
from coach.guests.clips import cut, delete_ended_clips
from coach.guests.models import GuestLink
from coach.guests.services import end_link, note_clip, share_clip
from coach.guests.tasks import cut_clip, enqueue_clip
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import delete_rehearsal, remove_recording
from coach.storage import places, storage
from tests.analysis.recordings import Picture, Tone, read, record
from tests.coach.conftest import SignIn
from tests.coach.factories import place

ON_THE_PAGE = {"headers": {"sec-fetch-dest": "video"}}


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clips are cut where a test says so."""
    monkeypatch.setattr(cut_clip, "apply_async", lambda *_args, **_kwargs: None)


@pytest.fixture
def item(take: Rehearsal) -> Item:
    """A card with moments."""
    feedback: Feedback = take.feedback.get()
    return next(each for each in feedback.items.all() if each.is_chosen and each.card.clips)


def share(take: Rehearsal, item: Item) -> tuple[GuestLink, str]:
    return share_clip(rehearsal=take, item=item, moment=0, meant_for="Rosa", days=7)


def ready(take: Rehearsal, item: Item) -> tuple[Client, GuestLink]:
    """Rosa, behind the door, with a clip that a worker has cut."""
    link, token = share(take, item)
    place(places.clip(take.pk, link.pk), b"clip")
    assert note_clip(link_id=link.pk, is_cut=True)
    client = Client()
    client.post(reverse("guests:door", args=[token]), {"name": "Rosa"})
    return client, link


def inside(name: str, link: GuestLink) -> str:
    return reverse(f"guests:{name}", args=[link.pk])


def plays(client: Client, link: GuestLink) -> bool:
    answer = client.get(inside("media", link), **ON_THE_PAGE)
    answer.getvalue()
    return answer.status_code == 200


def is_there(link: GuestLink) -> bool:
    return storage().size(places.clip(link.rehearsal_id, link.pk)) is not None


def test_it_shows_the_card_and_plays_only_the_clip(take: Rehearsal, item: Item) -> None:
    client, link = ready(take, item)
    answer = client.get(inside("visit", link))
    page = answer.content.decode()
    assert "card__claim" in page
    for hidden in (take.title, "word1", "data-clip", "data-lanes", "FIL001", "<track"):
        assert hidden not in page
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert client.get(inside("media", link), **ON_THE_PAGE).getvalue() == b"clip"
    for name in ("poster", "captions"):
        assert client.get(inside(name, link)).status_code == 404
    assert client.post(inside("write", link), {"text": "Hm.", "start": "0:10"}).status_code == 404
    assert link.digest not in page
    listed = set(take.viewings.values_list("guest", "what"))
    assert listed == {("Rosa", "guest"), ("Rosa", "clip")}


def test_a_worker_cuts_it_out_of_the_copy(take: Rehearsal, item: Item, tmp_path: Path) -> None:
    film = record(tmp_path / "copy.mp4", picture=Picture(), tone=Tone())
    place(places.copy_to_play(take.pk), film.read_bytes())
    link, _token = share(take, item)
    GuestLink.objects.filter(pk=link.pk).update(start=0.5, end=1.5)
    assert enqueue_clip(link.pk)
    cut(link.pk)
    link.refresh_from_db()
    assert link.clip == GuestLink.Clip.READY
    out = tmp_path / "clip.mp4"
    out.write_bytes(b"".join(storage().read(places.clip(take.pk, link.pk))))
    assert read(out)[0].duration == pytest.approx(1.0, abs=0.15)


def test_what_cannot_be_cut_says_so(take: Rehearsal, item: Item) -> None:
    link, _token = share(take, item)
    cut(link.pk)
    link.refresh_from_db()
    assert link.clip == GuestLink.Clip.FAILED


@pytest.mark.django_db(transaction=True)
def test_ended_and_expired_links_are_dead_and_their_clips_gone(take: Rehearsal, item: Item) -> None:
    client, link = ready(take, item)
    assert plays(client, link)
    end_link(link=link, actor=take.owner)
    assert not plays(client, link)
    assert not is_there(link)
    client, link = ready(take, item)
    GuestLink.objects.filter(pk=link.pk).update(expires_at=timezone.now() - timedelta(minutes=1))
    assert not plays(client, link)
    assert client.get(inside("visit", link)).status_code == 404
    assert delete_ended_clips() == 1
    assert not is_there(link)


@pytest.mark.django_db(transaction=True)
def test_it_ends_with_the_recording_and_with_the_take(take: Rehearsal, item: Item) -> None:
    client, link = ready(take, item)
    remove_recording(rehearsal=take)
    assert not plays(client, link)
    assert not is_there(link)
    place(places.clip(take.pk, link.pk), b"clip")
    delete_rehearsal(rehearsal=take)
    assert not is_there(link)
    assert client.get(inside("visit", link)).status_code == 404


def test_it_ends_with_the_consent(take: Rehearsal, item: Item) -> None:
    client, link = ready(take, item)
    Consent.objects.filter(user=take.owner).update(withdrawn_at=timezone.now())
    assert not plays(client, link)
    assert client.get(inside("visit", link)).status_code == 404


def test_a_card_that_no_longer_applies_is_not_shown(take: Rehearsal, item: Item) -> None:
    client, link = ready(take, item)
    feedback = take.feedback.get()
    strike_own_event(feedback=feedback, owner=take.owner, kind="filled_pause", start=10.0)
    lay_cards(feedback)
    item.corrected.holds_for_owner = False
    item.corrected.save()
    assert "card__claim" not in client.get(inside("visit", link)).content.decode()
    assert not plays(client, link)
    with pytest.raises(ValidationError):
        share(take, item)


def test_the_owner_makes_and_ends_it_and_a_stranger_does_neither(
    take: Rehearsal, item: Item, trainee: User, coach: User, stranger: User, sign_in: SignIn
) -> None:
    url = reverse("guests:share_moment", args=[take.pk, item.pk])
    form = {"meant_for": "Rosa", "days": "30", "moment": "0"}
    for other in (stranger, coach):
        assert sign_in(other).get(url).status_code == 404
        assert sign_in(other).post(url, form).status_code == 404
    owner = sign_in(trainee)
    assert url in owner.get(reverse("feedback:report", args=[take.pk])).content.decode()
    assert owner.get(url).status_code == 200
    for wrong in ({"days": "3"}, {"days": "31"}, {"moment": "99"}, {"moment": ""}):
        assert owner.post(url, form | wrong).status_code == 422
    made = owner.post(url, form).content.decode()
    link = GuestLink.objects.get()
    assert "/guest/" in made
    assert link.digest not in made
    again = owner.get(reverse("guests:invite", args=[take.pk])).content.decode()
    assert "Rosa" in again
    assert "fresh-link" not in again
    end = reverse("guests:end", args=[take.pk, link.pk])
    assert sign_in(stranger).post(end).status_code == 404
    owner.post(end)
    link.refresh_from_db()
    assert link.revoked_at is not None

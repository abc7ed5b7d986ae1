"""Mail about what is new, by real SMTP: gathered, in one's language, tried until it is taken."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from coach.accounts.models import Language, User
from coach.feedback.models import Feedback
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import decide_on_item
from coach.notices.mailing import mail_round
from coach.notices.models import Kind, Notice
from coach.notices.selectors import waiting_for_relay
from coach.notices.services import choose_mails, notify, settle
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import withdraw_from_coach
from coach.review.services import claim_rehearsal, enqueue_sent, give_back
from tests.coach.notices.conftest import Relay


def released(draft: Feedback, coach: User) -> Feedback:
    for item in draft.items.filter(is_chosen=True):
        decide_on_item(item=item, coach=coach, kind="accept")  # type: ignore[arg-type]
    release_feedback(feedback=draft, coach=coach)
    return draft


def text_of(relay: Relay) -> str:
    (mail,) = relay.mails
    payload = mail.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()


def a_while_later() -> None:
    """The pause after a try is over."""
    Notice.objects.update(try_at=timezone.now() - timedelta(seconds=1))


def test_a_mail_says_that_there_is_something_and_never_what(
    relay: Relay, draft: Feedback, coach: User, trainee: User
) -> None:
    released(draft, coach)
    assert mail_round() == 1
    (mail,) = relay.mails
    assert mail["To"] == trainee.email
    assert mail["Subject"] == "Your coach has released feedback for you"
    assert mail["Auto-Submitted"] == "auto-generated"
    body = text_of(relay)
    assert f"https://rostrum.example.org/rehearsals/{draft.rehearsal_id}/" in body
    assert draft.rehearsal.title not in body
    assert coach.name not in body
    assert mail_round() == 0, "once is enough"


def test_what_has_gathered_leaves_as_one_mail_in_the_readers_language(
    relay: Relay, draft: Feedback, coach: User, trainee: User
) -> None:
    User.objects.filter(pk=trainee.pk).update(language=Language.FRENCH)
    released(draft, coach)
    take = draft.rehearsal
    notify(person=trainee, kind=Kind.QUESTION, rehearsal=take, about=take)
    assert mail_round() == 1
    body = text_of(relay)
    assert body.startswith("Bonjour Ana,")
    assert body.count(f"/rehearsals/{take.pk}/") == 2


@override_settings(NOTICE_MINUTES=5)
def test_it_waits_for_others_first(relay: Relay, draft: Feedback, coach: User) -> None:
    # The relay's own settings send at once.
    with override_settings(NOTICE_MINUTES=5):
        released(draft, coach)
        assert mail_round() == 0
        Notice.objects.update(not_before=timezone.now() - timedelta(minutes=6))
        assert mail_round() == 1


@pytest.mark.parametrize("how", ["muted", "seen", "settled", "withdrawn", "not yet"])
def test_nobody_is_mailed_what_they_do_not_want_or_need(
    how: str, relay: Relay, sent: Rehearsal, coach: User
) -> None:
    later = timezone.now() + timedelta(hours=1) if how == "not yet" else None
    notify(person=coach, kind=Kind.WAITING, rehearsal=sent, about=sent, not_before=later)
    if how == "muted":
        choose_mails(person=coach, wanted=[], offered=[Kind.WAITING])
    if how == "seen":
        Notice.objects.update(seen_at=timezone.now())
    if how == "settled":
        settle(about=sent)
    if how == "withdrawn":
        withdraw_from_coach(rehearsal=sent)
    assert mail_round() == 0
    assert relay.mails == []


def test_a_relay_that_is_away_loses_nothing_and_shows_in_health(
    relay: Relay, draft: Feedback, coach: User
) -> None:
    released(draft, coach)
    relay.shut()
    assert mail_round() == 0
    answer = Client().get("/ready/")
    assert answer.status_code == 200, "pages are served as before"
    assert answer.json()["mail"] == "1 notices wait for a relay"
    relay.open()
    assert mail_round() == 0, "it is not asked again at once"
    a_while_later()
    assert mail_round() == 1
    assert len(relay.mails) == 1


def test_what_nobody_will_mail_any_more_waits_for_no_relay(
    relay: Relay, draft: Feedback, coach: User, trainee: User
) -> None:
    released(draft, coach)
    relay.shut()
    assert mail_round() == 0
    assert waiting_for_relay() == 1
    choose_mails(person=trainee, wanted=[], offered=list(Kind))
    assert waiting_for_relay() == 0
    relay.open()


def test_an_address_that_is_refused_for_good_is_left_alone_and_holds_nobody_up(
    relay: Relay, draft: Feedback, coach: User, trainee: User
) -> None:
    relay.refuses = {trainee.email: "550 no such person"}
    released(draft, coach)
    notify(person=coach, kind=Kind.ANSWER, rehearsal=draft.rehearsal, about=draft)
    assert mail_round() == 1
    assert [mail["To"] for mail in relay.mails] == [coach.email]
    a_while_later()
    assert mail_round() == 0


def test_an_address_that_is_refused_for_now_is_tried_again(
    relay: Relay, draft: Feedback, coach: User, trainee: User
) -> None:
    relay.refuses = {trainee.email: "450 come back later"}
    released(draft, coach)
    assert mail_round() == 0
    relay.refuses = {}
    a_while_later()
    assert mail_round() == 1


def test_a_take_that_waits_is_told_to_its_coaches_until_one_is_on_it(
    relay: Relay, sent: Rehearsal, coach: User, stranger: User
) -> None:
    enqueue_sent()
    assert list(Notice.objects.values_list("person", "kind")) == [(coach.pk, Kind.WAITING)]
    claim_rehearsal(rehearsal=sent, coach=coach)
    assert mail_round() == 0
    give_back(rehearsal=sent, coach=coach)
    assert mail_round() == 1
    assert "is waiting for your answer" in text_of(relay)

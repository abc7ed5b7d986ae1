"""The badge, the page, and whose notices they are."""

from __future__ import annotations

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.lib.words.dates import date_words
from coach.notices.models import Kind, Notice
from coach.notices.selectors import unread_count
from coach.notices.services import KEPT_FOR, News, forget_old, notify, notify_once, settle
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory

NEWS = "/news/"


def told(person: User, take: Rehearsal) -> None:
    notify(person=person, kind=Kind.QUESTION, rehearsal=take, about=take)


def test_the_badge_counts_and_opening_the_take_is_enough(
    sent: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    told(trainee, sent)
    client = sign_in(trainee)
    page = client.get(NEWS).content.decode()
    assert 'class="bell__count" aria-hidden="true">1<' in page
    assert "Your coach has a question about “Opening of my thesis talk”." in page
    client.get(reverse("feedback:report", args=[sent.pk]))
    assert "bell__count" not in client.get(NEWS).content.decode()


def test_of_many_takes_of_one_talk_it_says_which(
    sent: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    told(trainee, sent)
    page = sign_in(trainee).get(NEWS).content.decode()
    assert f"take of {date_words(sent.created_at)}</span>" in page
    Notice.objects.update(kind=Kind.PRACTICE)
    assert "take of" not in sign_in(trainee).get(NEWS).content.decode()


def test_many_takes_that_wait_are_told_as_one_beside_the_question_that_came_before(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    Notice.objects.all().delete()
    told(coach, sent)
    more = [RehearsalFactory(owner=trainee, cohort=sent.cohort, title=f"No. {n}") for n in range(3)]
    for take in more:
        grant = send_to_coach(rehearsal=take, note="")
        notify(person=coach, kind=Kind.WAITING, rehearsal=take, about=grant)
    client = sign_in(coach)
    page = client.get(NEWS).text
    assert 'class="bell__count" aria-hidden="true">2<' in page
    assert f'<a href="{reverse("review:queue")}">3 takes are waiting for your answer.</a>' in page
    assert "No. 1" not in page
    assert "has a question about" in page
    settle(about=more[0].grants.get())
    settle(about=more[1].grants.get())
    page = client.get(NEWS).text
    assert f'<a href="{reverse("review:desk", args=[more[2].pk])}">“No. 2” by' in page
    assert "takes are waiting" not in page
    assert "No. 1" in page, "what is over stands in the list, as before"


def test_a_title_with_quotation_marks_is_told_with_inner_ones(
    sent: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    Rehearsal.objects.filter(pk=sent.pk).update(title='The "why" of it')
    told(trainee, sent)
    client = sign_in(trainee)
    assert "a question about “The ‘why’ of it”." in client.get(reverse("notices:list")).text
    User.objects.filter(pk=trainee.pk).update(language="fr")
    page = client.get(reverse("notices:list")).text.replace("\u00a0", " ")
    assert "« The “why” of it »" in page


def test_it_can_be_marked_as_seen_without_opening_anything(
    sent: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    told(trainee, sent)
    sign_in(trainee).post(reverse("notices:all_seen"))
    assert unread_count(trainee) == 0


def test_telling_twice_is_telling_once_and_what_was_taken_back_can_be_told_again(
    sent: Rehearsal, trainee: User
) -> None:
    told(trainee, sent)
    told(trainee, sent)
    assert unread_count(trainee) == 1
    settle(about=sent)
    assert unread_count(trainee) == 0
    notify_once(Kind.QUESTION, [News(person=trainee, rehearsal=sent, about=sent)])
    assert unread_count(trainee) == 0
    told(trainee, sent)
    assert unread_count(trainee) == 1


def test_nothing_is_told_before_its_time(sent: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    soon = timezone.now() + timedelta(seconds=30)
    notify(person=trainee, kind=Kind.RELEASED, rehearsal=sent, about=sent, not_before=soon)
    assert "released feedback on" not in sign_in(trainee).get(NEWS).content.decode()


def test_a_take_that_was_taken_back_is_not_named_any_more(
    sent: Rehearsal, trainee: User, coach: User, sign_in: SignIn
) -> None:
    told(coach, sent)
    assert sent.title in sign_in(coach).get(NEWS).content.decode()
    sign_in(trainee).post(reverse("feedback:withdraw", args=[sent.pk]))
    page = sign_in(coach).get(NEWS).content.decode()
    assert sent.title not in page
    assert "bell__count" not in page


def test_nobody_reads_what_others_were_told(
    sent: Rehearsal, trainee: User, stranger: User, sign_in: SignIn
) -> None:
    told(trainee, sent)
    told(stranger, sent)
    page = sign_in(stranger).get(NEWS).content.decode()
    assert sent.title not in page
    sign_in(stranger).post(reverse("notices:all_seen"))
    assert unread_count(trainee) == 1


def test_mails_are_chosen_kind_by_kind_and_it_is_on_record(coach: User, sign_in: SignIn) -> None:
    client = sign_in(coach)
    client.post(reverse("notices:mails"), {"mail": ["waiting", "released"]})
    muted = set(coach.muted_notices.values_list("kind", flat=True))
    assert muted == {"question", "answer", "second", "handed", "discussed", "late"}, (
        "what a coach is never told is not asked either"
    )
    assert Entry.objects.get(action="notices.mails_chosen").detail["after"] == [
        "answer",
        "discussed",
        "handed",
        "late",
        "question",
        "second",
    ]
    client.post(
        reverse("notices:mails"),
        {"mail": ["waiting", "handed", "second", "discussed", "late", "question", "answer"]},
    )
    assert not coach.muted_notices.exists()


def test_what_is_over_for_long_is_forgotten_and_what_is_new_is_not(
    sent: Rehearsal, trainee: User, coach: User
) -> None:
    told(trainee, sent)
    told(coach, sent)
    Notice.objects.update(not_before=timezone.now() - KEPT_FOR - timedelta(days=1))
    Notice.objects.filter(person=coach).update(seen_at=timezone.now())
    assert forget_old() == 1
    assert Notice.objects.get().person == trainee


def test_who_was_told_to_practise_and_did_not_is_not_told_anew_because_it_was_forgotten(
    sent: Rehearsal, trainee: User
) -> None:
    notify(person=trainee, kind=Kind.PRACTICE, rehearsal=sent, about=sent)
    long_ago = timezone.now() - KEPT_FOR - timedelta(days=1)
    Notice.objects.update(not_before=long_ago, seen_at=long_ago)
    assert forget_old() == 0
    settle(about=sent, kind=Kind.PRACTICE)
    assert forget_old() == 1

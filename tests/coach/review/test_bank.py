"""The comment bank: own sentences and those of the group, by tag, counted."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation

from coach.accounts.models import Cohort, Role, User
from coach.audit.models import Entry
from coach.feedback.models import Feedback
from coach.feedback.notes import NoteWords, write_note
from coach.feedback.verdicts import CoachItem, add_coach_item
from coach.rehearsals.models import Goal, Rehearsal
from coach.rehearsals.services import withdraw_from_coach
from coach.review.bank.comments import (
    CommentWords,
    change_comment,
    comments_found,
    count_use,
    keep_comment,
    remove_comment,
)
from coach.review.bank.earlier import earlier_comments_for
from coach.review.bank.page import bank_page
from coach.review.bank.starter import keep_starters, starters_in
from coach.review.models import BankComment
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, join


@pytest.fixture
def colleague(cohort: Cohort) -> User:
    """Dora, who coaches Bea's group too."""
    dora = UserFactory(name="Dora", roles=[Role.COACH])
    join(cohort, dora, Role.COACH)
    return dora


@pytest.fixture
def breath(coach: User) -> BankComment:
    """A sentence that Bea says often."""
    words = CommentWords(text="Take one breath after each number.", tag="clarity")
    return keep_comment(coach=coach, words=words)


def test_what_is_used_most_comes_first_and_is_found_by_words_and_tag(
    coach: User, breath: BankComment
) -> None:
    pause = keep_comment(coach=coach, words=CommentWords(text="Let the pause stand."))
    count_use(comment=pause)
    assert comments_found(coach, "") == [pause, breath]
    assert comments_found(coach, "breath num") == [breath]
    assert comments_found(coach, "clar") == [breath]
    assert comments_found(coach, "xylophone") == []


def test_when_a_sentence_was_used_last_is_said_and_decides_among_those_used_alike(
    coach: User, breath: BankComment
) -> None:
    pause = keep_comment(coach=coach, words=CommentWords(text="Let the pause stand."))
    never = keep_comment(coach=coach, words=CommentWords(text="A sentence for later."))
    for _time in range(2):
        count_use(comment=pause)
        count_use(comment=breath)
    october = datetime(2026, 10, 1, 12, tzinfo=UTC)
    for comment, used in ((pause, october), (breath, october + timedelta(days=3))):
        BankComment.objects.filter(pk=comment.pk).update(used_at=used)
    assert comments_found(coach, "") == [breath, pause, never]
    told = {row.text: row.uses for group in bank_page(coach).groups for row in group.rows}
    assert told == {
        breath.text: "used 2 times, last on 4 October 2026",
        pause.text: "used 2 times, last on 1 October 2026",
        never.text: "not used yet",
    }
    with translation.override("fr"):
        french = [row.uses for group in bank_page(coach).groups for row in group.rows]
    assert "utilisé 2 fois, la dernière le 1er octobre 2026" in french


def test_a_sentence_is_the_owners_until_it_is_shared_and_then_the_groups(
    coach: User, colleague: User, stranger: User, cohort: Cohort, breath: BankComment
) -> None:
    assert comments_found(colleague, "breath") == []
    shared = CommentWords(text=breath.text, tag="clarity", cohort=cohort.pk)
    change_comment(comment=breath, coach=coach, words=shared)
    assert comments_found(colleague, "breath") == [breath]
    assert comments_found(stranger, "breath") == []
    (group,) = bank_page(colleague).groups
    assert (group.label, group.rows[0].whose, group.rows[0].is_own) == (
        "Clarity",
        "shared by Bea",
        False,
    )
    entry = Entry.objects.get(action="review.comment_changed")
    assert entry.detail["before"]["shared_with"] is None
    assert entry.detail["after"]["shared_with"] == cohort.pk


def test_sharing_with_a_group_that_one_does_not_coach_is_refused(coach: User) -> None:
    elsewhere = Cohort.objects.create(name="Elsewhere")
    with pytest.raises(ValidationError, match="group that you coach"):
        keep_comment(coach=coach, words=CommentWords(text="Hello.", cohort=elsewhere.pk))


def test_a_sentence_is_kept_once_and_goes_for_good(coach: User, breath: BankComment) -> None:
    words = CommentWords(text=f"  {breath.text}\n")
    assert keep_comment(coach=coach, words=words) == breath
    remove_comment(comment=breath, coach=coach)
    assert not BankComment.objects.exists()


def test_the_pages_keep_change_count_and_remove(
    coach: User, colleague: User, cohort: Cohort, breath: BankComment, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    client.post(reverse("review:add_comment"), {"text": "Look up.", "cohort": str(cohort.pk)})
    look_up = BankComment.objects.get(text="Look up.")
    assert "Look up." in client.get(reverse("review:comments")).content.decode()
    found = sign_in(colleague).get(reverse("review:find_comments"), {"q": "look"})
    assert "Look up." in found.content.decode()
    assert "breath" not in found.content.decode()
    used = sign_in(colleague).post(reverse("review:use_comment", args=[look_up.pk]))
    look_up.refresh_from_db()
    assert (used.status_code, look_up.uses) == (204, 1)
    edit = reverse("review:edit_comment", args=[look_up.pk])
    assert sign_in(colleague).post(edit, {"wish": "remove"}).status_code == 404
    client.post(edit, {"text": "Look up once."})
    look_up.refresh_from_db()
    assert (look_up.text, look_up.cohort) == ("Look up once.", None)
    client.post(edit, {"wish": "remove"})
    assert not BankComment.objects.filter(pk=look_up.pk).exists()


def test_strangers_use_and_see_nothing_and_trainees_have_no_bank(
    breath: BankComment, stranger: User, trainee: User, sign_in: SignIn
) -> None:
    assert breath.text not in sign_in(stranger).get(reverse("review:comments")).content.decode()
    for name in ("use_comment", "edit_comment"):
        url = reverse(f"review:{name}", args=[breath.pk])
        assert sign_in(stranger).post(url, {"wish": "remove"}).status_code == 404
    assert sign_in(trainee).get(reverse("review:comments")).status_code in {302, 403, 404}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_there_are_sixty_starters_and_ten_about_each_quality(language: str) -> None:
    starters = starters_in(language)
    assert len({each.text for each in starters}) >= 60
    assert min(Counter(each.tag for each in starters)[tag] for tag in Goal.values) >= 10
    assert max(len(each.text) for each in starters) <= 600


def test_starters_become_own_comments_once(coach: User, colleague: User, sign_in: SignIn) -> None:
    client = sign_in(coach)
    for _time in range(2):
        client.post(reverse("review:add_starters"), {"language": "fr", "tag": "fluency"})
    own = BankComment.objects.filter(owner=coach)
    wanted = {each.text for each in starters_in("fr") if each.tag == "fluency"}
    assert {each.text for each in own} == wanted
    assert "fluency" not in {group.code for group in bank_page(coach, language="fr").starters}
    assert comments_found(colleague, "euh") == []


def test_an_unknown_language_gives_english_and_is_not_logged(coach: User) -> None:
    keep_starters(coach=coach, language="x" * 5000, tags=["clarity"])
    texts = set(BankComment.objects.filter(owner=coach).values_list("text", flat=True))
    assert texts == {each.text for each in starters_in("en") if each.tag == "clarity"}
    entry = Entry.objects.get(action="review.starters_kept")
    assert entry.detail["after"]["language"] == "en"


def test_own_words_of_earlier_feedback_are_found_by_their_author_only(
    sent: Rehearsal, coach: User, colleague: User
) -> None:
    draft = Feedback.objects.get(rehearsal=sent)
    words = NoteWords(text="Breathe before the number.", start=1.0)
    write_note(feedback=draft, coach=coach, words=words)
    card = CoachItem(
        tone="strength",
        quality="clarity",
        claim="You breathed at 0:12.",
        suggestion="Stay.",
        clips=((1.0, 2.0),),
    )
    add_coach_item(feedback=draft, coach=coach, words=card)
    found = {each.text for each in earlier_comments_for(coach, "breath")}
    assert found == {"Breathe before the number.", "You breathed at 0:12."}
    assert earlier_comments_for(colleague, "breath") == []
    withdraw_from_coach(rehearsal=sent)
    assert earlier_comments_for(coach, "breath") == []

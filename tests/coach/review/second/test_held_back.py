"""What the first coach held back says nothing: what they had said of it before is compared."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from coach.accounts.models import Purpose, User
from coach.accounts.services import give_consent
from coach.feedback.items import standing_items
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.releases import begin_correction
from coach.feedback.verdicts import add_coach_item, decide_on_item, move_item, replace_item
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from coach.review.second.agreement import agreement_in
from coach.review.second.first_opinions import gather_first_opinions, write_first_opinion
from coach.review.second.models import Decision, Opinion, Place
from coach.review.selectors import groups_led_by
from tests.coach.conftest import SignIn
from tests.coach.review.second.judging import OWN, answer, hand_in, keeps, levels_form, second, url

upgrade = import_module("coach.review.second.migrations.0007_held_back_says_nothing")

MOVED = {"claim": "You said um.", "clips": [{"start": 30.0, "end": 40.0}]}


@pytest.fixture
def item(draft: Feedback) -> Item:
    return draft.items.get(is_chosen=True)


def say(item: Item, coach: User, kind: str) -> None:
    """What a coach does to an item before they hold it back."""
    if kind == "replace":
        replace_item(item=item, coach=coach, words=OWN, reason="wrong_context")
    elif kind == "reject":
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="unimportant")
    elif kind == "edit":
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=MOVED)
    elif kind == "accept":
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.ACCEPT)


def item_row(page: str) -> str:
    """The line of the drafted item, side by side, as it begins."""
    lines = page.partition("Automatic cards")[2].partition("<tbody>")[2]
    return lines.strip().partition(">")[0] + ">"


def hold(item: Item, coach: User) -> None:
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.HOLD)


def first_said(item: Item) -> tuple[str, str] | None:
    decision = Decision.objects.filter(opinion__place=Place.FIRST, item=item).first()
    return (decision.kind, decision.reason) if decision is not None else None


SAID = [
    ("", None),
    ("accept", ("keep", "")),
    ("edit", ("keep", "")),
    ("reject", ("reject", "unimportant")),
    ("replace", ("reject", "wrong_context")),
]


@pytest.mark.parametrize(("kind", "said"), SAID)
def test_what_they_said_before_is_written_down(
    item: Item, draft: Feedback, coach: User, kind: str, said: tuple[str, str] | None
) -> None:
    say(item, coach, kind)
    hold(item, coach)
    write_first_opinion(feedback=draft, coach=coach)
    assert first_said(item) == said


def test_a_fourth_item_takes_no_decision_away(item: Item, draft: Feedback, coach: User) -> None:
    say(item, coach, "accept")
    for _each in range(2):
        add_coach_item(feedback=draft, coach=coach, words=OWN)
        move_item(item=item, coach=coach, by=1)
    add_coach_item(feedback=draft, coach=coach, words=OWN)
    (held,) = [each for each in standing_items(draft) if each.decision == "held"]
    assert held.item == item
    write_first_opinion(feedback=draft, coach=coach)
    assert first_said(item) == ("keep", "")


def test_what_was_taken_back_before_is_not_what_they_said(
    item: Item, draft: Feedback, coach: User
) -> None:
    say(item, coach, "accept")
    Verdict.objects.update(undone_at=timezone.now())
    hold(item, coach)
    write_first_opinion(feedback=draft, coach=coach)
    assert first_said(item) is None


def test_what_was_said_of_the_version_before_counts(
    sampled: Rehearsal, item: Item, draft: Feedback, coach: User
) -> None:
    answer(draft, coach, kind="reject")
    fresh = begin_correction(feedback=draft, coach=coach)
    again = fresh.items.get(former=item)
    hold(again, coach)
    write_first_opinion(feedback=fresh, coach=coach)
    assert first_said(again) == ("reject", "unimportant")


class TestCompared:
    """With what the second coach decided."""

    def test_an_item_of_which_only_one_said_something(
        self,
        sampled: Rehearsal,
        draft: Feedback,
        coach: User,
        dora: User,
        leader: User,
        sign_in: SignIn,
    ) -> None:
        answer(draft, coach, kind="hold")
        second(sign_in(dora), sampled)
        gather_first_opinions()
        page = sign_in(dora).get(url(sampled, "compare")).content.decode()
        assert "No opinion given" in page
        assert "Nothing to compare" in page
        assert "Different" not in page
        assert item_row(page) == "<tr>"
        assert "The two coaches have not yet decided on any of the same cards." in page
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert rows[""].n == rows["kept"].n == 0
        assert own_data(coach)["opinions"][0]["decisions"] == []

    def test_moments_that_they_had_marked_are_compared(
        self, item: Item, sampled: Rehearsal, draft: Feedback, coach: User, dora: User, leader: User
    ) -> None:
        say(item, coach, "edit")
        hold(item, coach)
        opinion = write_first_opinion(feedback=draft, coach=coach)
        assert opinion.decisions.get().own_moments == ((30.0, 40.0),)
        keeps(draft, dora, Place.SECOND, (35.0, 45.0))
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert rows[""].n == rows["kept"].n == rows["marked"].n == 1

    def test_who_leads_settles_what_nobody_said(
        self,
        item: Item,
        sampled: Rehearsal,
        draft: Feedback,
        coach: User,
        dora: User,
        leader: User,
        sign_in: SignIn,
    ) -> None:
        """The second coach judged a draft without it."""
        for person, place in ((coach, Place.FIRST), (dora, Place.SECOND)):
            Opinion.objects.create(
                rehearsal=sampled,
                feedback=draft,
                coach=person,
                place=place,
                submitted_at=timezone.now(),
            )
        client = sign_in(leader)
        assert f'name="kind_{item.pk}"' in client.get(url(sampled, "compare")).content.decode()
        assert client.post(url(sampled, "settle"), levels_form()).status_code == 422
        client.post(
            url(sampled, "settle"), levels_form() | {f"kind_{item.pk}": "keep", "why": "So."}
        )
        assert Opinion.objects.get(is_authoritative=True).place == Place.RESOLUTION

    def test_on_a_clip_what_counts_says_nothing_of_it(
        self,
        sent: Rehearsal,
        draft: Feedback,
        coach: User,
        dora: User,
        leader: User,
        trainee: User,
        sign_in: SignIn,
    ) -> None:
        answer(draft, coach, kind="hold")
        give_consent(user=trainee, purpose=Purpose.COACH_TRAINING)
        sign_in(leader).post(url(sent, "make_clip"))
        client = sign_in(dora)
        client.post(url(sent, "begin_clip"))
        hand_in(client, sent)
        page = client.get(url(sent, "compare")).content.decode()
        assert "Nothing to compare" in page
        assert "The two coaches have not yet decided on any of the same cards." in page


class TestWrittenDownBefore:
    """A held-back item stood there as kept; what had been said of it is still known."""

    def before(self, draft: Feedback, coach: User) -> None:
        """As it was written down then."""
        opinion = write_first_opinion(feedback=draft, coach=coach)
        opinion.decisions.all().delete()
        for each in draft.items.filter(origin=Item.Origin.RULE, is_chosen=True):
            opinion.decisions.create(item=each, kind=Decision.Kind.KEEP, tells_where=False)

    @pytest.mark.parametrize(("kind", "said"), SAID)
    def test_it_is_put_right(
        self, item: Item, draft: Feedback, coach: User, kind: str, said: tuple[str, str] | None
    ) -> None:
        say(item, coach, kind)
        hold(item, coach)
        self.before(draft, coach)
        upgrade.take_back_held(apps, connection.schema_editor)
        assert first_said(item) == said

    def test_what_stood_then_counts(self, item: Item, draft: Feedback, coach: User) -> None:
        say(item, coach, "accept")
        self.before(draft, coach)
        say(item, coach, "reject")
        hold(item, coach)
        upgrade.take_back_held(apps, connection.schema_editor)
        assert first_said(item) == ("keep", "")

    def test_a_hold_that_was_taken_back_later_held_then(
        self, item: Item, draft: Feedback, coach: User
    ) -> None:
        hold(item, coach)
        self.before(draft, coach)
        Verdict.objects.update(undone_at=timezone.now())
        upgrade.take_back_held(apps, connection.schema_editor)
        assert first_said(item) is None

    def test_what_is_no_longer_known_stays(self, item: Item, draft: Feedback, coach: User) -> None:
        self.before(draft, coach)
        upgrade.take_back_held(apps, connection.schema_editor)
        assert first_said(item) == ("keep", "")

    def test_a_second_coachs_own_stays(
        self, item: Item, sampled: Rehearsal, draft: Feedback, coach: User, dora: User
    ) -> None:
        hold(item, coach)
        self.before(draft, coach)
        Opinion.objects.update(place=Place.SECOND, coach=dora)
        upgrade.take_back_held(apps, connection.schema_editor)
        assert Decision.objects.get().kind == Decision.Kind.KEEP

"""On the blind page a coach marks where they see an item; what is typed is kept."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from coach.accounts.models import User
from coach.feedback.models import Feedback, Item
from coach.lib.words.clock import clock
from coach.lib.words.punctuation import within_quotes
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from coach.review.second.models import Decision, Opinion
from coach.review.second.services import ItemVerdict as Said
from coach.review.second.services import decide, take_second
from tests.coach.conftest import SignIn
from tests.coach.review.second.judging import hand_in, item_of, levels_form, url


@pytest.fixture
def judging(sampled: Rehearsal, draft: Feedback, dora: User, sign_in: SignIn) -> Client:
    """Dora has judged the qualities, and sees the items."""
    client = sign_in(dora)
    client.post(url(sampled, "take_second"))
    client.post(url(sampled, "opinion_rubric"), levels_form(finish="1"))
    return client


def another(draft: Feedback) -> Item:
    """One that the machine held back, beside the chosen one."""
    item = item_of(draft)
    item.pk, item.is_chosen, item.rule = None, False, f"{item.rule}-other"
    item.position += 1
    item._state.adding = True
    item.save()
    return item


def said_of(item: Item, clips: str) -> dict[str, Any]:
    return {f"kind_{item.pk}": "keep", f"reason_{item.pk}": "", f"clips_{item.pk}": clips}


def say(client: Client, take: Rehearsal, item: Item, clips: str, kind: str = "keep") -> str:
    """What the page answers while it keeps what is typed."""
    form = {f"kind_{item.pk}": kind, f"reason_{item.pk}": "tone", f"clips_{item.pk}": clips}
    answered = client.post(url(take, "opinion_decide"), form, headers={"HX-Request": "true"})
    return answered.content.decode()


class TestMarking:
    """On the blind page."""

    def test_moments_are_kept_as_they_are_typed_and_there_again(
        self, judging: Client, sampled: Rehearsal, draft: Feedback
    ) -> None:
        item = item_of(draft)
        say(judging, sampled, item, "1:05, 0:12-0:18")
        decision = Decision.objects.get()
        assert decision.own_moments == ((12.0, 18.0), (65.0, 71.0))
        page = judging.get(url(sampled, "opinion")).content.decode()
        assert 'value="0:12-0:18, 1:05-1:11"' in page

    def test_left_empty_the_machines_stand(
        self, judging: Client, sampled: Rehearsal, draft: Feedback
    ) -> None:
        item = item_of(draft)
        say(judging, sampled, item, "0:12-0:18")
        say(judging, sampled, item, "")
        decision = Decision.objects.get()
        assert decision.own_moments == ()
        assert decision.moments == tuple((each.start, each.end) for each in item.card.clips)

    def test_what_is_rejected_is_nowhere(
        self, judging: Client, sampled: Rehearsal, draft: Feedback
    ) -> None:
        say(judging, sampled, item_of(draft), "0:12-0:18", kind="reject")
        assert Decision.objects.get().clips == []

    @pytest.mark.parametrize("typed", ["soon", "0:18-0:12", "59:00-59:10"])
    def test_what_is_no_moment_of_the_recording_is_said_and_not_kept(
        self, judging: Client, sampled: Rehearsal, draft: Feedback, typed: str
    ) -> None:
        said = say(judging, sampled, item_of(draft), typed)
        assert "moment" in said
        assert within_quotes(item_of(draft).card.claim) in html.unescape(said)
        assert "Everything else is saved." in said
        assert Decision.objects.get().own_moments == ()

    def test_what_was_not_kept_is_named_within_other_quotation_marks(
        self, judging: Client, sampled: Rehearsal, draft: Feedback, dora: User
    ) -> None:
        item = item_of(draft)
        item.document = {**item.document, "claim": "Des «\u00a0euh\u00a0»."}
        item.save()
        User.objects.filter(pk=dora.pk).update(language="fr")
        said = html.unescape(say(judging, sampled, item, "soon"))
        assert "«\u00a0Des “euh”.\u00a0»\u00a0:" in said

    def test_a_bad_moment_is_no_matter_once_the_item_is_rejected(
        self, judging: Client, sampled: Rehearsal, draft: Feedback
    ) -> None:
        said = say(judging, sampled, item_of(draft), "soon", kind="reject")
        assert "Everything else is saved." not in said
        assert Decision.objects.get().kind == Decision.Kind.REJECT

    def test_parts_of_a_second_stay(
        self, judging: Client, sampled: Rehearsal, draft: Feedback
    ) -> None:
        item = item_of(draft)
        say(judging, sampled, item, "0:12.2-0:12.8")
        page = judging.get(url(sampled, "opinion")).content.decode()
        assert 'value="0:12.2-0:12.8"' in page
        say(judging, sampled, item, "0:12.2-0:12.8")
        assert Decision.objects.get().own_moments == ((12.2, 12.8),)

    def test_an_open_moment_ends_with_the_talk_and_none_is_without_length(
        self, judging: Client, sampled: Rehearsal, draft: Feedback
    ) -> None:
        duration = sampled.duration
        assert duration is not None
        say(judging, sampled, item_of(draft), f"0:12-0:12, {clock(duration - 2)}")
        first, last = Decision.objects.get().own_moments
        assert first == (12.0, 13.0)
        assert last == (int(duration - 2), duration)

    def test_one_bad_moment_holds_no_other_item_back_and_nothing_typed_is_lost(
        self, judging: Client, sampled: Rehearsal, draft: Feedback
    ) -> None:
        item, other = item_of(draft), another(draft)
        form = said_of(item, "soon") | said_of(other, "0:12-0:18") | {"hand_in": "1"}
        answered = judging.post(url(sampled, "opinion_decide"), form)
        page = answered.content.decode()
        assert answered.status_code == 422
        assert 'value="soon" data-clips aria-invalid="true"' in page
        assert f'data-address="{url(sampled, "opinion")}"' in page
        assert Decision.objects.get(item=other).own_moments == ((12.0, 18.0),)
        assert Decision.objects.get(item=item).kind == Decision.Kind.KEEP
        assert Opinion.objects.get().submitted_at is None

    def test_a_page_left_open_takes_nothing_back(
        self, judging: Client, sampled: Rehearsal, draft: Feedback
    ) -> None:
        item, other = item_of(draft), another(draft)
        say(judging, sampled, item, "0:12-0:18")
        stale = said_of(item, "") | {f"seen_{item.pk}": "keep||"}
        own = said_of(other, "0:20-0:30") | {f"seen_{other.pk}": "||"}
        for _again in range(2):
            answered = judging.post(
                url(sampled, "opinion_decide"), stale | own, headers={"HX-Request": "true"}
            )
            said = answered.content.decode()
            assert f'id="seen-{item.pk}"' not in said  # else the next change would take it back
        assert Decision.objects.get(item=item).own_moments == ((12.0, 18.0),)
        assert Decision.objects.get(item=other).own_moments == ((20.0, 30.0),)

    def test_a_choice_taken_back_is_open_again(
        self, judging: Client, sampled: Rehearsal, draft: Feedback
    ) -> None:
        item = item_of(draft)
        say(judging, sampled, item, "")
        judging.post(url(sampled, "opinion_decide"), {f"seen_{item.pk}": "keep||"})
        assert not Decision.objects.exists()

    def test_who_is_not_judging_it_writes_nothing(
        self, judging: Client, sampled: Rehearsal, draft: Feedback, stranger: User, sign_in: SignIn
    ) -> None:
        say(sign_in(stranger), sampled, item_of(draft), "0:12-0:18")
        assert not Decision.objects.exists()

    def test_once_handed_in_they_stay(
        self, judging: Client, sampled: Rehearsal, draft: Feedback, dora: User
    ) -> None:
        item = item_of(draft)
        say(judging, sampled, item, "0:12-0:18")
        hand_in(judging, sampled)
        assert say(judging, sampled, item, "0:20-0:30")
        own = own_data(dora)["opinions"][0]["decisions"][0]
        assert own["moments"] == [
            {"start": 12.0, "end": 18.0}
        ]  # handed in without the field: they stay


@pytest.mark.parametrize(
    ("over", "kind"),
    [("", "keep"), ("keep||0:20-0:30", "keep"), ("keep||0:12-0:18", "reject")],
)
def test_what_two_windows_changed_waits_until_its_coach_says_so(
    judging: Client, sampled: Rehearsal, draft: Feedback, over: str, kind: str
) -> None:
    key, waits = item_of(draft).pk, kind == "keep"
    say(judging, sampled, item_of(draft), "0:12-0:18")
    form = {f"kind_{key}": "reject", f"reason_{key}": "tone", f"seen_{key}": "||"}
    form |= {f"over_{key}": over, "hand_in": "1"}
    answered = judging.post(url(sampled, "opinion_decide"), form)
    page = answered.content.decode()
    assert Decision.objects.get().kind == kind
    assert ("in another window: “Would keep it, 0:12-0:18”" in page) == waits
    assert (f'name="seen_{key}" value="||"' in page) == waits  # so the next form overwrites nothing
    assert (Opinion.objects.get().submitted_at is None) == waits


def test_what_cannot_be_read_overwrites_no_other_window_later(
    judging: Client, sampled: Rehearsal, draft: Feedback
) -> None:
    item = item_of(draft)
    say(judging, sampled, item, "0:12-0:18")
    for clips in ("soon", "0:40-0:50"):
        form = said_of(item, clips) | {f"seen_{item.pk}": "||"}
        answered = judging.post(
            url(sampled, "opinion_decide"), form, headers={"HX-Request": "true"}
        )
        said = answered.content.decode()
        assert "in another window" in said
        assert f'id="seen-{item.pk}"' not in said
    assert Decision.objects.get().own_moments == ((12.0, 18.0),)


def test_moments_outside_the_recording_are_refused_by_the_service(
    sampled: Rehearsal, draft: Feedback, dora: User
) -> None:
    opinion = take_second(rehearsal=sampled, coach=dora)
    said = {str(item_of(draft).pk): Said(kind="keep", moments=((500.0, 510.0),))}
    with pytest.raises(ValidationError, match="inside the recording"):
        decide(opinion=opinion, verdicts=said)

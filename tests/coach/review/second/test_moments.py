"""Where two coaches see an item: compared side by side, and settled by who leads."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from coach.accounts.models import User
from coach.feedback.models import CorrectedCard, Feedback, Verdict
from coach.feedback.verdicts import decide_on_item
from coach.rehearsals.models import Rehearsal
from coach.review.items.words import clips_words
from coach.review.second.first_opinions import gather_first_opinions, write_first_opinion
from coach.review.second.models import Decision, Opinion, Place
from tests.coach.conftest import SignIn
from tests.coach.review.second.judging import answer, item_of, keeps, levels_form, second, url


class TestTheFirstCoach:
    """Whose moments are those of the release."""

    def test_moments_that_they_moved_are_written_down(
        self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
    ) -> None:
        moved = {"claim": "You said um.", "clips": [{"start": 30.0, "end": 40.0}]}
        item = item_of(draft)
        decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=moved)
        answer(draft, coach)
        second(sign_in(dora), sampled)
        gather_first_opinions()
        first = Decision.objects.get(opinion__place=Place.FIRST)
        assert first.own_moments == ((30.0, 40.0),)
        page = sign_in(dora).get(url(sampled, "compare")).content.decode()
        assert "Marked at 0:30-0:40" in page

    def test_the_machines_own_are_nobodys(
        self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
    ) -> None:
        answer(draft, coach)
        second(sign_in(dora), sampled)
        gather_first_opinions()
        assert {tuple(each.clips) for each in Decision.objects.all()} == {()}
        assert "Marked at" not in sign_in(dora).get(url(sampled, "compare")).content.decode()

    @pytest.mark.parametrize("kind", [Verdict.Kind.ACCEPT, Verdict.Kind.EDIT])
    def test_what_a_corrected_word_moved_is_the_machines_still(
        self, draft: Feedback, coach: User, kind: Verdict.Kind
    ) -> None:
        """Also where whole seconds of it were sent along with other words, as the desk does."""
        item = item_of(draft)
        moved = [{"start": 40.4, "end": 45.2}]
        CorrectedCard.objects.create(item=item, document={**item.document, "clips": moved})
        words = {"claim": "You said um.", "clips": [{"start": 40.0, "end": 45.0}]}
        wording = words if kind == Verdict.Kind.EDIT else None
        decide_on_item(item=item, coach=coach, kind=kind, wording=wording)
        opinion = write_first_opinion(feedback=draft, coach=coach)
        assert opinion.decisions.get().own_moments == ()

    def test_what_was_decided_before_moments_were_kept_says_nothing_of_where(
        self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User
    ) -> None:
        first = keeps(draft, coach, Place.FIRST, (10.0, 20.0))
        second = keeps(draft, dora, Place.SECOND, (10.0, 20.0))
        blank = Decision.objects.filter(pk=first.pk)
        blank.update(clips=[])
        import_module("coach.review.second.migrations.0006_tells_where").say_which_do_not(
            apps, None
        )
        assert [blank.get().tells_where, Decision.objects.get(pk=second.pk).tells_where] == [
            False,
            True,
        ]


class TestSettling:
    """Who leads says where it is seen, too."""

    @pytest.fixture
    def both(self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User) -> Rehearsal:
        """Both keep the item, at other moments."""
        keeps(draft, coach, Place.FIRST, (30.2, 40.7))
        keeps(draft, dora, Place.SECOND, (12.0, 18.0))
        return sampled

    def form(self, draft: Feedback, clips: str) -> dict[str, object]:
        return levels_form(why="Heard again.") | {
            f"kind_{item_of(draft).pk}": "keep",
            f"clips_{item_of(draft).pk}": clips,
        }

    def test_kept_elsewhere_is_not_called_the_same(
        self, both: Rehearsal, dora: User, sign_in: SignIn
    ) -> None:
        page = sign_in(dora).get(url(both, "compare")).content.decode()
        assert "Kept, at other moments" in page
        assert page.count('<tr class="compare__differs">') == 1
        assert "Cards decided alike: 1 of 1." in page

    def test_what_is_sent_is_kept_and_there_again(
        self, both: Rehearsal, draft: Feedback, leader: User, sign_in: SignIn
    ) -> None:
        client = sign_in(leader)
        client.post(url(both, "settle"), self.form(draft, "0:20-0:25"))
        counts = Decision.objects.get(opinion__is_authoritative=True)
        assert counts.own_moments == ((20.0, 25.0),)
        assert 'value="0:20-0:25"' in client.get(url(both, "compare")).content.decode()

    def test_what_cannot_be_read_stays_in_the_form(
        self, both: Rehearsal, draft: Feedback, leader: User, sign_in: SignIn
    ) -> None:
        form = self.form(draft, "soon") | {"level_voice": "2"}
        response = sign_in(leader).post(url(both, "settle"), form)
        page = response.content.decode()
        assert response.status_code == 422
        assert 'value="soon"' in page
        assert '<option value="2" selected' in page
        assert not Opinion.objects.filter(is_authoritative=True).exists()

    def test_it_begins_with_the_first_coachs_whose_time_stays_exact(
        self, both: Rehearsal, draft: Feedback, leader: User, sign_in: SignIn
    ) -> None:
        begins = clips_words([(30.2, 40.7)])
        client = sign_in(leader)
        assert f'value="{begins}"' in client.get(url(both, "compare")).content.decode()
        client.post(url(both, "settle"), self.form(draft, begins))
        assert Decision.objects.get(opinion__is_authoritative=True).own_moments == ((30.2, 40.7),)

    def test_it_begins_with_the_one_who_keeps_it(
        self, both: Rehearsal, leader: User, sign_in: SignIn
    ) -> None:
        first = Decision.objects.filter(opinion__place=Place.FIRST)
        first.update(kind=Decision.Kind.REJECT, reason="tone", clips=[])
        page = sign_in(leader).get(url(both, "compare")).content.decode()
        assert f'value="{clips_words([(12.0, 18.0)])}"' in page

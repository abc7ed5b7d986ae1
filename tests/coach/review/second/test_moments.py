"""Where two coaches see an item: marked blindly, compared side by side, and how far they agree."""

from __future__ import annotations

import html
from importlib import import_module
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.feedback.models import CorrectedCard, Feedback, Item, Verdict
from coach.feedback.verdicts import decide_on_item
from coach.lib.agreement import Level, krippendorff_alpha
from coach.lib.clock import clock
from coach.portal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach
from coach.review.desk_words import clips_words
from coach.review.second.agreement import agreement_in
from coach.review.second.first_opinions import gather_first_opinions, write_first_opinion
from coach.review.second.models import Decision, Opinion, Place
from coach.review.second.overlap import SeenTwice
from coach.review.second.services import Verdict as Said
from coach.review.second.services import decide, take_second
from coach.review.selectors import groups_led_by
from coach.review.services import enqueue_sent
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, join
from tests.coach.review.second.judging import answer, hand_in, levels_form, second, url


def item_of(draft: Feedback) -> Item:
    return draft.items.get(is_chosen=True)


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
        assert item_of(draft).card.claim in html.unescape(said)
        assert "Everything else is saved." in said
        assert Decision.objects.get().own_moments == ()

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


def keeps(draft: Feedback, coach: User, place: Place, moment: tuple[float, float]) -> Decision:
    """One opinion of the two: handed in, the item kept and seen at a moment."""
    opinion = Opinion.objects.create(
        rehearsal=draft.rehearsal,
        feedback=draft,
        coach=coach,
        place=place,
        submitted_at=timezone.now(),
    )
    clips = [{"start": moment[0], "end": moment[1]}]
    return Decision.objects.create(
        opinion=opinion, item=item_of(draft), kind=Decision.Kind.KEEP, clips=clips
    )


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
        return levels_form() | {
            f"kind_{item_of(draft).pk}": "keep",
            f"clips_{item_of(draft).pk}": clips,
        }

    def test_kept_elsewhere_is_not_called_the_same(
        self, both: Rehearsal, dora: User, sign_in: SignIn
    ) -> None:
        page = sign_in(dora).get(url(both, "compare")).content.decode()
        assert "Kept, at other moments" in page
        assert "Items decided alike: 1 of 1." in page

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


def seen(first: list[tuple[float, float]], second: list[tuple[float, float]]) -> SeenTwice:
    return SeenTwice(take="a", duration=100.0, first=first, second=second, is_marked=True)


class TestFigures:
    """Intersection over union, and alpha over the time of the talk."""

    @pytest.mark.parametrize(
        ("first", "second", "share"),
        [
            ([(10.0, 20.0)], [(10.0, 20.0)], 1.0),
            ([(10.0, 20.0)], [(15.0, 25.0)], 5 / 15),
            ([(10.0, 20.0)], [(30.0, 40.0)], 0.0),
            ([(10.0, 20.0), (40.0, 50.0)], [(10.0, 20.0)], 0.5),
            ([(10.0, 16.0), (14.0, 20.0)], [(10.0, 20.0)], 1.0),  # its own overlap counts once
        ],
    )
    def test_what_both_marked_of_what_either_did(
        self, first: list[tuple[float, float]], second: list[tuple[float, float]], share: float
    ) -> None:
        assert seen(first, second).overlap == pytest.approx(share)

    def test_alpha_takes_chance_out(self) -> None:
        same = krippendorff_alpha(list(seen([(10, 20)], [(10, 20)]).units()), Level.NOMINAL)
        apart = krippendorff_alpha(list(seen([(10, 20)], [(30, 40)]).units()), Level.NOMINAL)
        half = krippendorff_alpha(list(seen([(10, 20)], [(15, 25)]).units()), Level.NOMINAL)
        assert same.value == pytest.approx(1.0)
        # By hand: 10 of 100 s differ, 20 of 200 marked; expected 2 * .1 * .9.
        assert half.value == pytest.approx(1 - 0.1 / 0.18, abs=0.002)
        assert apart.value is not None
        assert apart.value < 0

    def test_the_slices_cover_the_talk(self) -> None:
        units = list(seen([(10.0, 20.0)], [(15.0, 25.04)]).units())
        assert sum(unit.count for unit in units) == pytest.approx(1_000, abs=1)


class TestThePage:
    """For who leads; nothing below twenty pairs."""

    def make(self, count: int, cohort: Cohort, coach: User, dora: User) -> None:
        """Takes whose item both would keep, seen five seconds apart."""
        for _each in range(count):
            trainee = UserFactory(email=f"{uuid4()}@example.org")
            join(cohort, trainee, Role.TRAINEE)
            take = RehearsalFactory(owner=trainee, cohort=cohort)
            finish_analysis(take)
            send_to_coach(rehearsal=take, note="")
            enqueue_sent()
            draft = take.feedback.get()
            for place, person, start in ((Place.FIRST, coach, 10.0), (Place.SECOND, dora, 15.0)):
                keeps(draft, person, place, (start, start + 10))

    def test_from_twenty_pairs_on_with_their_range(
        self, cohort: Cohort, coach: User, dora: User, leader: User, sign_in: SignIn
    ) -> None:
        self.make(19, cohort, coach, dora)
        client = sign_in(leader)
        page = client.get(reverse("review:agreement")).content.decode()
        assert "Items that both would keep" in page
        assert "0.33 (" not in page
        self.make(1, cohort, coach, dora)
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert rows["kept"].n == rows["marked"].n == 20
        overlap = rows["marked"].overlap
        assert overlap is not None
        assert overlap.value == pytest.approx(1 / 3)
        assert overlap.low == pytest.approx(1 / 3)
        page = client.get(reverse("review:agreement")).content.decode()
        assert "0.33 (0.33 to 0.33)" in page
        table = client.get(reverse("review:agreement_csv")).content.decode().splitlines()
        assert table[0].endswith("why_none,overlap,overlap_low,overlap_high")
        assert table[-1].startswith("moments,marked,")
        assert table[-1].endswith("0.3333,0.3333,0.3333")

    def test_what_only_one_marked_is_left_out_of_the_second_line(
        self, cohort: Cohort, coach: User, dora: User, leader: User
    ) -> None:
        self.make(2, cohort, coach, dora)
        last = Opinion.objects.order_by("-pk")[0].rehearsal
        alone = Decision.objects.filter(opinion__rehearsal=last, opinion__place=Place.FIRST)
        alone.update(clips=[])
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert (rows["kept"].n, rows["marked"].n) == (2, 1)
        alone.update(tells_where=False)  # as of before moments were kept
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert (rows["kept"].n, rows["marked"].n) == (1, 1)
        Decision.objects.filter(opinion__place=Place.SECOND).update(kind=Decision.Kind.REJECT)
        rows = {row.code: row for row in agreement_in(groups_led_by(leader), {})}
        assert rows["kept"].n == 0


def test_moments_outside_the_recording_are_refused_by_the_service(
    sampled: Rehearsal, draft: Feedback, dora: User
) -> None:
    opinion = take_second(rehearsal=sampled, coach=dora)
    said = {str(item_of(draft).pk): Said(kind="keep", moments=((500.0, 510.0),))}
    with pytest.raises(ValidationError, match="inside the recording"):
        decide(opinion=opinion, verdicts=said)

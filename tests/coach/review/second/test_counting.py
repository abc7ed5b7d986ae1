"""Which opinion counts, clips to practise on, and how far coaches agree."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from coach.accounts.models import Cohort, Membership, Purpose, Role, User
from coach.accounts.services import give_consent, withdraw_consent
from coach.audit.models import Entry
from coach.feedback.models import Feedback
from coach.notices.models import Kind, Notice
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.services import send_to_coach
from coach.review.rubric.models import Occasion
from coach.review.rubric.services import finish_rating, save_rating
from coach.review.rubric.words import QUALITIES
from coach.review.second.agreement import Agreement, as_csv
from coach.review.second.discussion import add_message
from coach.review.second.first_opinions import gather_first_opinions
from coach.review.second.models import DisagreementMessage, Opinion, Place
from coach.review.second.selectors import to_resolve_for
from coach.review.second.services import OCCASIONS, choose_opinion, mark_clip, resolve
from coach.review.selectors import waiting_for
from coach.review.services import enqueue_sent
from coach.review.tasks import gather
from coach.schedule import beat_schedule
from tests.coach.conftest import SignIn, says
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, join
from tests.coach.review.second.judging import answer, hand_in, levels_form, second, url


class TestWhatCounts:
    """A coach who leads says which opinion counts; there is one."""

    @pytest.fixture
    def both(
        self, sampled: Rehearsal, draft: Feedback, coach: User, dora: User, sign_in: SignIn
    ) -> Rehearsal:
        answer(draft, coach, level=3)
        second(sign_in(dora), sampled, "reject", level=4)
        return sampled

    def test_one_of_the_two(self, both: Rehearsal, leader: User, sign_in: SignIn) -> None:
        client = sign_in(leader)
        assert [each.pk for each in to_resolve_for(leader)] == [both.pk]
        client.post(url(both, "settle"), {"pick": "second", "why": "Closer to the rubric."})
        assert Opinion.objects.get(is_authoritative=True).place == Place.SECOND
        client.post(url(both, "settle"), {"pick": "first", "why": "Closer to the rubric."})
        assert Opinion.objects.get(is_authoritative=True).place == Place.FIRST
        assert not to_resolve_for(leader).exists()
        entry = Entry.objects.filter(action="second.resolved").order_by("pk").last()
        assert entry is not None
        assert entry.detail == {"before": "second", "after": "first"}

    def test_or_what_the_leader_writes_line_by_line(
        self, both: Rehearsal, leader: User, sign_in: SignIn
    ) -> None:
        client = sign_in(leader)
        item = both.feedback.get().items.filter(is_chosen=True).get()
        form = levels_form(
            5, level_body="0", why="Both have a point.", **{f"kind_{item.pk}": "keep"}
        )
        for _again in range(2):
            client.post(url(both, "settle"), form)
            own = Opinion.objects.get(is_authoritative=True)
            assert own.place == Place.RESOLUTION
            assert own.rating is not None
            assert own.rating.judgements.get(quality="body").level is None
        page = client.get(url(both, "compare")).content.decode()
        assert "The version that Eve wrote after comparing counts." in page
        for quality in QUALITIES:
            assert f'aria-label="Full wording of the levels: {quality.label}"' in page
            assert page.count(f"<dd>{escape(str(quality.anchors[0]))}</dd>") == 1
        del form["level_voice"]
        page = client.post(url(both, "settle"), form, follow=True).content.decode()
        assert "Still open: Voice." in page
        assert Opinion.objects.get(is_authoritative=True) == own

    def test_nobody_settles_their_own_through_any_service(
        self, both: Rehearsal, coach: User, cohort: Cohort, sign_in: SignIn
    ) -> None:
        Membership.objects.filter(user=coach, cohort=cohort).update(leads=True)
        first = Opinion.objects.get(place=Place.FIRST)
        acts: tuple[Callable[[], object], ...] = (
            lambda: choose_opinion(rehearsal=both, place=Place.SECOND, leader=coach, why="So."),
            lambda: resolve(rehearsal=both, leader=coach, levels={}, verdicts={}, why="So."),
            lambda: mark_clip(opinion=first, leader=coach),
        )
        for act in acts:
            with pytest.raises(ValidationError, match="You gave one of these"):
                act()
        sign_in(coach).post(url(both, "settle"), {"pick": "first", "why": "Mine."})
        assert not Opinion.objects.filter(is_authoritative=True).exists()
        assert not to_resolve_for(coach).exists()
        assert not DisagreementMessage.objects.exists()

    def test_without_a_reason_nothing_counts_and_a_reason_is_kept(
        self, both: Rehearsal, leader: User, coach: User, sign_in: SignIn
    ) -> None:
        client = sign_in(leader)
        assert client.post(url(both, "settle"), {"pick": "first", "why": " "}).status_code == 422
        assert not Opinion.objects.filter(is_authoritative=True).exists()
        client.post(url(both, "settle"), {"pick": "first", "why": "Closer to the rubric."})
        kept = DisagreementMessage.objects.get()
        assert (kept.author, kept.settled, kept.text) == (leader, "first", "Closer to the rubric.")
        [row] = sign_in(coach).get(url(both, "compare")).context["page"].discussion
        assert row.settles

    def test_the_two_coaches_and_the_lead_discuss_and_nobody_else(
        self,
        both: Rehearsal,
        cohort: Cohort,
        coach: User,
        dora: User,
        leader: User,
        stranger: User,
        sign_in: SignIn,
    ) -> None:
        other = UserFactory(roles=[Role.COACH])
        join(cohort, other, Role.COACH)
        words = {"text": "I heard the ums as thinking time."}
        for person in (other, stranger, both.owner):
            assert sign_in(person).post(url(both, "discuss"), words).status_code == 404
        with pytest.raises(ValidationError):
            add_message(rehearsal=both, author=other, **words)
        for _press in range(2):
            sign_in(dora).post(url(both, "discuss"), words)
        assert DisagreementMessage.objects.get().author == dora
        told = Notice.objects.filter(kind=Kind.DISCUSSED)
        assert {each.person for each in told} == {coach, leader}
        assert own_data(dora)["messages_about_opinions"][0]["text"] == words["text"]
        long = sign_in(coach).post(url(both, "discuss"), {"text": "x" * 1001})
        assert long.status_code == 422
        assert long.context["page"].message == "x" * 1001

    def test_the_database_allows_one(self, both: Rehearsal, leader: User) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Opinion.objects.filter(rehearsal=both).update(is_authoritative=True)

    def test_nobody_but_who_leads(
        self, both: Rehearsal, coach: User, dora: User, stranger: User, sign_in: SignIn
    ) -> None:
        for person in (coach, dora, stranger):
            response = sign_in(person).post(
                url(both, "settle"), {"pick": "first", "why": "Closer to the rubric."}
            )
            assert response.status_code == 404
        assert not Opinion.objects.filter(is_authoritative=True).exists()

    def test_what_the_first_coach_released_is_written_down_once(self, both: Rehearsal) -> None:
        assert gather_first_opinions() == 0
        assert Opinion.objects.filter(place=Place.FIRST).count() == 1

    def test_it_is_written_down_by_the_clock_where_nobody_looks(self, both: Rehearsal) -> None:
        Opinion.objects.filter(place=Place.FIRST).delete()
        assert gather.name in {each["task"] for each in beat_schedule(60).values()}
        gather()
        assert Opinion.objects.get(place=Place.FIRST).rehearsal == both


class TestCalibration:
    """New coaches judge what was judged, and see afterwards where they agree."""

    @pytest.fixture
    def answered(self, sent: Rehearsal, draft: Feedback, coach: User) -> Rehearsal:
        answer(draft, coach, level=3)
        return sent

    @pytest.fixture
    def clip(self, answered: Rehearsal, leader: User, trainee: User, sign_in: SignIn) -> Rehearsal:
        give_consent(user=trainee, purpose=Purpose.COACH_TRAINING)
        sign_in(leader).post(url(answered, "make_clip"))
        return answered

    def test_only_with_the_owners_consent_and_by_who_leads(
        self, answered: Rehearsal, leader: User, coach: User, trainee: User, sign_in: SignIn
    ) -> None:
        assert sign_in(leader).post(url(answered, "make_clip")).status_code == 404
        give_consent(user=trainee, purpose=Purpose.COACH_TRAINING)
        assert sign_in(coach).post(url(answered, "make_clip")).status_code == 404
        page = sign_in(leader).get(reverse("review:clips")).content.decode()
        assert "Make it a clip" in page
        assert sign_in(leader).post(url(answered, "make_clip")).status_code == 302
        assert Opinion.objects.get(is_authoritative=True).coach == coach

    def test_a_new_coach_judges_it_and_sees_where_they_agree(
        self, clip: Rehearsal, dora: User, sign_in: SignIn
    ) -> None:
        client = sign_in(dora)
        assert not waiting_for(dora).exists()
        assert "Rate this clip" in client.get(reverse("review:clips")).content.decode()
        client.post(url(clip, "begin_clip"))
        assert client.get(url(clip, "desk")).status_code == 404
        assert client.get(url(clip, "compare")).status_code == 404
        page = client.get(url(clip, "opinion")).content.decode()
        assert "see where you and the group agree" in page
        response = hand_in(client, clip, "keep", level=3)
        assert response.headers["Location"] == url(clip, "compare")
        page = client.get(url(clip, "compare")).content.decode()
        assert "Qualities at the same level: 6 of 6." in page
        assert "Cards decided alike: 1 of 1." in page
        assert "Save this choice" not in page
        assert Viewing.objects.filter(viewer=dora, what="calibration").exists()

    def test_who_leads_reads_what_each_coach_made_of_it_and_nobody_else_does(
        self,
        clip: Rehearsal,
        coach: User,
        dora: User,
        leader: User,
        trainee: User,
        sign_in: SignIn,
    ) -> None:
        leads, clips = sign_in(leader), reverse("review:clips")
        assert "No coach has rated this clip yet." in leads.get(clips).content.decode()
        assert leads.get(url(clip, "compare")).status_code == 404
        client = sign_in(dora)
        client.post(url(clip, "begin_clip"))
        hand_in(client, clip, "reject", level=5)
        place = f"{url(clip, 'compare')}?of={Opinion.objects.get(coach=dora).pk}"
        assert place in leads.get(clips).content.decode()
        page = leads.get(place).content.decode()
        assert says(page, "Dora")
        assert "Cards decided alike: 0 of 1." in page
        assert leads.get(url(clip, "compare"), {"of": "0"}).status_code == 404
        assert sign_in(coach).get(place).status_code == 404
        withdraw_consent(user=trainee, purpose=Purpose.COACH_TRAINING)
        assert leads.get(place).status_code == 404

    def test_a_consent_that_is_withdrawn_takes_the_clip_away(
        self, clip: Rehearsal, dora: User, trainee: User, sign_in: SignIn
    ) -> None:
        withdraw_consent(user=trainee, purpose=Purpose.COACH_TRAINING)
        assert "Rate this clip" not in sign_in(dora).get(reverse("review:clips")).content.decode()
        sign_in(dora).post(url(clip, "begin_clip"))
        assert not Opinion.objects.filter(coach=dora).exists()

    def test_who_answered_it_or_opened_it_cannot_practise_on_it(
        self, clip: Rehearsal, coach: User, dora: User, sign_in: SignIn
    ) -> None:
        sign_in(dora).get(url(clip, "desk"))
        for person in (coach, dora):
            page = sign_in(person).get(reverse("review:clips")).content.decode()
            assert "There is no clip for you at present." in page

    def test_a_clip_can_be_dropped(
        self, clip: Rehearsal, leader: User, dora: User, sign_in: SignIn
    ) -> None:
        assert sign_in(dora).post(url(clip, "drop_clip")).status_code == 404
        sign_in(leader).post(url(clip, "drop_clip"))
        assert (
            "There is no clip for you at present."
            in sign_in(dora).get(reverse("review:clips")).content.decode()
        )


def test_a_coach_takes_their_opinions_along(
    sampled: Rehearsal, dora: User, sign_in: SignIn
) -> None:
    second(sign_in(dora), sampled, "reject")
    (opinion,) = own_data(dora)["opinions"]
    assert opinion["place"] == "second"
    said = {"rule": "FIL001", "kind": "reject", "reason": "tone", "moments": []}
    assert opinion["decisions"] == [said]
    assert own_data(dora)["ratings"][0]["occasion"] == Occasion.SECOND


@pytest.fixture
def make_pair(cohort: Cohort, coach: User, dora: User) -> Callable[[int, int, str, str], None]:
    """A take of another trainee's that both coaches judged."""

    def made(first: int, other: int, kind: str, other_kind: str) -> None:
        owner = UserFactory()
        join(cohort, owner, Role.TRAINEE)
        take = RehearsalFactory(owner=owner, cohort=cohort)
        draft = finish_analysis(take)
        send_to_coach(rehearsal=take, note="")
        enqueue_sent()
        _write(take, draft, coach, Place.FIRST, first, kind)
        _write(take, draft, dora, Place.SECOND, other, other_kind)

    return made


def _write(
    take: Rehearsal, draft: Feedback, coach: User, place: Place, level: int, kind: str
) -> None:

    occasion = OCCASIONS[place]
    levels = {quality.code: level for quality in QUALITIES}
    save_rating(rehearsal=take, coach=coach, occasion=occasion, levels=levels, priorities=[])
    rating = finish_rating(rehearsal=take, coach=coach, occasion=occasion)
    opinion = Opinion.objects.create(
        rehearsal=take,
        feedback=draft,
        coach=coach,
        place=place,
        rating=rating,
        submitted_at=timezone.now(),
    )
    item = draft.items.get(is_chosen=True)
    opinion.decisions.create(item=item, kind=kind, reason="tone" if kind == "reject" else "")


class TestAgreement:
    """Figures for who leads, and none under twenty pairs."""

    def test_twenty_pairs_and_not_fewer(
        self, make_pair: Callable[[int, int, str, str], None], leader: User, sign_in: SignIn
    ) -> None:
        client = sign_in(leader)
        for number in range(19):
            level = number % 5 + 1
            kind = "reject" if number % 4 == 0 else "keep"
            make_pair(level, level, kind, kind)
        page = client.get(reverse("review:agreement")).content.decode()
        assert page.count("fewer than 20 pairs") == 3, "once in each table"
        assert "1.00" not in page
        table = client.get(reverse("review:agreement_csv")).content.decode().splitlines()
        assert table[1].startswith("quality,content,Content,19,,,,")
        make_pair(1, 2, "reject", "keep")
        page = client.get(reverse("review:agreement")).content.decode()
        # Both kept 14 of them, and nobody marked moments of their own.
        assert page.count("fewer than 20 pairs") == 1
        table = client.get(reverse("review:agreement_csv")).content.decode().splitlines()
        content = table[1].split(",")
        assert content[:5] == ["quality", "content", "Content", "20", "0.9500"]
        alpha, low, high = (float(each) for each in content[5:8])
        assert low < alpha < high <= 1
        rule = next(line for line in table if line.startswith("rule,FIL001")).split(",")
        # Of 19 + 1 decisions both reject 5, one alone 1: 2 * 5 / (2 * 5 + 1).
        assert float(rule[11]) == pytest.approx(10 / 11, abs=1e-4)
        assert float(rule[8]) == pytest.approx(0.875, abs=1e-4)

    def test_a_title_that_a_spreadsheet_would_run_is_text_in_the_table(self) -> None:
        title = "=HYPERLINK(1)"
        table = as_csv([Agreement(kind="rule", code="FIL001", label=title, n=3)])
        assert table.splitlines()[1].startswith("rule,FIL001,'=HYPERLINK(1),3,")

    def test_it_is_for_who_leads(
        self, coach: User, stranger: User, leader: User, sign_in: SignIn
    ) -> None:
        for name in ("review:agreement", "review:agreement_csv"):
            assert sign_in(coach).get(reverse(name)).status_code == 404
            assert sign_in(stranger).get(reverse(name)).status_code == 404
            assert sign_in(leader).get(reverse(name)).status_code == 200
